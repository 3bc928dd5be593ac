/** Reads one window to its end, page by page into the staging; a later attempt goes on behind the last staged page. */
import { Context } from '@temporalio/activity';
import { type SavedReading, WindowReading } from '../../src/export/index.ts';
import type { Dependencies } from './dependencies.ts';
import { verdictOf } from './failures.ts';
import { Gate } from './gate.ts';
import { ENTITIES, FILINGS, HITS, type PagedLookup } from './paged-lookups.ts';
import { readFailures } from './read-failures.ts';
import { readNumbers } from './read-numbers.ts';
import { readPage, type StagedPage, stagePage } from './staged.ts';
import type { ReadWindowRequest, WindowRead } from './types.ts';

export async function readWindow(dependencies: Dependencies, request: ReadWindowRequest): Promise<WindowRead> {
  switch (request.window.of) {
    case 'entities':
      return readPages(dependencies, request, ENTITIES);
    case 'hits':
      return readPages(dependencies, request, HITS);
    case 'numbers':
      return readNumbers(dependencies, request);
    case 'failures':
      return readFailures(dependencies, request);
    default:
      return readPages(dependencies, request, FILINGS);
  }
}

async function readPages<Kept>(
  dependencies: Dependencies,
  { run, window }: ReadWindowRequest,
  lookup: PagedLookup<Kept>,
): Promise<WindowRead> {
  const { apiKey, budget, lakes, pages: remembered, pulse } = dependencies;
  const { definition, run_id } = run;
  const context = Context.current();
  const lake = await lakes.at(run.lake);
  const keyOfSubject = (subject: string | null) => (subject === null ? null : lookup.parseKey(subject));

  /** Where the staged pages have come to. */
  const readStaged = async (): Promise<{ reading: WindowReading; pages: number }> => {
    let saved: { state: SavedReading; found: Set<string> } | undefined;
    let pages = 0;
    for (;;) {
      const staged = await readPage<Kept>(lake, run_id, window.id, pages);
      if (!staged) break;
      saved = { state: staged.state!, found: saved?.found ?? new Set() };
      for (const record of staged.records) saved.found.add(lookup.keyOf(record));
      for (const { subject } of staged.violations) {
        const key = keyOfSubject(subject);
        if (key !== null) saved.found.add(key);
      }
      pages++;
    }
    return { reading: new WindowReading(window, definition.service.page_size, saved), pages };
  };

  let { reading, pages } = await readStaged();
  const gate = new Gate({ run, budget, holder: `lookup-${window.id}/${context.info.attempt}-${pages}`, expected: 4 });
  const client = gate.client(apiKey, context.cancellationSignal);
  pulse.tell(() => ({ ...gate.spent, filings: 0 }));
  const outcome = (result: Pick<WindowRead, 'split' | 'promised' | 'found' | 'proven'>): WindowRead => ({
    ...result,
    pages,
    spent: gate.spent,
    quota: gate.quota,
    stop: gate.stop,
  });
  const nothing = { split: null, promised: 0, found: 0, proven: false };
  try {
    for (;;) {
      const step = reading.next();
      if ('split' in step) return outcome({ ...nothing, split: step.split, promised: step.matches ?? 0 });
      if ('done' in step) return outcome({ ...nothing, ...step.done });
      const { facts, records, violations } = await lookup.ask(client, window, step.ask);
      const { count, truncated, received } = facts;
      const fresh = reading.take({
        ...{ count, truncated, received },
        records: records.map(lookup.sampleOf),
        unreadable: violations.map(({ subject }) => keyOfSubject(subject)),
      });
      // The records of a window that is cut come again with its parts.
      const isCut = 'split' in reading.next();
      const page: StagedPage<Kept> = {
        state: reading.save(),
        records: isCut ? [] : records.filter((record) => fresh.has(lookup.keyOf(record))),
        violations: isCut ? [] : violations,
      };
      if (await stagePage(lake, run_id, window.id, pages, page)) {
        if (!isCut) remembered.remember(lake, run_id, window.id, pages, page);
        pages++;
      } else {
        // Another attempt, given up for dead, was first: its page counts, and this answer is none of the window's.
        ({ reading, pages } = await readStaged());
      }
    }
  } catch (error) {
    gate.refused(error);
    if (verdictOf(error) !== 'stopped') throw error;
    return outcome(nothing);
  } finally {
    await gate.settle();
    await client.close();
  }
}
