/** A scenario from a seed: a service, definitions of exports, and what happens in which order. Plain data: a replay needs the seed and the day. */
import { Random } from '../../../src/cli/sample/companies/random.ts';
import { type Dialect, type Fault, PLAIN, type Refusal, type Spelling } from './fuzz-service.ts';
import type { Kill } from './run-alone.ts';
import { accessionOf, CHANGES, type Change, type ChangeKind } from './world.ts';

/** Members of a definition's YAML, but name and service. */
export interface Choice {
  name: string;
  select: Record<string, unknown>;
  tables: readonly string[];
  documents?: Record<string, unknown>;
  sections?: { codes: readonly string[] };
  text_format?: 'markdown';
  refresh?: '30d' | 'all';
  entities?: { refresh: string };
  /** Numbers and CIKs of the selection are in a file. */
  listed?: 'txt' | 'csv';
  service: { connections: number; page_size?: number; method?: 'post' };
}

export type Beside = 'compact' | 'repair' | 'vacuum' | 'export';

export type Step =
  | { do: 'change'; change: Change }
  | {
      do: 'run';
      /** Of the scenario's choices. */
      choice: number;
      /** `--refresh` */
      refresh: boolean;
      faults: readonly Fault[];
      /** Before the answer to the nth request of the run. */
      during: readonly { request: number; change: Change }[];
      kills: readonly Kill[];
      history: number | null;
      batchMs: number;
      /** Batches that are fetched at the same time. */
      fetchers: number;
      /** They take turns with its activities, as the worker of `export` beside one of `up` does. */
      workers: number;
      beside: Beside | null;
      /** Of the export beside it. */
      other: number;
    }
  /** Of the choice's failures, if it has any. */
  | { do: 'retry'; choice: number }
  | { do: 'compact' | 'repair' | 'vacuum' }
  | { do: 'wait'; days: number };

export interface Scenario {
  seed: number;
  today: string;
  filings: number;
  dialect: Dialect;
  /** By a Temporal server and a worker's process; else in the fuzz's own process. */
  on_temporal: boolean;
  /** At the end each definition runs with `--refresh`. */
  refresh_at_end: boolean;
  choices: readonly Choice[];
  steps: readonly Step[];
}

const TABLES = [
  'entities',
  'parties',
  'documents',
  'sections',
  'section_contents',
  'items_8k',
  'exhibits_8k',
  'document_contents',
  'annual_report_sections',
];
export const OF_FORMS = ['ownership_reports', 'ownership_transactions', 'form_problems'] as const;
const OF_DOCUMENTS = new Set(['documents', 'document_contents']);
const ACTIVITIES = [
  'openRun',
  'readWindows',
  'planWindows',
  'fetchBatch',
  'commitBatches',
  'fetchEntities',
  'finishRun',
];
const OPERATIONS = ['filing_info', 'filing_sections', 'document', 'filing_lookup'];
const REFUSALS: readonly Refusal[] = [404, 404, 422, 500, 'broken', 'page'];

/** Of seeds. */
const TEMPORAL_EVERY = 10;

export function scenarioOf(seed: number, today: string): Scenario {
  const random = new Random(seed, 'fuzz');
  const more = new Random(seed, 'more');
  const shards = new Random(seed, 'shards');
  const joints = new Random(seed, 'joints');
  const foreign = new Random(seed, 'foreign');
  const filings = random.weighted([
    [random.int(3, 12), 4],
    [random.int(12, 36), 4],
    [50, 1],
    [100, 0.3],
  ] as const);
  const dialect = { ...dialectOf(random), etags: more.chance(0.75), ...spellingsOf(joints) };
  const choices: Choice[] = [choiceOf(random, filings, 'd0')];
  const steps: Step[] = [];
  let salt = 0;
  let newest = filings;
  const change = (): Change => {
    const kind: ChangeKind = random.chance(0.2) ? 'new' : random.pick(CHANGES);
    const n = kind === 'new' ? ++newest : random.int(1, newest);
    return { change: kind, n, salt: ++salt * 7 + random.int(0, 6) };
  };
  const runs = random.int(2, 4);
  for (let run = 0; run < runs; run++) {
    if (run > 0) {
      for (let i = random.int(1, 4); i > 0; i--) steps.push({ do: 'change', change: change() });
      if (random.chance(0.25)) steps.push({ do: random.pick(['compact', 'vacuum', 'repair'] as const) });
      if (random.chance(0.2)) steps.push({ do: 'wait', days: random.pick([1, 3, 31, 61]) });
      if (joints.chance(0.3)) steps.push({ do: 'retry', choice: joints.int(0, choices.length - 1) });
    }
    const isOther = run > 0 && random.chance(0.5);
    if (isOther)
      choices.push(
        random.chance(0.7)
          ? changedChoice(random, filings, random.pick(choices))
          : choiceOf(random, filings, `d${choices.length}`),
      );
    const isCalm = random.chance(0.3);
    const moved = !isCalm && joints.chance(0.3) ? movedApart(joints, newest, () => ++salt * 7) : [];
    const beside =
      !isCalm && random.chance(0.2) ? random.pick(['compact', 'repair', 'vacuum', 'export'] as const) : null;
    steps.push({
      do: 'run',
      choice: isOther ? choices.length - 1 : random.int(0, choices.length - 1),
      refresh: more.chance(0.15),
      faults: isCalm
        ? []
        : [
            ...some(random, [0, 0, 1, 2], () => faultOf(random, newest)),
            ...some(joints, [0, 0, 1], () => cutOf(joints, newest)),
          ],
      during: [
        ...(isCalm ? [] : some(random, [0, 0, 0, 1, 2], () => ({ request: random.int(1, 40), change: change() }))),
        ...moved,
      ],
      kills: isCalm ? [] : some(random, [0, 0, 1, 2], () => killOf(random)),
      history: random.chance(0.3) ? random.int(2, 9) : null,
      batchMs: random.chance(0.5) ? 0 : 7_000,
      fetchers: shards.chance(0.4) ? shards.int(2, 5) : 1,
      workers: joints.chance(0.2) ? 2 : 1,
      beside,
      other: random.int(0, choices.length - 1),
    });
  }
  const on_temporal = seed % TEMPORAL_EVERY === 0;
  const given = {
    refresh_at_end: more.chance(0.35),
    choices: choices.map((choice) => withFormat(joints, withMore(more, choice))),
  };
  if (dialect.documents === 'named' && more.chance(0.15)) dialect.documents = 'first';
  if (foreign.chance(0.35)) dialect.annual_20f = foreign.chance(0.7) ? 'sections' : 'none';
  return {
    seed,
    today,
    filings,
    dialect,
    on_temporal,
    ...given,
    steps: on_temporal ? inRealTime(steps) : steps,
  };
}

/** What may stand in any definition. */
function withMore(random: Random, choice: Choice): Choice {
  const { select, tables } = choice;
  const isListed = (select.accession_numbers ?? select.entity_query) !== undefined && random.chance(0.5);
  return {
    ...choice,
    tables: random.chance(0.35) ? [...tables, ...OF_FORMS.slice(0, random.int(1, 3))] : tables,
    ...(random.chance(0.15) ? { refresh: random.pick(['30d', 'all'] as const) } : {}),
    ...(tables.includes('entities') && random.chance(0.4)
      ? { entities: { refresh: random.pick(['1d', '30d', 'never']) } }
      : {}),
    ...(isListed ? { listed: random.pick(['txt', 'csv'] as const) } : {}),
  };
}

/** Texts have one format in a lake: definitions change theirs, and contradict each other. */
function withFormat(random: Random, choice: Choice): Choice {
  const isNothing = random.chance(0.06);
  const nothing = [
    { form_types: ['20-F'] },
    { entity_query: { ciks: ['999'] } },
    { accession_numbers: [accessionOf(999_000)] },
  ];
  const format = random.chance(0.3) ? { text_format: 'markdown' as const } : {};
  if (!isNothing) return { ...choice, ...format };
  const select = random.pick(nothing);
  const { listed, ...others } = choice;
  const hasList = listed !== undefined && !('form_types' in select);
  return { ...others, ...format, select, ...(hasList ? { listed } : {}) };
}

function spellingsOf(random: Random): Pick<Dialect, 'codes' | 'measures'> {
  const spelling = (): Spelling => random.pick(['code', 'item', 'shouted', 'small', 'titled'] as const);
  const how = random.weighted([
    ['plain', 5],
    ['spelled', 4],
    ['named', 1],
  ] as const);
  const codes = {
    plain: { info: 'code', sections: 'code' } as const,
    spelled: { info: spelling(), sections: spelling() },
    named: { info: 'named', sections: 'named' } as const,
  }[how];
  return { codes, measures: random.pick(['all', 'all', 'size', 'none'] as const) };
}

/** While pages are read, one filing gets the newest date of all, and another one the oldest. */
function movedApart(random: Random, newest: number, salt: () => number): { request: number; change: Change }[] {
  const request = random.int(2, 6);
  const n = random.int(1, newest);
  const moved = (change: 'date-new' | 'date-old', n: number) => ({ request, change: { change, n, salt: salt() } });
  return [moved('date-new', n), moved('date-old', n === newest ? 1 : n + 1)];
}

function cutOf(random: Random, newest: number): Fault {
  const times = random.chance(0.5) ? 1 : null;
  return { fault: 'cut', n: random.int(1, newest), how: random.pick(['cut', 'empty', 'told'] as const), times };
}

/** Nothing skips time: no waits of days, one kill a run, and no operation that keeps failing. */
function inRealTime(steps: readonly Step[]): Step[] {
  return steps.flatMap((step): Step[] => {
    if (step.do === 'wait') return [];
    if (step.do !== 'run') return [step];
    const faults = step.faults.map((fault) =>
      fault.fault === 'refuse' && fault.how !== 404 ? { ...fault, how: 422 as const } : fault,
    );
    return [
      {
        ...step,
        faults: faults.filter((fault) => fault.fault !== 'refuse' || fault.operation !== 'filing_lookup'),
        kills: step.kills.slice(0, 1),
      },
    ];
  });
}

function dialectOf(random: Random): Dialect {
  if (random.chance(0.25)) return { ...PLAIN, revision: random.chance(0.5) };
  const count = random.weighted([
    ['all', 5],
    ['page', 2],
    ['absent', 2],
  ] as const);
  // A service that counts all, or says that it cut a page, may cut it.
  const truncated = random.chance(0.3) ? 'absent' : 'true';
  return {
    documents: random.weighted([
      ['named', 3],
      ['empty', 1],
      ['absent', 1],
    ] as const),
    forms: random.chance(0.75),
    sizes: random.chance(0.8),
    count,
    truncated,
    page_limit: random.chance(0.4) ? random.int(2, 23) : null,
    co_registrants: random.chance(0.12),
    revision: random.chance(0.4),
    etags: true,
    annual_20f: null,
    codes: PLAIN.codes,
    measures: PLAIN.measures,
  };
}

function choiceOf(random: Random, filings: number, name: string): Choice {
  const isFull = random.chance(0.3);
  // Many exports want documents alone: then nothing is fetched between filing_info and the documents.
  const isOfDocuments = !isFull && random.chance(0.25);
  const isWanted = (table: string) => (isOfDocuments ? OF_DOCUMENTS.has(table) : isFull || random.chance(0.4));
  const tables = TABLES.filter(isWanted);
  const choice: Choice = {
    name,
    select: selectOf(random, filings),
    tables: random.chance(0.9) || tables.length === 0 ? ['filings', ...tables] : tables,
    service: {
      connections: random.chance(0.7) ? 1 : 3,
      ...(random.chance(0.5) ? { page_size: random.int(2, 60) } : {}),
      ...(random.chance(0.1) ? { method: 'post' as const } : {}),
    },
  };
  return { ...choice, ...documentsOf(random, choice.tables), ...sectionsOf(random, choice.tables) };
}

function documentsOf(random: Random, tables: readonly string[]): Pick<Choice, 'documents'> {
  const documents: Record<string, unknown> = {};
  if (tables.includes('annual_report_sections')) documents.annual_report = true;
  if (tables.includes('document_contents')) {
    documents.types = random.pick([['primary'], ['all'], ['all'], ['exhibits'], ['EX-99*'], ['EX-13', 'primary']]);
    if (random.chance(0.4)) documents.xml = random.pick(['json', 'raw']);
    if (random.chance(0.4)) documents.text = random.chance(0.7);
    if (random.chance(tables.length <= 3 ? 0.6 : 0.3)) documents.max_bytes = random.pick([60, 90, 200, 500]);
  }
  if (tables.includes('documents') && random.chance(0.2)) documents.sizes = false;
  return Object.keys(documents).length > 0 ? { documents } : {};
}

function sectionsOf(random: Random, tables: readonly string[]): Pick<Choice, 'sections'> {
  const isOf = tables.includes('sections') || tables.includes('section_contents');
  if (!isOf || random.chance(0.5)) return {};
  return { sections: { codes: random.pick([['1A'], ['1', '7'], ['I-2'], ['1A', 'I-1', 'I-2']]) } };
}

function selectOf(random: Random, filings: number): Record<string, unknown> {
  const day = (before: number) => `-${before}d`;
  const numbers = () => some(random, [1, 3, 6], () => accessionOf(random.int(1, filings + 2)));
  return random.weighted([
    [{}, 5],
    [{ form_types: random.pick([['10-K'], ['10-K', '10-Q'], ['8-K', '4'], ['10-K', '10-K/A']]) }, 2],
    [{ excluded_form_types: ['4'] }, 0.5],
    [{ exclude_amendments: true }, 0.5],
    [{ date_from: day(random.pick([30, 90, 250])) }, 1],
    [{ date_from: day(300), date_to: day(random.pick([0, 2, 25])) }, 1],
    [{ entity_query: { ciks: [...new Set(some(random, [1, 2, 3], () => String(random.int(1001, 1007))))] } }, 1],
    [{ accession_numbers: [...new Set(numbers())] }, 1],
    [{ items: ['9.01'] }, 0.3],
  ] as const);
}

/** The same export with something else chosen: its name stays, as with an edited file. */
function changedChoice(random: Random, filings: number, choice: Choice): Choice {
  const what = random.int(0, 4);
  if (what === 0) return { ...choice, select: selectOf(random, filings) };
  if (what === 1 || !choice.documents) {
    const more = random.pick(TABLES);
    const tables =
      choice.tables.includes(more) && choice.tables.length > 1
        ? choice.tables.filter((one) => one !== more)
        : [...new Set([...choice.tables, more])];
    const { documents: _documents, sections: _sections, ...rest } = choice;
    return { ...rest, tables, ...documentsOf(random, tables), ...sectionsOf(random, tables) };
  }
  if (what === 2) return { ...choice, ...documentsOf(random, choice.tables) };
  const { text = false, xml = 'json' } = choice.documents as { text?: boolean; xml?: string };
  if (what === 3) return { ...choice, documents: { ...choice.documents, text: !text } };
  return { ...choice, documents: { ...choice.documents, xml: xml === 'json' ? 'raw' : 'json' } };
}

function faultOf(random: Random, newest: number): Fault {
  const n = random.int(1, newest);
  if (random.chance(0.4))
    return { fault: 'repeat', n, instead: n === newest ? n - 1 : n + 1, other: random.chance(0.3) };
  const times = random.chance(0.5) ? random.int(1, 2) : null;
  const operation = random.pick(OPERATIONS);
  const how = random.pick(operation === 'filing_lookup' ? ([500, 'page', 'broken'] as const) : REFUSALS);
  return { fault: 'refuse', operation, n, how, times: operation === 'filing_lookup' ? random.int(1, 2) : times };
}

function killOf(random: Random): Kill {
  const activity = random.pick(ACTIVITIES);
  return { activity, nth: random.int(1, 3), operation: random.int(1, 30), after: random.chance(0.5) };
}

function some<T>(random: Random, counts: readonly number[], make: () => T): T[] {
  return Array.from({ length: random.pick(counts) }, make);
}
