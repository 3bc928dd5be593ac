/** `compare`. A paragraph that moved is the same; one whose words changed stands with its old words. */
import { z } from 'zod';
import { FilinglakeError } from '../../core/index.ts';
import { differences, type Paragraph } from '../../filings/documents/index.ts';
import type { Json } from '../answers/json-text.ts';
import type { FiledText } from '../sources/filing-source.ts';
import { accession, asOf, cikOf, company, paging } from './arguments.ts';
import { compareItems } from './compare-items.ts';
import { sectionCode, textOf } from './passages.ts';
import { type ToolCall, tool } from './tool.ts';

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
    'A section in two filings: paragraphs that are new, gone or changed, with their places; counts of equal ones first. Give before and after, or a company: then its two newest filings of the form are taken. A changed paragraph comes with the old one, of whose pairs of words it has a third or more; a moved one counts as equal. If a kind is a pointer, the text stands elsewhere: see outline. With items: standard items of two fiscal years of a company side by side, with the change (null if the units differ) and its percent (null if the older value is not positive).',
  input,
  needs: 'filings',
  async run(call) {
    const { args, position } = call;
    if (args.items !== undefined) return compareItems(call, { ...args, items: args.items });
    if (args.section === undefined)
      throw new FilinglakeError('tool-input-invalid', 'compare needs a section, or items');
    const section = sectionCode(args.section);
    const [before, after] = await pair(call);
    const [old, now] = await Promise.all(
      [before, after].map((number) => textOf(call, number, { accession_number: number, section })),
    );
    const { same, gone, added } = differences(old!.text, now!.text);
    const was = oldWordsOf(added, gone);
    const changed = new Set(was.values());
    const shown = (one: Paragraph | undefined, { text }: FiledText) =>
      one === undefined ? null : { start: one.start, end: one.end, filed_content: text.slice(one.start, one.end) };
    const rows: Json[] = [
      ...added.map((one) => ({
        change: was.has(one) ? 'changed' : 'new',
        before: shown(was.get(one), old!),
        after: shown(one, now!),
      })),
      ...gone
        .filter((one) => !changed.has(one))
        .map((one) => ({ change: 'gone', before: shown(one, old!), after: null })),
    ];
    return {
      head: {
        section,
        before,
        after,
        filed: { before: old!.filing_date ?? null, after: now!.filing_date ?? null },
        documents: { before: old!.document_id, after: now!.document_id },
        paragraphs: {
          equal: same,
          changed: was.size,
          new: added.length - was.size,
          gone: gone.length - was.size,
        },
      },
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

/** Of the new paragraphs that are like one that is gone: that one. The likest are paired first. */
function oldWordsOf(added: readonly Paragraph[], gone: readonly Paragraph[]): Map<Paragraph, Paragraph> {
  const before = gone.map(pairsOf);
  const pairs = added.flatMap((now, i) => {
    const words = pairsOf(now);
    return gone.flatMap((old, k) => {
      const alike = likeness(words, before[k]!);
      return alike < LIKE_MIN ? [] : [{ now, old, alike, far: Math.abs(i - k) }];
    });
  });
  const found = new Map<Paragraph, Paragraph>();
  const taken = new Set<Paragraph>();
  for (const { now, old } of pairs.sort((a, b) => b.alike - a.alike || a.far - b.far)) {
    if (found.has(now) || taken.has(old)) continue;
    found.set(now, old);
    taken.add(old);
  }
  return found;
}

/** Texts of one language share words, but few pairs of words. */
const LIKE_MIN = 1 / 3;

/** Each word with the one before it. */
function pairsOf({ words }: Paragraph): ReadonlySet<string> {
  const all = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(all.map((word, i) => `${all[i - 1] ?? ''} ${word}`));
}

/** What both have, of what one has on average: Dice's coefficient. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const all = (a.size + b.size) / 2;
  if (Math.min(a.size, b.size) < LIKE_MIN * all) return 0;
  let both = 0;
  for (const pair of a) if (b.has(pair)) both++;
  return all === 0 ? 0 : both / all;
}
