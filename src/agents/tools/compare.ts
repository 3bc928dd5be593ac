/** `compare`. A paragraph that moved is the same; one whose words changed is gone and new. */
import { z } from 'zod';
import { FilinglakeError } from '../../core/index.ts';
import { accession, asOf, cikOf, company, paging } from '../arguments.ts';
import type { Json } from '../json-text.ts';
import { cite, sectionCode, textOf } from '../passages.ts';
import type { FiledText } from '../sources/filing-source.ts';
import { type ToolCall, tool } from '../tool.ts';
import { compareItems } from './compare-items.ts';

const input = z.strictObject({
  section: z.string().min(1).max(20).optional().describe('1A, 7 …'),
  items: z
    .array(z.string().max(60))
    .max(60)
    .optional()
    .describe('revenue, net_income …; in place of section; [] means all'),
  fiscal_years: z.array(z.int()).length(2).optional().describe('with items; default the two newest'),
  before: accession.optional(),
  after: accession.optional(),
  company,
  form: z.string().max(20).optional().describe('with company: its two newest, default 10-K'),
  ...asOf,
  ...paging,
});

export const compare = tool({
  name: 'compare',
  title: 'Compare two years',
  description:
    'A section in two filings: paragraphs that are new and those that are gone, with citations; counts of equal ones first. Give before and after, or a company: then its two newest filings of the form are taken. A paragraph whose wording changed counts as gone and new; a moved one as equal. If a kind is a pointer, the text stands elsewhere: see outline. With items: standard items of two fiscal years of a company side by side, with the change (null if the units differ) and its percent (null if the older value is not positive).',
  input,
  needs: 'filings',
  async run(call) {
    const { args, position, version } = call;
    if (args.items !== undefined) return compareItems(call, { ...args, items: args.items });
    if (args.section === undefined)
      throw new FilinglakeError('tool-input-invalid', 'compare needs a section, or items');
    const section = sectionCode(args.section);
    const [before, after] = await pair(call);
    const [old, now] = await Promise.all(
      [before, after].map((number) => textOf(call, number, { accession_number: number, section })),
    );
    const { same, gone, added } = differences(old!, now!);
    const rows: Json[] = [
      ...added.map((one) => changeOf('new', one, now!, version)),
      ...gone.map((one) => changeOf('gone', one, old!, version)),
    ];
    return {
      head: {
        section,
        before,
        after,
        filed: { before: old!.filing_date ?? null, after: now!.filing_date ?? null },
        paragraphs: { equal: same, new: added.length, gone: gone.length },
      },
      list: 'changes',
      rows: rows.slice(position),
      total: rows.length,
    };
  },
});

/** Accession numbers, the older one first. */
async function pair(call: ToolCall<z.output<typeof input>>): Promise<[string, string]> {
  const { args, world, asOf: moment, version } = call;
  if (args.before !== undefined && args.after !== undefined) return [args.before, args.after];
  if (args.company === undefined)
    throw new FilinglakeError('tool-input-invalid', 'compare needs before and after, or a company');
  const cik = await cikOf(args.company, call);
  const form = args.form ?? '10-K';
  for (const source of world.sources) {
    const { rows } = await source.filings({ cik, forms: [form], asOf: moment, from: 0, limit: 2 }, version);
    if (rows.length === 2) return [rows[1]!.accession_number, rows[0]!.accession_number];
  }
  throw new FilinglakeError('filing-unknown', `company ${cik} has no two filings of form ${form.slice(0, 20)} here`);
}

interface Paragraph {
  readonly start: number;
  readonly end: number;
  /** Words alone: spaces and marks of lists may change. */
  readonly words: string;
}

/** Columns of a typewritten document at most (EDGAR Filer Manual: 80, of tables 132). */
const TYPED_COLUMNS = 132;
const LINE = /\S[^\n]*/g;
/** Lines without a blank one between them. */
const BLOCK = /\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*/g;

/** Lines; of a typewritten text, whose lines are wrapped, what stands between blank ones. */
function paragraphs({ text }: FiledText): Paragraph[] {
  const isTyped = /\n[^\S\n]*\n/.test(text) && text.split('\n').every((line) => line.length <= TYPED_COLUMNS);
  return [...text.matchAll(isTyped ? BLOCK : LINE)].map(({ index: start, 0: lines }) => {
    return { start, end: start + lines.trimEnd().length, words: lines.replace(/\s+/g, ' ').trim() };
  });
}

function differences(before: FiledText, after: FiledText) {
  const left = new Map<string, number>();
  const old = paragraphs(before);
  for (const { words } of old) left.set(words, (left.get(words) ?? 0) + 1);
  const take = (words: string) => {
    const n = left.get(words) ?? 0;
    if (n > 0) left.set(words, n - 1);
    return n > 0;
  };
  const now = paragraphs(after);
  const added = now.filter(({ words }) => !take(words));
  // What is left of a paragraph that stood several times is gone at its last places.
  const gone: Paragraph[] = [];
  for (const one of old.toReversed()) if (take(one.words)) gone.unshift(one);
  return { same: now.length - added.length, added, gone };
}

function changeOf(change: 'new' | 'gone', { start, end }: Paragraph, text: FiledText, version: number | null): Json {
  return {
    change,
    filed_content: text.text.slice(start, end),
    citation: cite(text, start, end, version) as unknown as Json,
  };
}
