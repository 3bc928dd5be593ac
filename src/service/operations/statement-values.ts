/** Values of a filing's statements with their places, from its stored documents. */
import { decodeText, isTextual } from '../../filings/documents/index.ts';
import { xbrlKind } from '../../filings/forms/index.ts';
import { mapFiling, neededFor } from '../../filings/statements/index.ts';
import { jsonOutcome } from '../answers/outcome.ts';
import type { StatementValue } from '../pages/index.ts';
import { requireFiling } from './filing-info.ts';
import type { ReaderOperation } from './operation.ts';

/** Reports are read whole: two to eight megabytes each, 10 to 100 ms. */
const BYTES_MAX = 32 * 1024 * 1024;
const TABLES = new Set(['fundamentals', 'fundamental_sources']);

export const answerStatements: ReaderOperation<'statements'>['answer'] = (
  { accession_number },
  { store, requireLaneFor },
) => {
  const { form_type, filing_date, documents } = requireFiling(store, accession_number);
  const needed = neededFor({ form: form_type ?? '', filed: filing_date }, documents, ['fundamentals']);
  const ids = new Set([...needed.documents, ...needed.undecided].map(({ document_id }) => document_id));
  const stored = store
    .documents(accession_number)
    .filter((one) => ids.has(one.document_id) && isTextual(one.content_type) && xbrlKind(one) !== 'summary');
  const bytes = stored.reduce((sum, { size }) => sum + size, 0);
  requireLaneFor(bytes);
  if (needed.tables.length === 0 || bytes > BYTES_MAX) return jsonOutcome('[]', { tagged: false });
  const texts = new Map<string, { sequence: number; text: string }>();
  const given = stored.map(({ filename, type, sequence, read }) => {
    const name = filename ?? String(sequence);
    let text: string | null = null;
    const decoded = () => (text ??= decodeText(read()).text);
    texts.set(name, {
      sequence,
      get text() {
        return decoded();
      },
    });
    return { name, type, text: decoded };
  });
  const filing = { accessionNumber: accession_number, filingDate: null, formType: form_type, documents: given };
  const isQuarterly = /^10-?Q/.test(form_type ?? '');
  const values: StatementValue[] = [];
  const places = new Map<string, { file: string; start: number | null }>();
  const keyOf = (row: Record<string, unknown>) => `${row.item} ${row.fiscal_period} ${row.period_end}`;
  for (const { table, row } of mapFiling(filing, TABLES)) {
    if (row.registrant !== '') continue;
    const key = keyOf(row);
    if (table === 'fundamental_sources' && !places.has(key))
      places.set(key, { file: String(row.fact_file), start: row.start_index as number | null });
    if (table !== 'fundamentals' || row.value === null || !(isQuarterly || row.fiscal_period === 'FY')) continue;
    if (row.concept !== null) places.set(key, { file: String(row.file), start: row.start_index as number | null });
    values.push({
      accession_number,
      item: String(row.item),
      statement: String(row.statement),
      unit: String(row.unit),
      fiscal_year: Number(row.fiscal_year),
      fiscal_period: String(row.fiscal_period),
      period_end: String(row.period_end),
      value: Number(row.value),
      method: String(row.method),
      sequence: null,
      anchor: null,
    });
  }
  const placed = values.map((value) => {
    const place = places.get(keyOf({ ...value }));
    const document = place && texts.get(place.file);
    if (document === undefined) return value;
    return { ...value, sequence: document.sequence, anchor: idAt(document.text, place!.start) };
  });
  return jsonOutcome(JSON.stringify(placed), { tagged: false });
};

/** The id of the element that begins there: the page can be opened at it. */
function idAt(text: string, start: number | null): string | null {
  if (start === null) return null;
  const end = text.indexOf('>', start);
  return end < 0 ? null : (/\sid\s*=\s*["']([^"'\s<>]+)["']/.exec(text.slice(start, end))?.[1] ?? null);
}
