/** `filinglake up --follow`: EDGAR, beside the worker of exports. The catalog's lock is held during a look, so that others can fetch. */
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FilinglakeError } from '../../core/index.ts';
import { ingest } from '../../service/catalog/index.ts';
import {
  type EdgarSettings,
  follow,
  ledgerError,
  openSession,
  type Session,
  type SyncEvent,
} from '../../service/edgar-sync/index.ts';
import { FollowLock } from './edgar-lock.ts';

export interface FollowBesideExports {
  settings: EdgarSettings;
  /** Absolute folder */
  catalog: string;
  /** Between the beginnings of two looks */
  intervalMs: number;
  onEvent: (event: SyncEvent) => void;
  /** A new problem, or the end of one (null). */
  onProblem: (message: string | null) => void;
}

/** Makes an empty catalog if it is missing: its service and its key need one. @throws FilinglakeError `catalog-unwritable` */
export async function requireOrMakeCatalog(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await ingest([], folder, { wait: true, threads: 0 });
}

/** Follows until the signal is raised. A fault of the catalog, such as a full disk, does not end the exports: the next look tries again. */
export async function followBesideExports(
  { settings, catalog, intervalMs, onEvent, onProblem }: FollowBesideExports,
  signal: AbortSignal,
): Promise<void> {
  let problem: string | null = null;
  const tell = (message: string | null) => {
    if (message !== problem) onProblem(message);
    problem = message;
  };
  using lock = new FollowLock(catalog);
  while (!signal.aborted) {
    let session: Session | null = null;
    try {
      session = openSession({ settings, catalogFolder: catalog, onEvent, signal });
      await follow(session, {
        intervalMs,
        onProblem: (error) => tell(error.message),
        onLook: () => tell(null),
        withLock: (look) => lock.during(look),
      });
    } catch (error) {
      const failure = ledgerError(error, catalog);
      tell(failure instanceof FilinglakeError ? failure.message : String(failure));
      await sleep(intervalMs, undefined, { signal }).catch(() => {});
    } finally {
      await session?.close();
    }
  }
}
