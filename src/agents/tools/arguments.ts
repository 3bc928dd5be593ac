/** Arguments that several tools take. */
import { z } from 'zod';
import { FilinglakeError } from '../../core/index.ts';
import { isCalendarDate, normalTicker, parseAccessionNumber, parseCik } from '../../filings/api/index.ts';
import { BUDGET_DEFAULT, BUDGET_MAX, BUDGET_MIN } from '../answers/budget.ts';
import type { Moment } from '../answers/moment.ts';
import type { Company } from '../sources/filing-source.ts';
import type { ToolCall, World } from './tool.ts';

export const paging = {
  budget: z
    .int()
    .min(BUDGET_MIN)
    .max(BUDGET_MAX)
    .optional()
    .describe(`characters of the answer, default ${BUDGET_DEFAULT}`),
  cursor: z.string().max(100).optional().describe('`next` of the last answer; other arguments unchanged'),
};
export const asOf = { as_of: z.string().max(30).optional().describe('Eastern time: 2024-03-01 or 2024-03-01T16:00') };

const day = z.string().max(10).refine(isCalendarDate, 'must be a day: 2024-03-01');
export const dates = { from_date: day.optional().describe('first filing date'), to_date: day.optional() };
export const source = z.enum(['lake', 'service']).optional().describe('default: the lake if it has any');
export const company = z.string().min(1).max(150).optional().describe('CIK, ticker or name');
export const forms = z.array(z.string().min(1).max(20)).max(50).optional().describe('whole names: 10-K is not 10-K/A');
export const accession = z
  .string()
  .max(25)
  .transform((text, context) => {
    const number = parseAccessionNumber(text.trim());
    if (number === null) context.addIssue('must be an accession number: 0000320193-24-000123');
    return number ?? '';
  });

const CANDIDATES_MAX = 8;

/** The CIK of a word: a CIK, a ticker or a name. @throws FilinglakeError `company-unknown` with candidates */
export async function cikOf(
  word: string,
  { world, asOf, version }: Pick<ToolCall<unknown>, 'world' | 'asOf' | 'version'>,
): Promise<string> {
  const text = word.trim();
  const cik = parseCik(text.replace(/^CIK0*(?=\d)/i, ''));
  if (cik !== null) return cik;
  const range = { asOf, from: 0, limit: CANDIDATES_MAX };
  if (/^[A-Za-z0-9.\-/]{1,8}$/.test(text)) {
    const found = await firstCompanies(world, { ...range, ticker: normalTicker(text) }, version);
    if (found.length === 1) return found[0]!.cik;
  }
  const found = await firstCompanies(world, { ...range, name: text }, version);
  const exact = found.filter(({ name }) => name?.toUpperCase() === text.toUpperCase());
  const chosen = exact.length === 1 ? exact : found;
  if (chosen.length === 1) return chosen[0]!.cik;
  if (chosen.length === 0) throw new FilinglakeError('company-unknown', `no company matches "${text}"`);
  const some = chosen.map(({ cik, name }) => `${name} (CIK ${cik})`).join('; ');
  throw new FilinglakeError('company-unknown', `"${text}" may be ${some}`);
}

async function firstCompanies(
  { sources }: World,
  query: { ticker?: string; name?: string; asOf: Moment | null; from: number; limit: number },
  version: number | null,
): Promise<readonly Company[]> {
  for (const source of sources) {
    const { rows } = await source.companies(query, version);
    if (rows.length > 0) return rows;
  }
  return [];
}
