/**
 * Walks through the feed of current filings. Its pages change while they are read, and it ends at some 5,100 entries. So the walk
 * continues until it has seen two pages of filings that an earlier walk has seen. It counts only if it reached them.
 */
import { type CurrentFeedEntry, EdgarFileError, readCurrentFeed } from '../../filings/edgar/index.ts';
import type { EdgarHttp } from './edgar-http.ts';
import type { Ledger, PublishedFiling } from './ledger.ts';
import { FEED_PAGE_ENTRIES, FEED_START_MAX, type Places, submissionPath } from './places.ts';

export interface FeedWalk {
  filings: PublishedFiling[];
  /** It reached known pages, or the end of the feed. */
  isComplete: boolean;
  /** An earlier walk has seen filings, and this one came to the feed's end without meeting them. */
  hasGap: boolean;
}

/** Number of known pages in a row after which a walk ends. One may be known by chance, since pages move. */
const KNOWN_PAGES = 2;
/** A damaged page takes only some seconds of a walk. The next walk reads it again. */
const RETRIES = 2;
/** How often a damaged page is requested again. */
const TRIES_MAX = 3;

interface WalkOptions {
  http: EdgarHttp;
  places: Places;
  ledger: Ledger;
  signal?: AbortSignal | undefined;
}

/** @throws FilinglakeError of EDGAR's hosts at the first page; later ones end the walk as not complete */
export async function walkFeed(options: WalkOptions): Promise<FeedWalk> {
  const { ledger } = options;
  const seen = ledger.db.prepare('SELECT in_feed FROM filings WHERE accession_number = ?');
  const isKnown = (accession: string) => (seen.get(accession) as { in_feed: number } | undefined)?.in_feed === 1;
  const isFirst = ledger.db.prepare('SELECT 1 FROM filings WHERE in_feed = 1 LIMIT 1').get() === undefined;
  const byNumber = new Map<string, CurrentFeedEntry>();
  let knownPages = 0;
  let hasMet = false;
  let wasShort = false;
  for (let start = 0; start <= FEED_START_MAX; start += FEED_PAGE_ENTRIES) {
    const entries = await readPage(options, start, wasShort ? 0 : RETRIES);
    // After a page that was not full, EDGAR has nothing, or refuses the request: the feed ends there.
    if (wasShort && (entries === null || entries.length === 0)) break;
    if (entries === null) {
      return { filings: [...byNumber.values()].map(publishedFiling), isComplete: false, hasGap: false };
    }
    const known = entries.filter(({ accessionNumber }) => isKnown(accessionNumber)).length;
    if (known > 0) hasMet = true;
    for (const entry of entries) if (!byNumber.has(entry.accessionNumber)) byNumber.set(entry.accessionNumber, entry);
    knownPages = known > 0 && known === entries.length ? knownPages + 1 : 0;
    // A page that is not full is the feed's last, or a fault. The page after it shows which.
    wasShort = entries.length < FEED_PAGE_ENTRIES;
    if (knownPages >= KNOWN_PAGES || (wasShort && hasMet)) break;
  }
  return complete(byNumber, !isFirst && !hasMet);
}

function complete(byNumber: ReadonlyMap<string, CurrentFeedEntry>, hasGap: boolean): FeedWalk {
  return { filings: [...byNumber.values()].map(publishedFiling), isComplete: true, hasGap };
}

/** Null: the page could not be read, and the walk ends. */
async function readPage(
  { http, places, signal }: WalkOptions,
  start: number,
  retries: number,
): Promise<CurrentFeedEntry[] | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const answer = await http
      .get(places.feedPage(start), { signal, ...(start === 0 ? {} : { retries }) })
      .catch((error) => {
        signal?.throwIfAborted();
        if (start === 0 || (error as { code?: string }).code !== 'edgar-unreachable') throw error;
        return null;
      });
    if (answer === null) return null;
    if (answer.kind !== 'file') continue;
    try {
      return readCurrentFeed(answer.body);
    } catch (error) {
      if (!(error instanceof EdgarFileError)) throw error;
      if (start === 0 && tries === TRIES_MAX - 1) throw error;
    }
  }
  return null;
}

function publishedFiling({
  accessionNumber,
  formType,
  filingDate,
  acceptedAt,
  cik,
}: CurrentFeedEntry): PublishedFiling {
  return {
    accession_number: accessionNumber,
    form_type: formType,
    filing_date: filingDate,
    path: submissionPath(cik, accessionNumber),
    accepted_at: Date.parse(acceptedAt),
    source: 'feed',
  };
}

/** Records a walk's filings. Later walks count them as seen only if the walk was complete. @returns those that are new */
export function noteWalk(ledger: Ledger, walk: FeedWalk, now: number): string[] {
  return ledger.transaction(() => {
    for (const filing of walk.filings) ledger.correctedInFeed(filing);
    const added = ledger.note(walk.filings, now);
    if (walk.isComplete) {
      const mark = ledger.db.prepare('UPDATE filings SET in_feed = 1 WHERE accession_number = ? AND in_feed = 0');
      for (const { accession_number } of walk.filings) mark.run(accession_number);
    }
    return added;
  });
}
