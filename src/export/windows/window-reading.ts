/**
 * Reads one window to its end, and says whether it is complete. `next` returns the next lookup, `take` receives its page. Filings,
 * entities and the hits of a full-text search are read alike: records with a key, in an order, with a count by the service.
 *
 * A window is **proven** if the unique keys found equal the count, and the count is the same before and after; a single answer with
 * everything is both. If a service counts only the page: if the pages end in an empty one, and a second check of their edges finds
 * nothing new. A count that equals the reach of a lookup proves nothing: the service may count no further. Filings that arrive
 * meanwhile shift positions: then the window is read again, a few times at most.
 *
 * Unknown properties of the service are learned from its answers. This costs no request if the first answer is enough: a selection
 * that fits into one page costs one request.
 */
import { MAX_WINDOW } from '../../api/index.ts';
import { ignoredFilter } from './ignored-filter.ts';
import { MAIN_ORDER, type Order, OTHER_ORDERS } from './lookup-orders.ts';
import { newReading, type ReadingState, type ReadingStep } from './reading-state.ts';
import { missingOfWhole, shortfall } from './split-shortfall.ts';
import { type ExportWindow, type SampleRecord, splitWindow } from './windows.ts';

/** The members of a lookup's answer that reading needs. */
export interface LookupPage {
  /** As the service stated; null if it states none. */
  count: number | null;
  truncated: boolean;
  /** Records received, unreadable ones included. */
  received: number;
  records: readonly SampleRecord[];
  /** The key of each record that broke the contract; null if not even the key is readable. */
  unreadable?: readonly (string | null)[];
}

const PASSES_MAX = 5;
/** The last position of a lookup: a window with too many matches has a record there. */
const LAST_POSITION = MAX_WINDOW - 1;
const IDLE_PAGES_MAX = 3;
/** Records checked on each side of an edge. */
const EDGE_RECORDS = 100;
/**
 * A page of at least this many records is followed by one that repeats its last record. If a filing disappears while another one
 * arrives, the count stays, and every later position moves by one: the record repeated is then a new one.
 */
export const OVERLAP_RECORDS_MIN = 10;
/** A page that ends at a multiple of this may be cut by a hidden limit: the next page is requested to be sure. */
const ROUND_NUMBER = 50;
const SAMPLE_MAX = 10_000;

export class WindowReading {
  readonly window: ExportWindow;
  readonly #pageSize: number;
  readonly #found: Set<string>;
  /** The keys that count for the proof: `found`, except after filings have disappeared. */
  #proof: Set<string>;
  #sample: SampleRecord[] = [];
  readonly #otherOrders: readonly Order[];
  #state: ReadingState;

  /**
   * @param pageSize records requested at a time, 1 to 10,000
   * @param saved with `found`: continues from another attempt's state
   */
  constructor(window: ExportWindow, pageSize: number, saved?: { state: ReadingState; found: Iterable<string> }) {
    this.window = window;
    this.#pageSize = pageSize;
    this.#otherOrders = OTHER_ORDERS[window.of ?? 'filings'];
    this.#found = new Set(saved?.found ?? []);
    this.#state = saved?.state ?? newReading();
    this.#proof = new Set(this.#state.proof_whole ? this.#found : []);
    if (!this.#state.proof_whole && this.#state.ended === null) this.#startPass();
  }

  /** The state for a later attempt. The keys found are in the stored pages. */
  save(): ReadingState {
    return JSON.parse(JSON.stringify(this.#state)) as ReadingState;
  }

  next(): ReadingStep {
    const state = this.#state;
    if (state.ended) return state.ended;
    const [from, to] = this.#asked();
    const order = state.phase === 'orders' ? this.#otherOrders[state.turn]! : MAIN_ORDER;
    return { ask: { ...this.window.filter, ...order, from, to } };
  }

  /** @returns the new keys: their records are to be written */
  take(page: LookupPage): Set<string> {
    const state = this.#state;
    const [from, to] = this.#asked();
    const before = state.last_count;
    this.#learnCount(page, from);
    if (page.count !== null) state.last_count = page.count;
    // Filings have disappeared: the keys found before may include them, and no longer prove anything.
    const shrunk = before !== null && page.count !== null && page.count < before;
    if (shrunk && state.count_of === 'all') this.#dropProof();
    const fresh = this.#add(page);
    if (state.phase === 'depth') {
      this.#afterDepth(page);
      return fresh;
    }
    const short = page.received < to - from && !page.truncated;
    state.idle_pages = short && fresh.size === 0 ? state.idle_pages + 1 : 0;

    if (state.count_of === 'all' && this.#isProvenBy(page, from, before)) this.#end(null);
    else if (state.phase === 'edges') this.#afterEdge(page, from, to, fresh.size > 0);
    else this.#afterPage(page, from, to);
    return fresh;
  }

  /** Ends the reading: a page can't be read. The keys found stay, and the window is not proven. */
  giveUp(reason: string): void {
    this.#end(reason);
  }

  #add(page: LookupPage): Set<string> {
    const state = this.#state;
    const fresh = new Set<string>();
    const provenBefore = this.#proof.size;
    for (const { key } of page.records) {
      if (!this.#found.has(key)) fresh.add(key);
      this.#found.add(key);
      this.#proof.add(key);
    }
    for (const subject of page.unreadable ?? []) {
      if (subject === null) state.unidentified++;
      else {
        this.#found.add(subject);
        this.#proof.add(subject);
      }
    }
    state.pass_gain += this.#proof.size - provenBefore;
    // The sample is the beginning of the window.
    if (state.phase !== 'depth' && this.#sample.length < SAMPLE_MAX)
      this.#sample.push(...page.records.slice(0, SAMPLE_MAX - this.#sample.length));
    return fresh;
  }

  /** The positions of `next`. */
  #asked(): [number, number] {
    const { phase, position, turn } = this.#state;
    if (phase === 'depth') return [LAST_POSITION, MAX_WINDOW];
    if (phase !== 'edges') {
      const from = this.#state.overlaps ? position - 1 : position;
      return [from, Math.min(from + this.#pageSize, MAX_WINDOW)];
    }
    const edge = this.#edges()[turn]!;
    return [this.#state.edge_at ?? Math.max(0, edge - EDGE_RECORDS), Math.min(MAX_WINDOW, edge + EDGE_RECORDS)];
  }

  /** The edges between pages, with the beginning and the end. Edges that one check covers are joined. */
  #edges(): number[] {
    const edges: number[] = [];
    for (const edge of [...this.#state.starts, this.#state.position].sort((a, b) => a - b)) {
      const last = edges.at(-1);
      if (last === undefined || edge - last >= EDGE_RECORDS) edges.push(edge);
    }
    return edges;
  }

  #learnCount({ count, received }: LookupPage, from: number): void {
    const state = this.#state;
    if (count === null) {
      if (state.count_of === 'unknown') state.count_of = 'page';
    } else if (count > received) state.count_of = 'all';
    else if (state.count_of === 'unknown' && (from > 0 || count < received)) state.count_of = 'page';
  }

  #isProvenBy(page: LookupPage, from: number, before: number | null): boolean {
    const { count } = page;
    // Many searches count no further than they reach: there may be more.
    if (count === null || count === MAX_WINDOW || this.#proof.size !== count) return false;
    const inOneAnswer = from === 0 && page.received === count;
    // Before the last record, a number of keys that equals the count is chance: some of them may have disappeared.
    const reachesEnd = this.#state.phase !== 'pages' || from + page.received >= count;
    return inOneAnswer || (before === count && reachesEnd);
  }

  #afterPage(page: LookupPage, from: number, to: number): void {
    const state = this.#state;
    if (!state.starts.includes(from)) state.starts.push(from);
    const advanced = from + page.received - state.position;
    // A page that was cut short after the record that it repeats says nothing: it is requested again without that record.
    const isRepeated = state.overlaps === true && advanced <= 0 && page.truncated;
    state.position = Math.max(state.position, from + page.received);
    state.overlaps = !isRepeated && this.#canOverlap(page);
    if (isRepeated) return;
    if (state.count_of === 'all') this.#afterCountedPage(advanced);
    else if (state.count_of === 'page') this.#afterUncountedPage(page.received);
    else {
      // The first page, and its count is its length: that is everything, unless it is full, cut short, or may have hit a hidden
      // limit.
      const short = page.received < to - from && !page.truncated;
      const limitLike = page.received > 0 && page.received % ROUND_NUMBER === 0;
      if (short && !limitLike) this.#end(null, page.received);
      // No request is possible after the last position. Request the last record again: its count decides.
      else if (state.position >= MAX_WINDOW) state.position = MAX_WINDOW - 1;
    }
  }

  /** Reading from both ends needs the last positions, and a record without a key can't be recognised. */
  #canOverlap({ received, unreadable = [] }: LookupPage): boolean {
    const { phase, count_of } = this.#state;
    const canBeRecognised = received >= OVERLAP_RECORDS_MIN && !unreadable.includes(null);
    return canBeRecognised && count_of === 'all' && phase === 'pages';
  }

  #afterUncountedPage(received: number): void {
    const state = this.#state;
    // If filings arrive at the front faster than pages are requested, the pages never end.
    if (received > 0 && state.idle_pages < IDLE_PAGES_MAX) {
      if (state.position >= MAX_WINDOW) this.#tooMany(null);
    } else if (this.#found.size === 0) this.#end(null);
    else {
      state.phase = 'edges';
      state.turn = 0;
      state.edge_at = null;
      state.edge_found = false;
    }
  }

  /** @param advanced positions that the page added */
  #afterCountedPage(advanced: number): void {
    const state = this.#state;
    const matches = state.last_count ?? 0;
    const bothEndsReach = (): boolean =>
      this.#otherOrders.length > 0 && matches > MAX_WINDOW && matches <= MAX_WINDOW * 2 && this.#isOneForm();
    if (state.exaggerated && matches >= MAX_WINDOW) {
      if (advanced > 0 && state.position < MAX_WINDOW) return;
      this.#end(this.#exaggeration(matches), matches);
    } else if (matches >= MAX_WINDOW && state.phase === 'pages' && !bothEndsReach()) {
      // A count alone is not believed: parts of a window that does not exist would be split without end.
      if (state.position >= MAX_WINDOW) this.#tooMany(matches);
      else state.phase = 'depth';
    } else if (advanced > 0 && state.position < Math.min(matches, MAX_WINDOW)) return;
    else if (matches > MAX_WINDOW) this.#nextOrder(matches);
    else this.#readAgain(matches);
  }

  /** The window is split if it has a record at the last position; else its count is wrong, and it is read as far as it goes. */
  #afterDepth({ received }: LookupPage): void {
    const state = this.#state;
    const matches = state.last_count ?? 0;
    state.phase = 'pages';
    if (received > 0) this.#tooMany(matches);
    else if (matches >= MAX_WINDOW) state.exaggerated = true;
  }

  #exaggeration(matches: number): string {
    return `the service counts ${matches}, but has no record at position ${LAST_POSITION}: it lists ${this.#found.size}`;
  }

  /** Whether names are the only way left to split: then both ends of several orders are tried first. */
  #isOneForm(): boolean {
    const parts = splitWindow(this.window, MAX_WINDOW * 2, this.#sample);
    return (
      parts === null || parts[0]!.filter.entity_query?.name_includes !== this.window.filter.entity_query?.name_includes
    );
  }

  #nextOrder(matches: number): void {
    const state = this.#state;
    Object.assign(state, { position: 0, overlaps: false });
    if (state.phase === 'orders') state.turn++;
    else {
      state.phase = 'orders';
      state.turn = 0;
    }
    if (state.turn >= this.#otherOrders.length) this.#tooMany(matches);
  }

  #tooMany(matches: number | null): void {
    const ignored = ignoredFilter(this.window, this.#sample);
    if (ignored !== null) {
      this.#end(`the service ignores ${ignored}: most records of the window are others`, matches ?? undefined);
      return;
    }
    const parts = splitWindow(this.window, matches, this.#sample);
    if (parts !== null) this.#state.ended = { split: parts, matches };
    else this.#end('it has more matches than can be read, and can be split no further', matches ?? undefined);
  }

  /** The pages have ended and the count is not reached: arrivals shifted positions, or filings disappeared. */
  #readAgain(matches: number): void {
    const state = this.#state;
    const explained = state.unidentified > 0 && this.#proof.size + state.unidentified >= matches;
    const inVain = state.passes > 1 && state.pass_gain === 0;
    if (explained || inVain || state.passes >= PASSES_MAX) {
      this.#end(`the service counts ${matches}, and ${this.#proof.size} were found in ${state.passes} readings`);
      return;
    }
    if (this.#proof.size > matches) this.#dropProof();
    state.passes++;
    this.#startPass();
  }

  #startPass(): void {
    const beginning = { position: 0, overlaps: false };
    Object.assign(this.#state, { phase: 'pages', ...beginning, turn: 0, pass_gain: 0, idle_pages: 0, unidentified: 0 });
  }

  #dropProof(): void {
    this.#proof = new Set();
    this.#state.proof_whole = false;
  }

  #afterEdge({ received, truncated }: LookupPage, from: number, to: number, foundNew: boolean): void {
    const state = this.#state;
    state.edge_found ||= foundNew;
    const at = from + received;
    if (received > 0 && at < to && (truncated || at < state.position)) {
      state.edge_at = at;
      return;
    }
    state.edge_at = null;
    state.turn++;
    if (state.turn < this.#edges().length) return;
    if (!state.edge_found) this.#end(null);
    else if (state.passes >= PASSES_MAX) this.#end(`filings kept arriving in ${state.passes} readings`);
    else {
      state.passes++;
      state.turn = 0;
      state.edge_found = false;
      // The new filings may be beyond the old end: paging continues from there.
      state.phase = 'pages';
      state.idle_pages = 0;
    }
  }

  #end(reason: string | null, promised?: number): void {
    const state = this.#state;
    const unidentified = state.unidentified > 0 ? `${state.unidentified} records could not be read` : null;
    const counted = promised ?? (state.count_of === 'all' ? (state.last_count ?? 0) : this.#found.size);
    const why = unidentified ?? reason ?? this.window.inexact ?? shortfall(this.window, counted);
    state.ended = {
      done: {
        // The parts lack these records, but the count of the whole includes them.
        promised: counted + missingOfWhole(this.window, counted),
        found: this.#found.size,
        proven: why === null,
        reason: why,
      },
    };
  }
}
