/**
 * Windows: the parts into which a selection is split so that each can be read in full. No lookup reaches past position 10,000. A
 * window with more matches is split by filing date, a day by form type, and a form's day by the letters of names.
 */
import { addDays, dayNumber, dayText } from '../../core/index.ts';
import { MAX_WINDOW } from '../../filings/api/index.ts';
import { type ExportDefinition, type FilingFilters, type FulltextQuery, resolveDate } from '../definition/index.ts';
import { canonicalJson } from '../revisions/index.ts';
import { entityParts, wholeRegistry } from './entity-windows.ts';
import { cutByLetter, halvingLetter, lettersUsed, NAME_CUTS_MAX } from './split-by-name.ts';
import { type SplitShortfall, sharedOut, shortfall } from './split-shortfall.ts';

/**
 * The kind of a window: filings of filing_lookup, entities of entity_lookup, or hits of a full-text search. `numbers` is a stretch of
 * a list of accession numbers, without a lookup. `failures` are earlier failures of the export. `list` is a file of companies, which
 * is split into windows for some hundreds of them each.
 */
export type WindowOf = 'filings' | 'entities' | 'hits' | 'numbers' | 'failures' | 'list';

/** JSON, so that a workflow can pass it to an activity and back. */
export interface ExportWindow {
  /** `w`, `w-2`, `w-2-1`: the parts of a window are numbered. Unique in a run, valid in a file name. */
  id: string;
  /** Absent: filings. */
  of?: WindowOf;
  /** Filters of filing_lookup. A window of entities has only `entity_query`. */
  filter: FilingFilters;
  /** The search of a window of hits. */
  fulltext?: FulltextQuery;
  /** What the parts of a window of a list are. */
  parts?: 'filings' | 'entities' | 'hits';
  /** Positions in the list of a window of numbers or companies, the end excluded; absent: all. */
  numbers?: { from: number; to: number };
  /** The day on which the run started: the end of an open range when dates are split. */
  today: string;
  /** Why the parts of this window may miss some of its filings; null: they can't. */
  inexact: string | null;
  /** For a part whose count is added to those of the other parts; absent: nothing to add up. */
  share?: SplitShortfall;
}

/** The members of a record that reading and splitting need. */
export interface SampleRecord {
  /** Accession number, CIK, or a hit's document id */
  key: string;
  form_type: string | null;
  filing_date: string | null;
  entity_name: string | null;
}

/** The first day of EDGAR. Earlier filings, should any exist, are in the first part: it has no first date. */
const FIRST_DAY = '1993-01-01';
/** Parts are planned to be this full, since days differ. */
export const PLANNED_MATCHES = 7_000;
/** Enough for 28 million filings. */
const DATE_PARTS_MAX = 4_000;
/** Bytes of JSON of the parts of a window, about. Temporal packs large results, and takes 2 MB of them. */
const PARTS_BYTES_MAX = 1_000_000;
/** However long the filter of each is: it may name 1,000 companies. */
const LONG_PARTS_MAX = 64;
/** Of a part, besides its filter. */
const PART_BYTES = 160;
const FORMS_MAX = 900;

/** The windows of a selection; none: its relative dates are empty that day. @param today `YYYY-MM-DD`, of the run */
export function firstWindows({ select, tables }: ExportDefinition, today: string): ExportWindow[] {
  const { entities, accession_numbers, fulltext, entity_lists, ...rest } = select;
  const filter = datedFilters(rest, today);
  const plain = { today, inexact: null };
  const windows: ExportWindow[] = [];
  // Cheap ones first: a request has thousands of entities.
  const listed = (id: string, parts: NonNullable<ExportWindow['parts']>): ExportWindow => {
    return { id, of: 'list', parts, filter, ...(fulltext ? { fulltext } : {}), ...plain };
  };
  if (entities === 'query' && entity_lists) windows.push(listed('e', 'entities'));
  else if (entities === 'query') windows.push(...entityWindows(filter.entity_query, plain));
  if (!tables.includes('filings')) return windows;
  if (accession_numbers !== undefined) windows.push({ id: 'n', of: 'numbers', filter: {}, ...plain });
  else if (entity_lists && !isEmptyRange(filter)) windows.push(listed('w', fulltext ? 'hits' : 'filings'));
  else if (!isEmptyRange(filter)) {
    windows.push(fulltext ? { id: 't', of: 'hits', filter, fulltext, ...plain } : { id: 'w', filter, ...plain });
  }
  return windows;
}

/** The only window of a run that retries the failures of the export. */
export function failuresWindow(today: string): ExportWindow {
  return { id: 'f', of: 'failures', filter: {}, today, inexact: null };
}

/** Filters with calendar dates in place of relative ones. */
export function datedFilters(filters: FilingFilters, today: string): FilingFilters {
  const dated = { ...filters };
  if (filters.date_from !== undefined) dated.date_from = resolveDate(filters.date_from, today);
  if (filters.date_to !== undefined) dated.date_to = resolveDate(filters.date_to, today);
  return dated;
}

/** A range may be empty on some days, for example from a future date until today. */
export function isEmptyRange({ date_from, date_to }: FilingFilters): boolean {
  return date_from !== undefined && date_to !== undefined && date_from > date_to;
}

function entityWindows(
  query: FilingFilters['entity_query'],
  plain: Pick<ExportWindow, 'today' | 'inexact'>,
): ExportWindow[] {
  const queries = query === undefined ? wholeRegistry() : [query];
  return queries.map((entity_query, i) => ({
    id: queries.length === 1 ? 'e' : `e-${i + 1}`,
    of: 'entities',
    filter: { entity_query },
    ...plain,
  }));
}

/** The filter of a window in `export_windows`, besides its dates: its kind and the other filters, as JSON text. */
export function windowRecord(window: ExportWindow): {
  window: string;
  date_from: string | null;
  date_to: string | null;
  filter: string;
} {
  const { date_from, date_to, ...rest } = window.filter;
  return {
    window: window.id,
    date_from: date_from ?? null,
    date_to: date_to ?? null,
    filter: canonicalJson(recordedFilter(window, rest)),
  };
}

function recordedFilter(
  { of, fulltext, numbers }: ExportWindow,
  rest: Omit<FilingFilters, 'date_from' | 'date_to'>,
): unknown {
  if (of === 'entities') return { entities: rest.entity_query };
  if (of === 'hits') return { fulltext, ...rest };
  return of === 'numbers' ? { accession_numbers: numbers ?? {} } : rest;
}

/**
 * The parts of a window with more matches than can be read; null if it can't be split further.
 * @param matches their number, or null if the service states none
 * @param sample records of the window, with their forms and the letters of their names
 */
export function splitWindow(
  window: ExportWindow,
  matches: number | null,
  sample: readonly SampleRecord[],
): ExportWindow[] | null {
  const filters =
    window.of === 'entities'
      ? byEntities(window, matches, sample)
      : (byDate(window, matches, sample) ?? byForm(window, matches, sample) ?? byName(window, sample));
  if (filters === null) return null;
  const missed = matches === null ? null : shortfall(window, matches);
  const inexact = window.inexact ?? lossOfCut(window, filters[0]!, sample) ?? missed;
  const { share: _ofTheWindow, ...rest } = window;
  const parts = filters.map((filter, i): ExportWindow => ({ ...rest, id: `${window.id}-${i + 1}`, filter, inexact }));
  return matches !== null && addUp(window, filters) ? sharedOut(parts, window.id, matches) : parts;
}

/**
 * Whether the parts are disjoint: their counts add up to the window's. They don't if records have no date or no form, or if a date
 * or form changed after one part was read and before the other.
 */
function addUp({ filter, of }: ExportWindow, [first]: readonly FilingFilters[]): boolean {
  return of !== 'entities' && (first?.date_to !== filter.date_to || first?.form_types !== filter.form_types);
}

/** A filing without a date is in no range of dates, one without a name has no letters: a split would lose it. */
function lossOfCut(window: ExportWindow, part: FilingFilters, sample: readonly SampleRecord[]): string | null {
  const cutByDate = part.date_to !== window.filter.date_to || part.date_from !== window.filter.date_from;
  const isDated = window.filter.date_from !== undefined || window.filter.date_to !== undefined;
  if (cutByDate && !isDated && sample.some((filing) => filing.filing_date === null)) {
    return 'some filings have no filing date, and ranges of dates leave them out';
  }
  const cutByName = part.entity_query?.name_includes?.length !== window.filter.entity_query?.name_includes?.length;
  if (cutByName && sample.some((filing) => filing.entity_name === null)) {
    return 'some have no name, and parts by name may leave them out';
  }
  return null;
}

/**
 * Ranges of days, at least two; null for a single day. A sample in order of dates shows how many days the first 10,000 matches
 * take: they are the first part. The rest is split into equal ranges, as many as the matches need.
 */
function byDate(window: ExportWindow, matches: number | null, sample: readonly SampleRecord[]): FilingFilters[] | null {
  const { filter, today } = window;
  // The service's day may be ahead of ours.
  const first = dayNumber(filter.date_from ?? FIRST_DAY);
  const last = dayNumber(filter.date_to ?? maxDate(addDays(today, 1), filter.date_from ?? FIRST_DAY));
  if (last - first < 1) return null;
  const reached = lastDayOfSample(sample);
  const sampleFits = reached !== null && reached > first && reached <= last;
  const from = sampleFits ? reached : first;
  const left = matches === null ? null : sampleFits ? Math.max(0, matches - sample.length) : matches;
  const wanted = left === null ? 0 : Math.ceil(left / PLANNED_MATCHES);
  const days = last - from + 1;
  const parts = Math.min(Math.max(wanted, sampleFits ? 1 : 2), days, partsMax(filter));
  const begins = Array.from({ length: parts }, (_, i) => from + Math.floor((days * i) / parts));
  if (sampleFits) begins.unshift(first);
  return begins.map((begin, i) => {
    const part: FilingFilters = { ...filter };
    // Open ends stay open: nothing may be outside all parts.
    if (i > 0) part.date_from = dayText(begin);
    if (i < begins.length - 1) part.date_to = dayText(begins[i + 1]! - 1);
    return part;
  });
}

function partsMax(filter: FilingFilters): number {
  const fitting = Math.floor(PARTS_BYTES_MAX / (JSON.stringify(filter).length + PART_BYTES));
  return Math.min(DATE_PARTS_MAX, Math.max(LONG_PARTS_MAX, fitting));
}

/** The day of the last filing, if the sample is in order of dates. */
function lastDayOfSample(sample: readonly SampleRecord[]): number | null {
  let last: string | null = null;
  for (const { filing_date } of sample) {
    if (filing_date === null || (last !== null && filing_date < last)) return null;
    last = filing_date;
  }
  return last === null ? null : dayNumber(last);
}

function maxDate(a: string, b: string): string {
  return a > b ? a : b;
}

/** Groups of form types; if none were requested, also all others. Null if the window has only one form. */
function byForm(window: ExportWindow, matches: number | null, sample: readonly SampleRecord[]): FilingFilters[] | null {
  const { filter } = window;
  const seen = new Map<string, number>();
  for (const { form_type } of sample) {
    if (form_type !== null) seen.set(form_type.toUpperCase(), (seen.get(form_type.toUpperCase()) ?? 0) + 1);
  }
  const asked = filter.form_types?.length ? [...new Set(filter.form_types.map((form) => form.toUpperCase()))] : null;
  const excluded = filter.excluded_form_types ?? [];
  // A service may accept only 1,000 values a list, and must still accept the complement.
  const room = FORMS_MAX - excluded.length;
  const forms = asked ?? [...seen.keys()].sort((a, b) => seen.get(b)! - seen.get(a)!).slice(0, Math.max(0, room));
  if (forms.length === 0 || (asked !== null && asked.length === 1)) return null;

  const total = matches ?? MAX_WINDOW * 2;
  const groups = grouped(forms, (form) => ((seen.get(form) ?? 0) / Math.max(1, sample.length)) * total);
  const parts: FilingFilters[] = groups.map((form_types) => ({ ...filter, form_types }));
  if (asked === null) parts.push({ ...filter, excluded_form_types: [...new Set([...excluded, ...forms])] });
  return parts;
}

/** First fit: each group as full as planned, and at least two groups if there are two forms. */
function grouped(forms: readonly string[], matchesOf: (form: string) => number): string[][] {
  const groups: { forms: string[]; matches: number }[] = [];
  for (const form of [...forms].sort((a, b) => matchesOf(b) - matchesOf(a))) {
    const matches = matchesOf(form);
    const fitting = groups.find((group) => group.matches + matches <= PLANNED_MATCHES);
    if (fitting === undefined) groups.push({ forms: [form], matches });
    else {
      fitting.forms.push(form);
      fitting.matches += matches;
    }
  }
  if (groups.length === 1 && forms.length > 1) {
    const [only] = groups;
    const middle = Math.ceil(only!.forms.length / 2);
    return [only!.forms.slice(0, middle), only!.forms.slice(middle)];
  }
  return groups.map((group) => group.forms);
}

/** Names with a letter, and names without: every filing is in at least one. One of several parties may be in both. */
function byName(window: ExportWindow, sample: readonly SampleRecord[]): FilingFilters[] | null {
  const query = window.filter.entity_query ?? {};
  const used = lettersUsed(query);
  if (used.length >= NAME_CUTS_MAX) return null;
  const letter = halvingLetter(upperNames(sample), used);
  return letter === null
    ? null
    : cutByLetter(query, letter).map((entity_query) => ({ ...window.filter, entity_query }));
}

function byEntities(
  window: ExportWindow,
  matches: number | null,
  sample: readonly SampleRecord[],
): FilingFilters[] | null {
  const parts = entityParts(window.filter.entity_query ?? {}, matches, upperNames(sample));
  return parts?.map((entity_query) => ({ entity_query })) ?? null;
}

function upperNames(sample: readonly SampleRecord[]): string[] {
  return sample.flatMap(({ entity_name }) => (entity_name === null ? [] : [entity_name.toUpperCase()]));
}
