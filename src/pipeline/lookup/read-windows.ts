/** Reads windows one after the other for some seconds, including the parts of split ones. Each is staged at its end. */
import { type ExportWindow, unreadAfter } from '../../export/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { readFailures } from '../failures/read-failures.ts';
import { verdictOf } from '../failures/verdict.ts';
import { RequestBudget } from '../fetch/request-budget.ts';
import type { ReadWindowsRequest, WindowRead, WindowsRead } from '../types.ts';
import { ENTITIES, FILINGS, HITS } from './paged-lookups.ts';
import { readList } from './read-list.ts';
import { readNumbers } from './read-numbers.ts';
import { readPages, type WindowReader } from './read-pages.ts';

/** Windows with fewer records than this in total are planned together, in memory. */
const RECORDS_MAX = 30_000;
/**
 * Windows whose JSON has more bytes in total, their parts included, end a reading: a window may name 1,000 companies, and so does
 * each of its 64 parts. Temporal refuses inputs and results above 2 MB.
 */
const BYTES_MAX = 500_000;
/** Estimate of the requests for a window. */
const REQUESTS_OF_A_WINDOW = 2;

export async function readWindows(
  dependencies: Dependencies,
  { run, unread }: ReadWindowsRequest,
): Promise<WindowsRead> {
  const { lakes, pages, heartbeat, signal, leaving, batchMs } = dependencies;
  const lake = await lakes.at(run);
  const until = performance.now() + batchMs;
  const reads: WindowRead[] = [];
  let left = unread;
  let records = 0;
  let bytes = 0;
  const expected = unread.length * REQUESTS_OF_A_WINDOW;
  const work = `lookup-${unread[0]!.id}`;
  const requestBudget = RequestBudget.of(dependencies, lake, { run, work, expected, inSequence: true });
  const client = await requestBudget.client(dependencies, signal);
  heartbeat.report(() => ({ filings: 0 }));
  const reader: WindowReader = { lake, run, client, pages };
  try {
    while (left.length > 0) {
      const window = left[0]!;
      const read = await readWindow(reader, window);
      reads.push(read);
      bytes += JSON.stringify([window, read]).length;
      left = unreadAfter(left, read);
      records += read.found;
      if (leaving.aborted || records >= RECORDS_MAX || bytes >= BYTES_MAX || performance.now() >= until) break;
    }
  } catch (error) {
    requestBudget.refused(error);
    // The windows read before stay valid. The next activity gets the error at its first window.
    if (verdictOf(error) !== 'stopped' && (reads.length === 0 || signal.aborted)) throw error;
  } finally {
    await requestBudget.settle().finally(() => client.close());
  }
  return { reads, ...(await requestBudget.outcome(lake)) };
}

function readWindow(reader: WindowReader, window: ExportWindow): Promise<WindowRead> {
  switch (window.of) {
    case 'entities':
      return readPages(reader, window, ENTITIES);
    case 'hits':
      return readPages(reader, window, HITS);
    case 'numbers':
      return readNumbers(reader, window);
    case 'list':
      return readList(reader, window);
    case 'failures':
      return readFailures(reader, window);
    default:
      return readPages(reader, window, FILINGS);
  }
}
