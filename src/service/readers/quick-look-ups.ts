/**
 * Look-ups on the main thread: a few records by a number or a narrow filter cost less than a message to another thread. Each has a
 * limit of work. Larger look-ups go to a reader thread.
 */
import type { OperationName, ParametersOf } from '../../filings/api/index.ts';
import type { Outcome } from '../answers/outcome.ts';
import type { Catalog, CatalogQueries } from '../catalog/index.ts';
import { document } from '../operations/document.ts';
import { entityLookup } from '../operations/entity-lookup.ts';
import { filingInfo } from '../operations/filing-info.ts';
import { filingLookup } from '../operations/filing-lookup.ts';
import type { OperationContext, ReaderOperation } from '../operations/operation.ts';
import { NeedsLane } from '../operations/work-limits.ts';
import { TooManyRows, type WorkBudget } from './work-budget.ts';

/** Maximum position in a list. Positions before the window are read too. */
const TO_MAX = 100;
/** Maximum values of a filter that an index answers. */
const VALUES_MAX = 10;
/** Maximum calls of `spend`, one for about 16 rows that the catalog reads: some milliseconds. */
const ROW_CALLS_MAX = 1_500;
/** Larger documents take longer than the way to another thread and back. */
const DOCUMENT_BYTES_MAX = 256 * 1024;
/** One unit of work is about as much as a record by its number: some 50 µs. */
const UNITS_OF_A_LOOK_UP = 4;
const ROW_CALLS_A_UNIT = 32;
const BYTES_A_UNIT = 8 * 1024;
/** Work of one turn of the event loop: some milliseconds. Reader threads do what is beyond it, where the keys take turns. */
const UNITS_A_TURN = 64;
/** A catalog that is not in memory: the main thread must not wait for its disk. For this time reader threads do it. */
const PAUSE_AFTER_DISK_READS_MS = 250;
/** Only slower look-ups are examined: to read the system's counter costs as much as a small look-up. */
const SLOW_MS = 3;
/** Filters that are remembered as too broad. */
const BROAD_MAX = 1_000;

const OPERATIONS = { filing_info: filingInfo, filing_lookup: filingLookup, entity_lookup: entityLookup, document };
export type QuickOperation = keyof typeof OPERATIONS;

export function isQuick(name: OperationName): name is QuickOperation {
  return Object.hasOwn(OPERATIONS, name);
}

export interface QuickRequest<Name extends QuickOperation = QuickOperation> {
  operation: Name;
  parameters: ParametersOf<Name>;
}

/** A catalog whose reads can share a transaction. */
type HeldCatalog = CatalogQueries & Pick<Catalog, 'holdSnapshot'>;

export class QuickLookUps {
  readonly #store: HeldCatalog;
  readonly #budget: WorkBudget;
  readonly #context: OperationContext;
  /** Filters that turned out to be too broad, the latest last */
  readonly #broad = new Set<string>();
  /** Work that is left for this turn of the event loop */
  #units = UNITS_A_TURN;
  readonly #diskReads: () => number;
  #diskReadsBefore: number;
  #onThreadsUntil = 0;

  /** @param store `neverWait`, and the budget's `spend` as its `stillWanted` @param diskReads of this process */
  constructor(
    store: HeldCatalog,
    budget: WorkBudget,
    maxResponseBytes: number,
    diskReads: () => number = () => process.resourceUsage().fsRead,
  ) {
    this.#diskReads = diskReads;
    this.#diskReadsBefore = diskReads();
    this.#store = store;
    this.#budget = budget;
    this.#context = {
      store,
      maxResponseBytes,
      accept: undefined,
      takesZstd: false,
      ifNoneMatch: undefined,
      headOnly: false,
      requireLaneFor: (bytes) => {
        if (bytes > DOCUMENT_BYTES_MAX) throw new NeedsLane('short');
      },
    };
  }

  /** The answer is JSON. Null: a reader thread must answer, or say what is wrong. */
  answer(request: QuickRequest): Outcome | null {
    const startedAt = performance.now();
    if (this.#units <= 0 || startedAt < this.#onThreadsUntil || !isNarrow(request)) return null;
    if (this.#broad.size > 0 && this.#broad.has(filterOf(request))) return null;
    const operation = OPERATIONS[request.operation] as ReaderOperation<QuickOperation>;
    let outcome: Outcome | null = null;
    try {
      if (this.#units === UNITS_A_TURN) this.#beginTurn();
      outcome = this.#budget.within(ROW_CALLS_MAX, () => operation.answer(request.parameters, this.#context));
    } catch (error) {
      // Any other error occurs again on the reader thread, which reports it.
      if (error instanceof TooManyRows) this.#rememberBroad(filterOf(request));
    }
    this.#spend(request.operation, outcome?.size ?? 0);
    if (performance.now() - startedAt > SLOW_MS) this.#pauseAfterDiskReads();
    return outcome;
  }

  #beginTurn(): void {
    const release = this.#store.holdSnapshot();
    setImmediate(() => {
      this.#units = UNITS_A_TURN;
      release();
    });
  }

  #spend(operation: QuickOperation, bytes: number): void {
    const ofLookUp = operation === 'filing_info' ? 1 : UNITS_OF_A_LOOK_UP;
    this.#units -= ofLookUp + this.#budget.spent / ROW_CALLS_A_UNIT + bytes / BYTES_A_UNIT;
  }

  #pauseAfterDiskReads(): void {
    const reads = this.#diskReads();
    if (reads > this.#diskReadsBefore) this.#onThreadsUntil = performance.now() + PAUSE_AFTER_DISK_READS_MS;
    this.#diskReadsBefore = reads;
  }

  #rememberBroad(filter: string): void {
    if (this.#broad.size >= BROAD_MAX) this.#broad.delete(this.#broad.values().next().value!);
    this.#broad.add(filter);
  }
}

/** Whether an index finds the records, in their order. The row budget can't limit sorts, nor sets that SQLite makes before the first row. */
function isNarrow({ operation, parameters }: QuickRequest): boolean {
  switch (operation) {
    case 'filing_info':
      return true;
    case 'document':
      return (parameters as ParametersOf<'document'>).output_format !== 'json';
    case 'entity_lookup':
      return isNarrowEntity(parameters as ParametersOf<'entity_lookup'>);
    case 'filing_lookup':
      return isNarrowFiling(parameters as ParametersOf<'filing_lookup'>);
  }
}

function isNarrowEntity(parameters: ParametersOf<'entity_lookup'>): boolean {
  const { ciks, tickers, from: _, to = TO_MAX, api_key: __, ...others } = parameters;
  const isFiltered = ciks !== undefined || tickers !== undefined;
  return isFiltered && isShort(ciks) && isShort(tickers) && to <= TO_MAX && isEmpty(others);
}

function isNarrowFiling(parameters: ParametersOf<'filing_lookup'>): boolean {
  const { entity_query, form_types, date_from, date_to, from: _, to, api_key: __, ...others } = parameters;
  const { sort_by = 'filing_date', sort_order: ___, exclude_amendments: ____, ...unbounded } = others;
  const isSorted = sort_by === 'filing_date' || sort_by === 'acceptance_date_time';
  if (to === undefined || to > TO_MAX || !isSorted || !isEmpty(unbounded) || !isShort(form_types)) return false;
  if (entity_query !== undefined) return isNarrowEntity(entity_query as ParametersOf<'entity_lookup'>);
  return form_types !== undefined || date_from !== undefined || date_to !== undefined;
}

function isShort(values: readonly unknown[] | undefined): boolean {
  return values === undefined || values.length <= VALUES_MAX;
}

function isEmpty(members: object): boolean {
  for (const _ in members) return false;
  return true;
}

/** The request without its window. */
function filterOf({ operation, parameters }: QuickRequest): string {
  const { api_key: _, from: __, to: ___, ...filter } = parameters as ParametersOf<'filing_lookup'>;
  return `${operation} ${JSON.stringify(filter)}`;
}
