/**
 * Reading one window to its end, and saying whether it was read whole. `next` says which lookup to ask, `take` is given its page. Filings, entities and the
 * hits of a full-text search are read alike: records with a key each, in an order, of which a service says how many there are.
 *
 * A window is **proven** when the unique keys found equal the count, and the count was the same after as before; where one answer holds
 * everything, that answer is both. With a service whose count is that of the page: when the pages ended in an empty one, and a second look at their edges
 * found nothing new. A count of exactly as many as a lookup reaches proves nothing: a service may count no further. Filings that arrive in between shift
 * positions: then the window is read again, a few times at most.
 *
 * What is not known of the service at first is learnt from its answers, at no cost where the first answer settles it: a selection with fewer matches than
 * fit into one page costs one request.
 */
import { MAX_WINDOW } from '../../api/index.ts';
import { MAIN_ORDER, type Order, OTHER_ORDERS } from './lookup-orders.ts';
import { newReading, type ReadingState, type ReadingStep } from './reading-state.ts';
import { missingOfWhole, shortfall } from './split-shortfall.ts';
import { type ExportWindow, type SampleRecord, splitWindow } from './windows.ts';

/** The answer of one lookup, as much as reading needs. */
export interface LookupPage {
  /** As the service said; null where it says nothing. */
  count: number | null;
  truncated: boolean;
  /** Records that came, unreadable ones included. */
  received: number;
  records: readonly SampleRecord[];
  /** Of the records that broke the contract: their key, or null where not even that could be read. */
  unreadable?: readonly (string | null)[];
}

const PASSES_MAX = 5;
const IDLE_PAGES_MAX = 3;
/** Records looked at on each side of an edge. */
const EDGE_RECORDS = 100;
/** A page that ends at a multiple of this looks like a limit that the service doesn't tell: the next page is asked for to be sure. */
const ROUND_NUMBER = 50;
const SAMPLE_MAX = 10_000;

export class WindowReading {
  readonly window: ExportWindow;
  readonly #pageSize: number;
  readonly #found: Set<string>;
  /** What counts for the proof: `found`, save after filings have vanished. */
  #proof: Set<string>;
  #sample: SampleRecord[] = [];
  readonly #otherOrders: readonly Order[];
  #state: ReadingState;

  /**
   * @param pageSize records asked for at a time, 1 to 10,000
   * @param saved with `found`: goes on where another attempt was when it said so
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

  /** For a later attempt, together with the keys found (which the pages kept so far tell). */
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

  /** @returns the keys that are new: their records are to be written */
  take(page: LookupPage): Set<string> {
    const state = this.#state;
    const [from, to] = this.#asked();
    const before = state.last_count;
    this.#learnCount(page, from);
    if (page.count !== null) state.last_count = page.count;
    // Filings have vanished: what was found before may be among them, and proves nothing any more.
    const shrunk = before !== null && page.count !== null && page.count < before;
    if (shrunk && state.count_of === 'all') this.#dropProof();
    const fresh = this.#add(page);
    const short = page.received < to - from && !page.truncated;
    state.idle_pages = short && fresh.size === 0 ? state.idle_pages + 1 : 0;

    if (state.count_of === 'all' && this.#isProvenBy(page, from, before)) this.#end(null);
    else if (state.phase === 'edges') this.#afterEdge(page, from, to, fresh.size > 0);
    else this.#afterPage(page, from, to);
    return fresh;
  }

  /** Ends the reading where it is: a page of it can't be read. What was found stays, and the window is not proven. */
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
    if (this.#sample.length < SAMPLE_MAX) this.#sample.push(...page.records.slice(0, SAMPLE_MAX - this.#sample.length));
    return fresh;
  }

  /** The positions asked for by `next`. */
  #asked(): [number, number] {
    const { phase, position, turn } = this.#state;
    if (phase !== 'edges') return [position, Math.min(position + this.#pageSize, MAX_WINDOW)];
    const edge = this.#edges()[turn]!;
    return [this.#state.edge_at ?? Math.max(0, edge - EDGE_RECORDS), Math.min(MAX_WINDOW, edge + EDGE_RECORDS)];
  }

  /** Where pages met, with the beginning and the end; those that one look shows together are one. */
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
    // Many a search counts no further than it reaches: so many may be more.
    if (count === null || count === MAX_WINDOW || this.#proof.size !== count) return false;
    const inOneAnswer = from === 0 && page.received === count;
    return inOneAnswer || before === count;
  }

  #afterPage(page: LookupPage, from: number, to: number): void {
    const state = this.#state;
    if (!state.starts.includes(from)) state.starts.push(from);
    state.position = from + page.received;
    if (state.count_of === 'all') this.#afterCountedPage(page.received);
    else if (state.count_of === 'page') this.#afterUncountedPage(page.received);
    else {
      // The first page, and its count is its length: all that there is, unless it is full, cut short, or looks like an untold limit.
      const short = page.received < to - from && !page.truncated;
      const limitLike = page.received > 0 && page.received % ROUND_NUMBER === 0;
      if (short && !limitLike) this.#end(null, page.received);
      // Nothing can be asked behind the last position: the last record again, and its count tells.
      else if (state.position >= MAX_WINDOW) state.position = MAX_WINDOW - 1;
    }
  }

  #afterUncountedPage(received: number): void {
    const state = this.#state;
    // Where filings arrive at the front faster than pages are asked for, the pages never end.
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

  #afterCountedPage(received: number): void {
    const state = this.#state;
    const matches = state.last_count ?? 0;
    const bothEndsReach = (): boolean =>
      this.#otherOrders.length > 0 && matches > MAX_WINDOW && matches <= MAX_WINDOW * 2 && this.#isOneForm();
    if (matches >= MAX_WINDOW && state.phase === 'pages' && !bothEndsReach()) this.#tooMany(matches);
    else if (received > 0 && state.position < Math.min(matches, MAX_WINDOW)) return;
    else if (matches > MAX_WINDOW) this.#nextOrder(matches);
    else this.#readAgain(matches);
  }

  /** Whether only names are left to cut by: then both ends of several orders are tried first. */
  #isOneForm(): boolean {
    const parts = splitWindow(this.window, MAX_WINDOW * 2, this.#sample);
    return (
      parts === null || parts[0]!.filter.entity_query?.name_includes !== this.window.filter.entity_query?.name_includes
    );
  }

  #nextOrder(matches: number): void {
    const state = this.#state;
    state.position = 0;
    if (state.phase === 'orders') state.turn++;
    else {
      state.phase = 'orders';
      state.turn = 0;
    }
    if (state.turn >= this.#otherOrders.length) this.#tooMany(matches);
  }

  #tooMany(matches: number | null): void {
    const parts = splitWindow(this.window, matches, this.#sample);
    if (parts !== null) this.#state.ended = { split: parts, matches };
    else this.#end('it has more matches than can be read, and can be cut no further', matches ?? undefined);
  }

  /** The pages are through and the count isn't met: arrivals shifted positions, or filings vanished. */
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
    Object.assign(this.#state, { phase: 'pages', position: 0, turn: 0, pass_gain: 0, idle_pages: 0, unidentified: 0 });
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
      // What arrived may lie beyond the old end: the pages go on from there.
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
        // What is in no part was promised all the same, with the whole.
        promised: counted + missingOfWhole(this.window, counted),
        found: this.#found.size,
        proven: why === null,
        reason: why,
      },
    };
  }
}
