/** Rows of printed_fundamentals: from the report and its Exhibit 13, as they are printed. */
import type { PageRow } from '../../documents/index.ts';
import { type Filing, MAPPING_VERSION, type MappedRow, type NamedDocument, type Row } from '../../forms/index.ts';
import type { Amount, Found } from '../amounts.ts';
import { type Faces, STATEMENTS } from '../faces.ts';
import { amountOf, amountText, dayNumber, type Fact, type Period, periodKey } from '../facts.ts';
import { FiscalCalendar } from '../fiscal-calendar.ts';
import { currentPlace, isSame, leastExact, type Place, placeOf } from '../fundamentals.ts';
import type { ItemRules, Rules } from '../rules.ts';
import { printedFundamentals } from '../tables.ts';
import { coverOf, plainName, type ReportCover } from './cover.ts';
import { PRINTED_ITEMS, PrintedItems, type PrintedReason } from './items.ts';
import { companiesOf, type Printed, printedFaces } from './printed-faces.ts';

const REPORT = /^10-?(K|Q)/i;
const READABLE = /(?:^[^.]*|\.(?:x?html?|txt))$/i;

/** Documents of a listing that may print the statements of a report: itself, and Exhibit 13. A list without types names none. */
export function printedDocuments<Document extends NamedDocument>(
  form: string | null,
  documents: readonly Document[],
): Document[] {
  if (!REPORT.test(form ?? '')) return [];
  const base = (type: string | null) => (type ?? '').replace(/\/A$/i, '').trim().toUpperCase();
  const readable = documents.filter(({ filename }) => READABLE.test(filename ?? ''));
  const main = readable.filter(({ type }) => base(type) === base(form)).slice(0, 1);
  const report = main.length > 0 ? main : readable.filter(({ type }) => type === null).slice(0, 1);
  return [...report, ...readable.filter(({ type }) => /^EX-13(\.\w+)*$/i.test(type ?? ''))];
}

/** `pageRows` of documents. */
export type PageReader = (text: string) => PageRow[];

/** No row for other forms than 10-K and 10-Q. */
export function printedRows(filing: Filing, rules: Rules, pageRows: PageReader): MappedRow[] {
  const named = filing.documents.map((document, place) => ({ ...document, filename: document.name, place }));
  const documents = printedDocuments(filing.formType, named);
  const [report] = documents;
  if (report === undefined) return [];
  const cover = coverOf(report.text());
  const pages = documents.map((document) => {
    let rows: PageRow[] | null = null;
    const file = document.name ?? String(document.place + 1);
    return { file, rows: () => (rows ??= pageRows(document.text())) };
  });
  const read: Read = { filing, pages, cover, rules };
  if (!cover.isJoint) return rowsOfCompany(read, '');
  const found = pages.map((page) => companiesOf(page.rows(), cover));
  const companies = new Map(found.flatMap((page) => page.companies.map((name) => [plainName(name), name] as const)));
  const sheets = found.flatMap((page) => page.sheets.map((names) => names.map(plainName)));
  if (companies.size <= 1 && sheets.length <= 1) return rowsOfCompany(read, '');
  // Of two balance sheets with one name each may be another's. Nobody can tell whose those without names are: perhaps the filer's.
  const isOne = (key: string) =>
    sheets.filter(([name, ...more]) => name === key && more.every((one) => one === key)).length <= 1;
  const told = [...companies].filter(([key]) => isOne(key)).flatMap(([, name]) => rowsOfCompany(read, name));
  return [...told, ...rowsOfCompany(read, '', 'several_companies')];
}

interface Read {
  readonly filing: Filing;
  readonly pages: readonly { readonly file: string; readonly rows: () => readonly PageRow[] }[];
  readonly cover: ReportCover;
  readonly rules: Rules;
}

/** @param company of a joint report; '': the filer. @param reason why nothing has a value, if that is known */
function rowsOfCompany(read: Read, company: string, reason: PrintedReason | null = null): MappedRow[] {
  const { filing, pages, cover, rules } = read;
  const { periodEnd } = cover;
  const given = { formType: filing.formType!, periodEnd, cover, company };
  const isQuarterly = /^10-?Q/i.test(given.formType);
  let best: (Printed & { file: string }) | null = null;
  for (const { file, rows } of pages) {
    const found = printedFaces(rows(), { ...given, file });
    if ('reason' in found) continue;
    const faces = isQuarterly ? withoutYears(found.faces) : found.faces;
    if (best === null || countOf(faces) > countOf(best.faces)) best = { ...found, faces, file };
    if (countOf(best.faces) === STATEMENTS.length) break;
  }
  // Nothing says which quarter it is of. A guarantor has no statements of its own.
  if (best === null && (isQuarterly || company !== '')) return [];
  const { faces, end, file, guessed } = best ?? { ...NOTHING_FOUND, end: periodEnd, file: pages[0]!.file };
  const stated = new Map([
    ['dei:DocumentType', given.formType],
    ['dei:DocumentPeriodEndDate', end ?? ''],
    ['dei:DocumentFiscalPeriodFocus', quarterOf(end ?? '', faces)],
  ]);
  const calendar = FiscalCalendar.of(stated, periodsOf(faces));
  if (calendar === null) return [];
  const items = new PrintedItems(reason === null ? faces : NOTHING_FOUND.faces, rules, reason);
  const isGuessed = ({ period_start, period_end }: Row) =>
    period_start !== null && guessed.has(periodKey(String(period_start), String(period_end)));
  const head = {
    accession_number: filing.accessionNumber,
    mapping_version: MAPPING_VERSION,
    file,
    cik: null,
    registrant: company,
  };
  return PRINTED_ITEMS.flatMap((name) => rowsOf(rules.items.get(name)!, items, calendar)).map((row) => ({
    table: printedFundamentals.name,
    row: { ...head, ...row, ...(isGuessed(row) ? { period_start: null } : {}) },
  }));
}

const NOTHING_FOUND = { faces: { income: [], balance: [], cash_flow: [] } as Faces, guessed: new Set<string>() };
const countOf = (faces: Faces) => STATEMENTS.filter((name) => faces[name].length > 0).length;

const LONGEST_DAYS = 300;

/** Quarterly reports have no statement of a year: such a period was misread, or is of twelve months that no fiscal year has. */
function withoutYears(faces: Faces): Faces {
  const isShort = ({ start, end }: Fact) => start === null || dayNumber(end) - dayNumber(start) < LONGEST_DAYS;
  const short = STATEMENTS.map((name) => [
    name,
    faces[name].flatMap((line) => {
      const facts = line.facts.filter(isShort);
      return facts.length === 0 ? [] : [{ ...line, facts }];
    }),
  ]);
  return Object.fromEntries(short) as unknown as Faces;
}

const QUARTER_DAYS = 365.25 / 4;
const SLACK_DAYS = 25;

/** A quarterly report has the balance sheet of the year before: so many quarters ago. '': it has none, or not of one only. */
function quarterOf(end: string, { balance }: Faces): string {
  const days = new Set(balance.flatMap(({ facts }) => facts.map((fact) => dayNumber(end) - dayNumber(fact.end))));
  const quarters = [...days].flatMap((day) => {
    const quarter = Math.round(day / QUARTER_DAYS);
    return quarter >= 1 && quarter <= 3 && Math.abs(day - quarter * QUARTER_DAYS) <= SLACK_DAYS ? [quarter] : [];
  });
  return new Set(quarters).size === 1 ? `Q${quarters[0]}` : '';
}

function periodsOf(faces: Faces): Period[] {
  const periods = new Map<string, Period>();
  for (const { start, end, period } of STATEMENTS.flatMap((name) => faces[name].flatMap(({ facts }) => facts))) {
    const known = periods.get(period);
    if (known === undefined) periods.set(period, { start, end, count: 1 });
    else known.count++;
  }
  return [...periods.values()];
}

function rowsOf(item: ItemRules, items: PrintedItems, calendar: FiscalCalendar): Row[] {
  const found = items.find(item.name);
  const rows: { place: Place; row: Row }[] = [];
  const add = (start: string | null, end: string, rest: () => Row) => {
    const label = calendar.label(start, end);
    const place = label && placeOf(label, end);
    if (place !== null && !rows.some((other) => isSame(other.place, place))) rows.push({ place, row: rest() });
  };
  const head = { statement: item.statement, item: item.name };
  for (const amount of found?.amounts.values() ?? [])
    add(amount.start, amount.end, () => ({ ...head, ...stated(found!, amount, items.faces) }));
  for (const { start, end } of items.contradicted(item.name))
    add(start, end, () => ({ ...head, ...NOTHING, reason: 'contradicted' }));
  if (rows.length === 0)
    rows.push({ place: currentPlace(calendar, item), row: { ...head, ...NOTHING, reason: items.reason(item.name) } });
  return rows.map(({ place, row }) => ({ ...place, ...row }));
}

const NOTHING = Object.fromEntries(
  'period_start value unit decimals method concept rule start_index end_index line parts'
    .split(' ')
    .map((name) => [name, null]),
);

function stated({ rule }: Found, { start, amount, sources }: Amount, faces: Faces): Row {
  const { fact } = sources[0]!;
  const isOne = sources.length === 1;
  const lines = STATEMENTS.flatMap((name) => faces[name]);
  const wordsOf = (own: Fact) => lines.find(({ facts }) => facts.includes(own))?.label() ?? '';
  const parts = sources.map(({ fact: part, weight }) => ({
    weight,
    value: amountText(amountOf(part)),
    start_index: part.startIndex,
    end_index: part.endIndex,
    line: wordsOf(part),
  }));
  return {
    period_start: start,
    value: amountText(amount),
    unit: fact.unit,
    decimals: leastExact(sources),
    method: 'printed',
    concept: isOne ? fact.concept : null,
    rule,
    reason: null,
    start_index: isOne ? fact.startIndex : null,
    end_index: isOne ? fact.endIndex : null,
    line: parts.map(({ line }) => line).join(' / '),
    parts: isOne ? null : JSON.stringify(parts),
  };
}
