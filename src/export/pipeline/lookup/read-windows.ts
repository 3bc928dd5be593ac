/** Reads windows for some seconds, several at a time, including the parts of split ones. Each is staged page by page. */
import { type ExportWindow, PLANNED_MATCHES, ReadingOrder } from '../../windows/index.ts';
import { verdictOf } from '../failures/verdict.ts';
import type { ReadWindowsRequest, RunReference, WindowRead, WindowsRead } from '../types.ts';
import type { Dependencies } from '../worker/dependencies.ts';
import { isPaidForAlone, RequestBudget } from '../worker/request-budget.ts';
import { ENTITIES, FILINGS, HITS } from './paged-lookups.ts';
import { readFailures } from './read-failures.ts';
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
/** Part of a window's records for which there must be room if no other window is being read. */
const ALONE_MIN = 0.5;
/** Estimate of the requests for a window. */
const REQUESTS_OF_A_WINDOW = 2;

export async function readWindows(
  dependencies: Dependencies,
  { run, unread }: ReadWindowsRequest,
): Promise<WindowsRead> {
  const { lakes, pages, heartbeat, signal } = dependencies;
  const lake = await lakes.at(run);
  const expected = unread.length * REQUESTS_OF_A_WINDOW;
  const work = `lookup-${unread[0]!.id}`;
  const requestBudget = RequestBudget.of(dependencies, lake, { run, work, expected, inSequence: true });
  const client = await requestBudget.client(dependencies, signal);
  heartbeat.report(() => ({ filings: 0 }));
  const reader: WindowReader = { lake, run, client, pages };
  const order = new ReadingOrder<ExportWindow, WindowRead>(unread);
  let errors: unknown[];
  try {
    errors = await readSeveral(dependencies, run, order, async (window) => {
      try {
        return await readWindow(reader, window);
      } catch (error) {
        requestBudget.refused(error);
        throw error;
      }
    });
  } finally {
    await requestBudget.settle().finally(() => client.close());
  }
  const reads: WindowRead[] = [];
  let bytes = 0;
  for (const [window, read] of order.read()) {
    // The others are staged: the next activity takes their results from there.
    if (bytes >= BYTES_MAX) break;
    bytes += JSON.stringify([window, read]).length;
    reads.push(read);
  }
  // The windows read before stay valid. The next activity gets the error at its first window.
  const failed = errors.filter((error) => verdictOf(error) !== 'stopped');
  if (failed.length > 0 && (reads.length === 0 || signal.aborted)) throw failed[0];
  return { reads, ...(await requestBudget.outcome(lake)) };
}

/**
 * Reads windows until the time is up, the memory is full, or one fails. Each has at most one request in flight. A budget of the run's
 * own pays for one window after the other, so that those before its end are whole.
 * @returns the errors, when all have ended
 */
async function readSeveral(
  { batchMs, leaving }: Dependencies,
  { definition }: RunReference,
  order: ReadingOrder<ExportWindow, WindowRead>,
  readOne: (window: ExportWindow) => Promise<WindowRead>,
): Promise<unknown[]> {
  const { service } = definition;
  // Pages of 10,000 filings take tens of megabytes each while they are read.
  const atOnceMax = isPaidForAlone(definition)
    ? 1
    : Math.min(service.connections, Math.ceil(RECORDS_MAX / service.page_size));
  const until = performance.now() + batchMs;
  const reading = new Set<Promise<void>>();
  const errors: unknown[] = [];
  let records = 0;
  let bytes = 0;
  /** Records of a window that is being read: the most of those before. */
  let likely: number | null = null;
  const mayBegin = () =>
    reading.size < atOnceMax &&
    // The last one would be read alone: rather with the next ones.
    records + (likely ?? PLANNED_MATCHES) * Math.max(reading.size, ALONE_MIN) < RECORDS_MAX &&
    bytes < BYTES_MAX &&
    !leaving.aborted &&
    performance.now() < until;
  const read = async (window: ExportWindow) => {
    const result = await readOne(window);
    order.end(window, result);
    records += result.found;
    bytes += JSON.stringify([window, result]).length;
    if (result.split === null) likely = Math.max(likely ?? 0, result.found);
  };
  for (let isFirst = true; ; isFirst = false) {
    while (isFirst || (errors.length === 0 && mayBegin())) {
      const window = order.begin();
      if (window === null) break;
      isFirst = false;
      const one = read(window)
        .catch((error: unknown) => {
          errors.push(error);
        })
        .finally(() => reading.delete(one));
      reading.add(one);
    }
    if (reading.size === 0) return errors;
    await Promise.race(reading);
  }
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
