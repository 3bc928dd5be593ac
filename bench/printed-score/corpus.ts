/**
 * Filings whose statements are known from elsewhere than their print: inline pages with their tags off, against the tags and the labels of
 * hand; typewritten filings, against their financial data schedule; pages that somebody labelled.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeText } from '../../src/filings/documents/index.ts';
import { readSubmission, type SubmissionDocument } from '../../src/filings/edgar/index.ts';
import type { Filing, FilingDocument, Row } from '../../src/filings/forms/index.ts';
import { mapFiling } from '../../src/filings/statements/index.ts';

/** One value that a filing states, or says nothing of. */
export interface Truth {
  readonly item: string;
  readonly start: string | null;
  readonly end: string;
  /** quarters of the period; 0: a balance; null: not known */
  readonly quarters: number | null;
  /** Decimal text; null: the filing does not state the item. */
  readonly value: string | null;
  /** Other right answers; null among them: none is right too. */
  readonly accept: readonly (string | null)[];
  /** One printed line; false: made of several, or not seen in print. */
  readonly isPrinted: boolean;
  /** How far a right value may be off: rounding of a schedule, or of a sum. */
  readonly tolerance: number;
}

export interface Case {
  readonly set: 'inline' | 'schedules' | 'labels';
  /** Years of the filings of one kind of print. */
  readonly era: string;
  readonly name: string;
  /** Misses are not listed, so that nobody makes rules for them. */
  readonly held: boolean;
  readonly filing: Filing;
  /** As the header of the submission states them. */
  readonly report: { formType: string; periodEnd: string | null; fiscalYearEnd: string | null };
  readonly truths: readonly Truth[];
  /** The filer's name on the cover of a joint report */
  readonly company?: string | undefined;
  /** `placeOf` each number that is tagged on the page, whatever its concept and members; empty: there are no tags. */
  readonly tagged: ReadonlySet<string>;
}

/** A number of a period, without its sign. */
export const placeOf = (start: string | null, end: string, value: string): string =>
  `${start ?? ''}/${end} ${Math.abs(Number(value))}`;

const TAGS = /<\/?ix:(?!header\b)[A-Za-z]+\b[^>]*>/gi;
const HEADERS = /<ix:header\b[\s\S]*?<\/ix:header\s*>/gi;

/** An inline page as it was printed: no tags, no header. */
export const withoutTags = (page: string): string => page.replace(HEADERS, '').replace(TAGS, '');

const unpacked = (path: string): string =>
  path.endsWith('.xz')
    ? execFileSync('xz', ['-dc', path], { maxBuffer: 1 << 28 }).toString()
    : decodeText(path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)).text;

const DAY = 86_400_000;
/** 13 weeks are a quarter; a year of 53 weeks has four. */
export const quartersOf = (start: string, end: string): number =>
  Math.round((Date.parse(end) - Date.parse(start) + DAY) / DAY / 91.3);
const NAMED: Readonly<Record<string, number>> = { Q1: 1, Q2: 1, Q3: 1, Q4: 1, H1: 2, '9M': 3, FY: 4 };
export const lengthOf = ({ statement, fiscal_period, period_start, period_end }: Row): number | null =>
  statement === 'balance' || statement === 'cover'
    ? 0
    : typeof period_start === 'string'
      ? quartersOf(period_start, String(period_end))
      : (NAMED[String(fiscal_period)] ?? null);

/** The company that a file is of, by the beginning of its name; half of the companies are held back. */
function isHeld(name: string): boolean {
  const company = /^[a-z]+/i.exec(name)?.[0] ?? name;
  return createHash('sha256').update(company.toLowerCase()).digest()[0]! % 2 === 0;
}

const filingOf = (formType: string | null, documents: FilingDocument[], filingDate: string | null = null): Filing => ({
  accessionNumber: null,
  filingDate,
  formType,
  documents,
});

interface Label {
  file: string;
  item: string;
  fiscal_period: string;
  period_start?: string | null;
  period_end: string;
  value?: string | null;
  absent?: boolean;
  dash?: boolean;
  method?: string;
  accept?: (string | null)[];
  form?: string;
}

/** A total that a reader adds up may be off by the rounding of its parts. */
const OF_SUMS = 0.0005;

function truthOfLabel(label: Label): Truth {
  const isAbsent = label.absent === true;
  const value = isAbsent ? null : (label.value ?? null);
  const isMade = label.method === 'derived' || label.method === 'same';
  return {
    item: label.item,
    start: label.period_start ?? null,
    end: label.period_end,
    quarters:
      typeof label.period_start === 'string'
        ? quartersOf(label.period_start, label.period_end)
        : isAbsent || label.period_start === undefined
          ? null
          : 0,
    value,
    accept: [...(label.accept ?? []), ...(label.dash === true ? [null] : [])],
    isPrinted: value !== null && !isMade && label.dash !== true && !(label.accept ?? []).includes(null),
    tolerance: label.method === 'derived' ? Math.abs(Number(value)) * OF_SUMS : 0,
  };
}

const keyOf = ({ item, end, quarters }: Truth): string => `${item} ${end} ${quarters}`;

const rowsIn = <Kind>(file: string): Kind[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Kind);

const labelsIn = (file: string): Map<string, Label[]> =>
  existsSync(file) ? Map.groupBy(rowsIn<Label>(file), (label) => basename(label.file)) : new Map();

/** Rows of fundamentals as truth. */
function truthsOfRows(rows: readonly Row[], ofRow: (row: Row) => Partial<Truth>): Truth[] {
  return rows.map((row) => ({
    item: String(row.item),
    start: row.period_start as string | null,
    end: String(row.period_end),
    quarters: row.value === null ? null : lengthOf(row),
    value: row.value as string | null,
    accept: [],
    isPrinted: row.value !== null && row.method === 'reported',
    tolerance: row.value !== null && row.method !== 'reported' ? Math.abs(Number(row.value)) * OF_SUMS : 0,
    ...ofRow(row),
  }));
}

const rowsOf = (filing: Filing, table: string): Row[] =>
  [...mapFiling(filing, new Set([table]))].flatMap((mapped) =>
    mapped.table === table && (mapped.row.registrant ?? '') === '' ? [mapped.row] : [],
  );

/** Inline pages with statements. A label of hand stands before a tag. */
function inlinePages(folder: string, labels: ReadonlyMap<string, Label[]>): Case[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => /\.htm\.xz$/.test(file));
  return files.sort().flatMap((file): Case[] => {
    const name = file.slice(0, -'.xz'.length);
    const page = unpacked(join(folder, file));
    const facts = [...mapFiling(filingOf(null, [{ name, type: null, text: () => page }]), new Set(['xbrl_facts']))];
    const cover = (concept: string) =>
      facts.find(({ row }) => row.concept === `dei:${concept}` && row.dimensions === '{}')?.row.value as
        | string
        | undefined;
    const formType = cover('DocumentType')?.toUpperCase() ?? '';
    if (!/^(10-[KQ]T?|20-F|40-F)/.test(formType)) return [];
    const tagged = filingOf(formType, [{ name, type: null, text: () => page }]);
    const rows = rowsOf(tagged, 'fundamentals');
    if (rows.length === 0) return [];
    const byHand = (labels.get(name) ?? []).map(truthOfLabel);
    const known = new Set(byHand.map(keyOf));
    const absent = new Set(byHand.filter(({ value }) => value === null).map(({ item }) => item));
    const tags = truthsOfRows(rows, () => ({})).filter(
      (one) =>
        !known.has(keyOf(one)) &&
        !absent.has(one.item) &&
        !(one.value === null && byHand.some(({ item }) => item === one.item)),
    );
    const own = rowsOf(tagged, 'fiscal_periods').find(({ source }) => source === 'cover');
    const printed = withoutTags(page);
    const yearEnd = /^--(\d\d)-(\d\d)$/.exec(cover('CurrentFiscalYearEndDate') ?? '');
    return [
      {
        set: 'inline',
        era: '2019-2026',
        name,
        held: isHeld(name),
        filing: filingOf(formType, [{ name, type: formType, text: () => printed }]),
        report: {
          formType,
          periodEnd: (own?.period_end as string | undefined) ?? cover('DocumentPeriodEndDate') ?? null,
          fiscalYearEnd: yearEnd === null ? null : `${yearEnd[1]}${yearEnd[2]}`,
        },
        truths: [...byHand, ...tags],
        company: cover('EntityRegistrantName'),
        tagged: new Set(
          facts.flatMap(({ row }) =>
            row.unit === null || row.value === null || row.period_end === null
              ? []
              : [placeOf(row.period_start as string | null, String(row.period_end), String(row.value))],
          ),
        ),
      },
    ];
  });
}

const SCHEDULE = /^EX-27/i;

const textsOf = (documents: readonly SubmissionDocument[]): FilingDocument[] =>
  documents
    .filter(({ kind }) => kind === 'text')
    .map((document, k) => ({
      name: document.filename ?? String(k + 1),
      type: document.type,
      text: () => decodeText(document.read()).text,
    }));
const pagesOf = (documents: readonly SubmissionDocument[]): FilingDocument[] =>
  textsOf(documents).filter(({ type }) => !SCHEDULE.test(type ?? ''));

/** Whether a number is printed in a text, by any usual scale. */
function isIn(text: string, value: string): boolean {
  const amount = Math.abs(Number(value));
  if (!Number.isInteger(amount) || amount < 1000) {
    const digits = amount.toFixed(2).replace(/^0/, '');
    return text.includes(digits) || (Number.isInteger(amount) && text.includes(String(amount)));
  }
  const forms = [1, 1e3, 1e6].flatMap((scale) => [Math.round(amount / scale), Math.round(amount / scale / 0.1) / 10]);
  return forms.some(
    (each) =>
      each >= 10 &&
      new RegExp(`(?<![\\d,.])${each.toLocaleString('en-US').replaceAll('.', '\\.')}(?![\\d,])`).test(text),
  );
}

/** Schedules that are mistaken: their pages, looked at, say something else in each column and sum. */
const MISTAKEN: ReadonlySet<string> = new Set([
  // Total liabilities in place of current ones.
  '0000320193-98-000006.txt current_liabilities',
  '0000320193-98-000008.txt current_liabilities',
  // A slip of a digit: 81,490 for 81,499.
  '0001047469-98-012291.txt total_assets',
]);

/** Typewritten filings with a schedule: what it states and the pages print. */
function schedules(folder: string): Case[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((file): Case[] => {
      const bytes = file.endsWith('.gz')
        ? gunzipSync(readFileSync(join(folder, file)))
        : readFileSync(join(folder, file));
      if (!bytes.includes('<TYPE>EX-27')) return [];
      const submission = readSubmission(bytes);
      const texts = textsOf(submission.documents);
      const whole = {
        ...filingOf(submission.formType, texts, submission.filingDate),
        accessionNumber: submission.accessionNumber,
      };
      const rows = rowsOf(whole, 'fundamentals').filter(
        ({ item, value }) => value !== null && !MISTAKEN.has(`${file.replace(/\.gz$/, '')} ${item}`),
      );
      if (rows.length === 0) return [];
      const pages = pagesOf(submission.documents);
      const text = pages.map((page) => page.text()).join('\n');
      const fiscalYearEnd =
        submission.parties
          .map((party) => (party as { fiscal_year_end?: string | null }).fiscal_year_end)
          .find((one) => one) ?? null;
      return [
        {
          set: 'schedules',
          era: '1993-2000',
          name: file.replace(/\.gz$/, ''),
          held: false,
          filing: { ...whole, documents: pages },
          report: { formType: submission.formType, periodEnd: submission.reportDate, fiscalYearEnd },
          tagged: new Set(),
          truths: truthsOfRows(rows, ({ value, decimals, method }) => {
            const half = decimals === null || !Number.isInteger(Number(decimals)) ? 0 : 0.5 * 10 ** -Number(decimals);
            const made = method === 'reported' ? 0 : Math.abs(Number(value)) * OF_SUMS;
            return { isPrinted: isIn(text, String(value)), tolerance: Math.max(half, made) };
          }),
        },
      ];
    });
}

/** Filings of the shared folder that somebody labelled from their print. Only 10-Ks and 10-Qs are read. */
function labelled(shared: string, folder: string): Case[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  return files.sort().flatMap((name): Case[] => {
    const own = rowsIn<Label>(join(folder, name));
    const { file, form = '' } = own[0]!;
    if (!/^10-?[KQ]/i.test(form)) return [];
    const path = [file, `${file}.gz`].map((each) => join(shared, each)).find((each) => existsSync(each));
    if (path === undefined) throw new Error(`${name} has labels of ${file}, which is not there`);
    const bytes = path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
    const submission = file.includes('full-submissions') ? readSubmission(bytes) : null;
    const documents: FilingDocument[] =
      submission === null
        ? [{ name: basename(file, '.gz'), type: form, text: () => decodeText(bytes).text }]
        : pagesOf(submission.documents);
    const year = Math.max(...own.map(({ period_end }) => Number(String(period_end).slice(0, 4)) || 0));
    return [
      {
        set: 'labels',
        era: year <= 2000 ? '1993-2000' : year <= 2010 ? '2001-2010' : '2011-2019',
        name: name.replace('.jsonl', ''),
        held: true,
        filing: filingOf(submission?.formType ?? form, documents),
        report: {
          formType: submission?.formType ?? form,
          periodEnd: submission?.reportDate ?? null,
          fiscalYearEnd: null,
        },
        truths: own.map(truthOfLabel),
        tagged: new Set(),
      },
    ];
  });
}

/** @param shared folder of real filings. @param byHand folder of labelled pages, if there is one */
export function corpus(shared: string, byHand: string | null): Case[] {
  const labels = labelsIn(join(shared, 'fundamentals', 'labels.jsonl'));
  const kinds = labelsIn(join(shared, 'fundamentals', 'kinds', 'labels.jsonl'));
  return [
    ...inlinePages(join(shared, 'xbrl', 'inline'), labels),
    ...inlinePages(join(shared, 'fundamentals', 'kinds', 'documents'), kinds),
    ...schedules(join(shared, 'edgar', 'full-submissions')),
    ...(byHand === null ? [] : labelled(shared, byHand)),
  ];
}
