/** Reads one window of the lookup to its end, page by page into the staging; a later attempt goes on behind the last staged page. */
import { Context } from '@temporalio/activity';
import { type LookupPage, type SavedReading, WindowReading } from '../../src/export/index.ts';
import { isAccessionNumber } from './coverage.ts';
import type { Dependencies } from './dependencies.ts';
import { verdictOf } from './failures.ts';
import { Gate } from './gate.ts';
import { readPage, stagePage } from './staged.ts';
import type { ReadWindowRequest, WindowRead } from './types.ts';

export async function readWindow(dependencies: Dependencies, { run, window }: ReadWindowRequest): Promise<WindowRead> {
  const { apiKey, budget, lakes, pulse } = dependencies;
  const { definition, run_id } = run;
  const context = Context.current();
  const lake = await lakes.at(run.lake);

  let saved: { state: SavedReading; found: Set<string> } | undefined;
  let pages = 0;
  for (;;) {
    const staged = await readPage<SavedReading>(lake, run_id, window.id, pages);
    if (!staged) break;
    saved = { state: staged.state, found: saved?.found ?? new Set() };
    for (const filing of staged.filings) saved.found.add(filing.accession_number);
    for (const { subject } of staged.violations)
      if (subject !== null && isAccessionNumber(subject)) saved.found.add(subject);
    pages++;
  }

  const reading = new WindowReading(window, definition.service.page_size, saved);
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
      if ('split' in step) return outcome({ ...nothing, split: step.split });
      if ('done' in step) return outcome({ ...nothing, ...step.done });
      const { value, notes } = await client.filingLookup(step.ask);
      const unreadable = notes.violations.map(({ subject }) =>
        subject !== null && isAccessionNumber(subject) ? subject : null,
      );
      const page: LookupPage = {
        count: value.count,
        truncated: value.truncated,
        received: value.received,
        filings: value.filings,
        unreadable,
      };
      const fresh = reading.take(page);
      const filings = value.filings.filter((filing) => fresh.has(filing.accession_number));
      await stagePage(lake, run_id, window.id, pages, {
        state: reading.save(),
        filings,
        violations: notes.violations,
      });
      pages++;
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
