/**
 * Reads one window to its end, and says whether it is complete. `next` returns the next lookup, `take` receives its page. Filings,
 * entities and the hits of a full-text search are read alike: records with a key, in an order, with a count by the service.
 *
 * A window is **proven** by the distinct records that were read, never by the number received:
 *
 * - The service counts all matches: the distinct records equal the count, the count is the same before and after, and the last page
 *   shows its end. A single answer with everything is all three.
 * - The service counts only the page, or nothing: the pages end in an empty one, and a second check of their edges finds nothing new.
 *   The distinct records are as many as the positions that were read.
 * - The first answer does not show what its count means: it is everything if it is the last page by its own members (`isLastPage`).
 *
 * A count that equals the reach of a lookup proves nothing: the service may count no further. Filings that arrive meanwhile shift
 * positions: then the window is read again, a few times at most.
 *
 * Unknown properties of the service are learned from its answers. This costs no request if the first answer is enough: a selection
 * that fits into one page costs one request.
 */
import { isLastPage, MAX_WINDOW, type PageEnd } from '../../filings/api/index.ts';
import { FoundRecords, type ListedRecord } from './found-records.ts';
import { ignoredFilter } from './ignored-filter.ts';
import { MAIN_ORDER, type Order, OTHER_ORDERS } from './lookup-orders.ts';
import { EDGE_RECORDS, edgesOf, newReading, type ReadingState, type ReadingStep } from './reading-state.ts';
import { missingOfWhole, shortfall } from './split-shortfall.ts';
import { type ExportWindow, type SampleRecord, splitWindow } from './windows.ts';

/** The members of a lookup's answer that reading needs. */
export interface LookupPage extends PageEnd {
  /** As the service stated; null if it states none. */
  count: number | null;
  records: readonly ListedRecord[];
  /** The key of each record that broke the contract; null if not even the key is readable. */
  unreadable?: readonly (string | null)[];
}

const PASSES_MAX = 5;
/** The last position of a lookup: a window with too many matches has a record there. */
const LAST_POSITION = MAX_WINDOW - 1;
const IDLE_PAGES_MAX = 3;
/** A page that comes again so often at later positions shows that the service goes no further, whatever is asked. */
const SAME_PAGES_MAX = 2;
/**
 * A page of at least this many records is followed by one that repeats its last record. If a filing disappears while another one
 * arrives, the count stays, and every later position moves by one: the record repeated is then a new one.
 */
export const OVERLAP_RECORDS_MIN = 10;
const SAMPLE_MAX = 10_000;
/** Of fewer records, most may differ by chance. */
const SAMPLE_MIN = 10;

export class WindowReading {
  readonly window: ExportWindow;
  readonly #pageSize: number;
  readonly #records: FoundRecords;
  readonly #sample: SampleRecord[] = [];
  readonly #otherOrders: readonly Order[];
  readonly #state: ReadingState;

  /**
   * @param pageSize records requested at a time, 1 to 10,000
   * @param saved with `found`: continues from another attempt's state; the keys found, and whether a readable record has each
   */
  constructor(
    window: ExportWindow,
    pageSize: number,
    saved?: { state: ReadingState; found: Iterable<readonly [string, boolean]> },
  ) {
    this.window = window;
    this.#pageSize = pageSize;
    this.#otherOrders = OTHER_ORDERS[window.of ?? 'filings'];
    // A part that shares a count is of a service that counts all matches.
    this.#state = saved?.state ?? newReading(window.share ? 'all' : 'unknown');
    this.#records = new FoundRecords(saved?.found ?? [], this.#state.proof_whole);
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

  /** Whether the next page is of the first pass: a record that it repeats has not changed since, but is listed twice. */
  get isFirstPass(): boolean {
    return this.#state.phase === 'pages' && this.#state.passes === 1;
  }

  hasFound(key: string): boolean {
    return this.#records.has(key);
  }

  /** @returns the new keys: the first record of each is to be written */
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
    if (this.#isSamePage(page, from, fresh.size)) {
      this.#end(
        `the service ignores \`from\` after its first ${this.#records.keys} records, and repeats a page of them`,
      );
      return fresh;
    }
    const short = page.received < to - from && page.truncated !== true;
    state.idle_pages = short && fresh.size === 0 ? state.idle_pages + 1 : 0;

    if (state.count_of === 'all' && this.#isProvenBy(page, from, to, before)) this.#end(null);
    else if (state.phase === 'edges') this.#afterEdge(page, from, to, fresh.size > 0);
    else this.#afterPage(page, from, to);
    return fresh;
  }

  /** Whether this page has come in place of the next ones: then no position has them. A filing of many records is no such page. */
  #isSamePage({ records, received }: LookupPage, from: number, fresh: number): boolean {
    const state = this.#state;
    const [first, last] = [records[0]?.key, records.at(-1)?.key];
    const ends = JSON.stringify([received, first, last]);
    const { last_page: before } = state;
    const isLater = before !== undefined && from > before.from && state.phase !== 'edges';
    const again = isLater && fresh === 0 && first !== last && before.ends === ends ? before.again + 1 : 0;
    state.last_page = { from, ends, again };
    return again >= SAME_PAGES_MAX;
  }

  /** Ends the reading: a page can't be read. The keys found stay, and the window is not proven. */
  giveUp(reason: string): void {
    this.#end(reason);
  }

  #add(page: LookupPage): Set<string> {
    const state = this.#state;
    const provenBefore = this.#records.proof;
    const unreadable = page.unreadable ?? [];
    const fresh = this.#records.add(
      page.records,
      unreadable.filter((key) => key !== null),
    );
    const nameOf = ({ key, variant }: ListedRecord) => (variant === undefined ? key : `${key} ${variant}`);
    const isLess = (names: Set<string>) => names.size < page.records.length;
    // Records that are all new are different ones.
    if (isLess(fresh) && isLess(new Set(page.records.map(nameOf)))) state.repeats = true;
    state.unidentified += unreadable.filter((key) => key === null).length;
    // The keys found are then not all of the proof, and the rest of it is not saved.
    if (page.records.some(({ variant }) => variant !== undefined)) state.proof_whole = false;
    state.pass_gain += this.#records.proof - provenBefore;
    // The sample is the beginning of the window.
    if (state.phase !== 'depth' && this.#sample.length < SAMPLE_MAX)
      this.#sample.push(...page.records.slice(0, SAMPLE_MAX - this.#sample.length));
    return fresh;
  }

  /** The positions of `next`. */
  #asked(): [number, number] {
    const { phase, position, turn, overlaps, edge_at } = this.#state;
    if (phase === 'depth') return [LAST_POSITION, MAX_WINDOW];
    if (phase !== 'edges') {
      const from = overlaps ? position - 1 : position;
      return [from, Math.min(from + this.#pageSize, MAX_WINDOW)];
    }
    const edge = edgesOf(this.#state)[turn]!;
    return [edge_at ?? Math.max(0, edge - EDGE_RECORDS), Math.min(MAX_WINDOW, edge + EDGE_RECORDS)];
  }

  #learnCount({ count, received }: LookupPage, from: number): void {
    const state = this.#state;
    if (count === null) {
      if (state.count_of === 'unknown') state.count_of = 'page';
    } else if (count > received) state.count_of = 'all';
    else if (state.count_of === 'unknown' && (from > 0 || count < received)) state.count_of = 'page';
  }

  #isProvenBy(page: LookupPage, from: number, to: number, before: number | null): boolean {
    const { count, received, truncated } = page;
    // Many searches count no further than they reach: there may be more.
    if (count === null || count === MAX_WINDOW || this.#records.proof !== count) return false;
    if (from === 0 && received === count && truncated !== true) return true;
    // Before the last record, a number of keys that equals the count is chance: some of them may have disappeared.
    const reachesEnd = this.#state.phase !== 'pages' || (from + received >= count && this.#showsEnd(page, from, to));
    return before === count && reachesEnd;
  }

  /**
   * A full page may be followed by others, even if the count denies it. So may one as long as the page before, since a hidden limit cuts all
   * pages alike. And so may one beyond the count, which is then wrong, or leaves out what is listed twice.
   */
  #showsEnd({ count, received, truncated }: LookupPage, from: number, to: number): boolean {
    if (received === 0) return true;
    if (count !== null && from + received > count) return false;
    return received < to - from && truncated !== true && received !== this.#state.last_received;
  }

  #afterPage(page: LookupPage, from: number, to: number): void {
    const state = this.#state;
    if (!state.starts.includes(from)) state.starts.push(from);
    const advanced = from + page.received - state.position;
    const showsEnd = this.#showsEnd(page, from, to);
    state.last_received = page.received;
    // A page that was cut short after the repeated record shows nothing new. It is requested again without that record.
    const isRepeated = state.overlaps === true && advanced <= 0 && page.truncated === true;
    state.position = Math.max(state.position, from + page.received);
    state.overlaps = !isRepeated && this.#canOverlap(page);
    if (isRepeated) return;
    if (state.count_of === 'all') this.#afterCountedPage(advanced, showsEnd);
    else if (state.count_of === 'page') this.#afterUncountedPage(page);
    else if (page.received === 0) this.#endEmpty(page);
    // The first page, and its count is its length.
    else if (isLastPage(page, to - from) && this.#records.proof + state.unidentified === page.received)
      this.#end(null, page.received);
    // No request is possible after the last position. Request the last record again: its count decides.
    else if (state.position >= MAX_WINDOW) state.position = MAX_WINDOW - 1;
  }

  /** Reading from both ends needs the last positions, and a record without a key can't be recognised. */
  #canOverlap({ received, unreadable = [] }: LookupPage): boolean {
    const { phase, count_of } = this.#state;
    const canBeRecognised = received >= OVERLAP_RECORDS_MIN && !unreadable.includes(null);
    return canBeRecognised && count_of === 'all' && phase === 'pages';
  }

  /** Some searches answer so if they ran out of time. */
  #endEmpty({ truncated }: LookupPage): void {
    this.#end(truncated === true ? 'the service gives nothing, and says that it was cut short' : null, 0);
  }

  #afterUncountedPage(page: LookupPage): void {
    const state = this.#state;
    // If filings arrive at the front faster than pages are requested, the pages never end.
    if (page.received > 0 && state.idle_pages < IDLE_PAGES_MAX) {
      if (state.position >= MAX_WINDOW) this.#tooMany(null);
    } else if (this.#records.keys === 0) this.#endEmpty(page);
    else Object.assign(state, { phase: 'edges', turn: 0, edge_at: null, edge_found: false });
  }

  /** @param advanced positions that the page added @param showsEnd whether it shows that no record follows */
  #afterCountedPage(advanced: number, showsEnd: boolean): void {
    const state = this.#state;
    const matches = state.last_count ?? 0;
    const bothEndsReach = (): boolean =>
      this.#otherOrders.length > 0 && matches > MAX_WINDOW && matches <= MAX_WINDOW * 2 && this.#isOneForm();
    if (state.exaggerated && matches >= MAX_WINDOW) {
      if (advanced > 0 && state.position < MAX_WINDOW) return;
      this.#end(this.#exaggeration(matches), matches);
    } else if (matches >= MAX_WINDOW && state.phase === 'pages' && !bothEndsReach()) {
      // A count alone is not enough: if it is wrong, empty parts would be split without end.
      if (state.position >= MAX_WINDOW) this.#tooMany(matches);
      else state.phase = 'depth';
    } else if (advanced > 0 && state.position < MAX_WINDOW && (state.position < matches || !showsEnd)) return;
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
    return `the service counts ${matches}, but has no record at position ${LAST_POSITION}: it lists ${this.#records.keys}`;
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
    const turn = state.phase === 'orders' ? state.turn + 1 : 0;
    Object.assign(state, { phase: 'orders', turn, position: 0, overlaps: false });
    if (turn >= this.#otherOrders.length) this.#tooMany(matches);
  }

  #tooMany(matches: number | null): void {
    const ignored = this.#ignored();
    if (ignored !== null) {
      this.#end(ignored, matches ?? undefined);
      return;
    }
    const parts = splitWindow(this.window, matches, this.#sample);
    if (parts !== null) this.#state.ended = { split: parts, matches };
    else this.#end('it has more matches than can be read, and can be split no further', matches ?? undefined);
  }

  /** The pages have ended and the count is not reached: arrivals shifted positions, filings disappeared, or a record is repeated. */
  #readAgain(matches: number): void {
    const state = this.#state;
    const { proof } = this.#records;
    const explained = state.unidentified > 0 && proof + state.unidentified >= matches;
    const inVain = state.passes > 1 && state.pass_gain === 0;
    // What was found in one pass is more than the count, twice: the count is wrong.
    const isMore = state.passes > 2 && proof > matches;
    if (explained || inVain || isMore || state.passes >= PASSES_MAX) {
      this.#end(`the service counts ${matches}, and ${proof} were found in ${state.passes} readings`);
      return;
    }
    if (proof > matches) this.#dropProof();
    state.passes++;
    this.#startPass();
  }

  #startPass(): void {
    const beginning = { phase: 'pages', position: 0, overlaps: false, turn: 0, idle_pages: 0 };
    Object.assign(this.#state, { ...beginning, pass_gain: 0, unidentified: 0 });
    this.#records.dropVariants();
  }

  #dropProof(): void {
    this.#records.dropProof();
    this.#state.proof_whole = false;
  }

  #afterEdge({ received, truncated }: LookupPage, from: number, to: number, foundNew: boolean): void {
    const state = this.#state;
    state.edge_found ||= foundNew;
    const at = from + received;
    if (received > 0 && at < to && (truncated === true || at < state.position)) {
      state.edge_at = at;
      return;
    }
    state.edge_at = null;
    state.turn++;
    if (state.turn < edgesOf(state).length) return;
    if (!state.edge_found) this.#end(null);
    else if (state.passes >= PASSES_MAX) this.#end(`filings kept arriving in ${state.passes} readings`);
    else {
      state.passes++;
      // The new filings may be beyond the old end: paging continues from there.
      Object.assign(state, { phase: 'pages', turn: 0, edge_found: false, idle_pages: 0 });
    }
  }

  /** @param counted by the service; absent: its last count, or, if it counts pages, the number found */
  #end(reason: string | null, counted = this.#counted()): void {
    const { count_of, unidentified, position, repeats = false } = this.#state;
    const { keys, proof } = this.#records;
    const why =
      (unidentified > 0 ? `${unidentified} records could not be read` : null) ??
      reason ??
      (this.#sample.length < SAMPLE_MIN ? null : this.#ignored()) ??
      (count_of === 'page' && (repeats || proof < position) ? 'some positions repeat records of others' : null) ??
      this.window.inexact ??
      shortfall(this.window, counted);
    // The service counts each record; those with a key that was found before are no further filings.
    const variants = why === null && count_of !== 'page' ? this.#records.variants : 0;
    this.#state.ended = {
      done: {
        // The parts lack these records, but the count of the whole includes them.
        promised: counted - variants + missingOfWhole(this.window, counted),
        found: keys,
        proven: why === null,
        reason: why,
        ...(variants > 0 ? { counted } : {}),
      },
    };
  }

  #ignored(): string | null {
    const filter = ignoredFilter(this.window, this.#sample);
    return filter === null ? null : `the service ignores ${filter}: most records of the window are others`;
  }

  #counted(): number {
    return this.#state.count_of === 'all' ? (this.#state.last_count ?? 0) : this.#records.keys;
  }
}
