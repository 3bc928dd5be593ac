/** Reads one window to its end and stages it page by page. A later attempt continues after the last staged page. */
import type { Lake } from '../../../lake/index.ts';
import { ContractViolationError, type FilingClient } from '../../client/index.ts';
import { type ExportWindow, type ReadingState, WindowReading } from '../../windows/index.ts';
import { type PagesReadLast, readPage, type StagedPage, stagePage } from '../staging/staged-files.ts';
import type { RunReference, WindowRead } from '../types.ts';
import type { AskedPage, PagedLookup } from './paged-lookups.ts';
import { RecordVariants, variantViolation } from './record-variants.ts';

/** The dependencies of a reading. */
export interface WindowReader {
  lake: Lake;
  run: RunReference;
  client: FilingClient;
  pages: PagesReadLast;
}

/** @throws errors of the client; the next attempt continues after the staged pages */
export async function readPages<Kept>(
  { lake, run, client, pages: remembered }: WindowReader,
  window: ExportWindow,
  lookup: PagedLookup<Kept>,
): Promise<WindowRead> {
  const { run_id, definition } = run;
  const keyOfSubject = (subject: string | null) => (subject === null ? null : lookup.parseKey(subject));

  /** The state at the end of the staged pages. */
  const readStaged = async (): Promise<{ reading: WindowReading; pages: number }> => {
    let saved: { state: ReadingState; found: Map<string, boolean> } | undefined;
    let pages = 0;
    for (;;) {
      const staged = await readPage<Kept>(lake, run_id, window.id, pages);
      if (!staged) break;
      saved = { state: staged.state!, found: saved?.found ?? new Map() };
      for (const record of staged.records) saved.found.set(lookup.keyOf(record), true);
      for (const { subject } of staged.violations) {
        const key = keyOfSubject(subject);
        if (key !== null && !saved.found.has(key)) saved.found.set(key, false);
      }
      pages++;
    }
    return { reading: new WindowReading(window, definition.service.page_size, saved), pages };
  };

  let { reading, pages } = await readStaged();
  const recordsOf = async (page: number) => (await readPage<Kept>(lake, run_id, window.id, page))?.records ?? [];
  const repeats = new RecordVariants(lookup, recordsOf);
  const nothing = { split: null, promised: 0, found: 0, proven: false };
  for (;;) {
    const step = reading.next();
    if ('split' in step) return { ...nothing, pages, split: step.split, promised: step.matches ?? 0 };
    if ('done' in step) {
      const { reason: _why, ...verdict } = step.done;
      return { split: null, pages, ...verdict };
    }
    let asked: AskedPage<Kept>;
    try {
      asked = await lookup.ask(client, window, step.ask);
    } catch (error) {
      if (!(error instanceof ContractViolationError)) throw error;
      // This page can't be read: its window is not proven, and the other windows are read.
      const { path, value, subject } = error;
      reading.giveUp(error.message);
      const page = { state: reading.save(), records: [], violations: [{ path, value, subject }], verbatim: null };
      if (await stagePage<Kept>(lake, run_id, window.id, pages, page)) pages++;
      else ({ reading, pages } = await readStaged());
      continue;
    }
    const { facts, records, violations, verbatim } = asked;
    const { count, truncated, received } = facts;
    // A later pass finds every key. A record that changed since is one record: only neighbours are compared.
    const hasFound = (key: string) => reading.isFirstPass && reading.hasFound(key);
    const variants = await repeats.among(records, hasFound, pages);
    const fresh = reading.take({
      count,
      truncated,
      received,
      records: records.map((record, i) => {
        const variant = variants.get(i);
        if (variant === undefined) return lookup.sampleOf(record);
        const { content, isMoved } = variant;
        return { ...lookup.sampleOf(record), variant: content, ...(isMoved ? { moved: true as const } : {}) };
      }),
      unreadable: violations.map(({ subject }) => keyOfSubject(subject)),
    });
    const repeated = [...variants.keys()].map((i) =>
      variantViolation(`${lookup.list}[${i}]`, lookup.keyOf(records[i]!), records[i]),
    );
    // The parts of a split window have the same records again.
    const isCut = 'split' in reading.next();
    const areAllFresh = !isCut && fresh.size === records.length;
    const page: StagedPage<Kept> = {
      state: reading.save(),
      records: isCut ? [] : areAllFresh ? records : records.filter((record) => fresh.delete(lookup.keyOf(record))),
      violations: isCut ? [] : [...violations, ...repeated],
      verbatim: areAllFresh ? verbatim : null,
    };
    if (await stagePage(lake, run_id, window.id, pages, page)) {
      if (!isCut) remembered.remember(lake, run_id, window.id, pages, page);
      pages++;
    } else {
      // An attempt that was taken for dead staged this page first. Its page counts, and this answer is dropped.
      ({ reading, pages } = await readStaged());
    }
  }
}
