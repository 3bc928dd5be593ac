/** The recorded walks through the feed, page by page with all their moves, must give exactly the filings that an independent reader found. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteWalk, walkFeed } from '../../../../src/service/edgar-sync/feed-walk.ts';
import { openSession, type Session } from '../../../../src/service/edgar-sync/index.ts';
import { SimulatedClock } from '../../../support/edgar-sync/simulated-clock.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { type LocalServer, serve } from '../../../support/local-server.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';

interface RecordedPage {
  walk: string;
  url: string;
  status: number;
  headers: Record<string, string>;
  file: string;
}

interface TrueFiling {
  walk: string;
  accession_number: string;
  form_type: string;
  filing_date: string;
  accepted: string;
}

const root = join(sharedFolder ?? '', 'edgar/feeds');
const pages = sharedFolder ? jsonRows<RecordedPage>(join(root, 'walks.jsonl')) : [];
const truth = sharedFolder ? jsonRows<TrueFiling>(join(root, 'truth.jsonl.gz')) : [];
const WALKS = [...new Set(pages.map(({ walk }) => walk))];

/** The page of a walk that was requested with 100 entries from a position on. */
function pageOf(walk: string, start: string): RecordedPage | undefined {
  return pages.find((page) => {
    const query = new URL(page.url).searchParams;
    return page.walk === walk && query.get('count') === '100' && query.get('start') === start;
  });
}

let folder: string;
let server: LocalServer;
let session: Session;
/** The walk that the server plays now, and the requested positions */
let playing: string;
let asked: string[];

beforeEach(async () => {
  folder = temporaryFolder();
  asked = [];
  server = await serve((request, response) => {
    const start = new URL(request.url!, 'http://edgar').searchParams.get('start')!;
    asked.push(start);
    const page = pageOf(playing, start);
    if (page === undefined) response.writeHead(404).end();
    else {
      response.writeHead(page.status, { 'content-type': page.headers['content-type'] ?? 'text/html' });
      response.end(gunzipSync(readFileSync(join(root, page.file))));
    }
  });
  const { url } = server;
  session = openSession({
    settings: {
      baseUrl: url,
      dataUrl: url,
      agent: 'A Tester tester@example.com',
      blockSeconds: 601,
      homeFolder: join(folder, 'home'),
    },
    catalogFolder: join(folder, 'catalog'),
    clock: new SimulatedClock('2025-12-12T23:02:34Z'),
  });
});

afterEach(async () => {
  await session.close();
  await server.close();
});

const trueFilings = (walks: readonly string[]) =>
  truth
    .filter(({ walk }) => walks.includes(walk))
    .map(({ accession_number, form_type, filing_date, accepted }) =>
      [accession_number, form_type, filing_date, Date.parse(accepted)].join(' '),
    );

const asText = (filing: {
  accession_number: string;
  form_type: string;
  filing_date: string;
  accepted_at: number | null;
}) => [filing.accession_number, filing.form_type, filing.filing_date, filing.accepted_at].join(' ');

describe.skipIf(!sharedFolder)('the recorded walks', () => {
  it.each(WALKS)('%s gives exactly its filings', async (walk) => {
    playing = walk;
    const { filings, isComplete, hasGap } = await walkFeed(session);
    expect([isComplete, hasGap]).toEqual([true, false]);
    expect(filings.map(asText).sort()).toEqual(trueFilings([walk]).sort());
    // The refusal after the feed's end is never requested.
    expect(asked).not.toContain('5100');
  });

  it('one behind the other give the filings of both, and the second ends behind two known pages', async () => {
    const both = WALKS.filter((walk) => !walk.includes('type'));
    expect(both).toHaveLength(2);
    for (const walk of both) {
      playing = walk;
      asked = [];
      noteWalk(session.ledger, await walkFeed(session), session.clock.now());
    }
    expect(asked.length).toBeLessThanOrEqual(4);
    const noted = session.ledger.db.prepare('SELECT * FROM filings').all() as never as Parameters<typeof asText>[0][];
    expect(noted.map(asText).sort()).toEqual([...new Set(trueFilings(both))].sort());
  });
});
