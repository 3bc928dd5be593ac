/** `filinglake up --follow`: what a run of the schedule does. The catalog's lock is held during a look, so that others can fetch. */
import { mkdirSync } from 'node:fs';
import { FilinglakeError } from '../../core/index.ts';
import { ingest } from '../../service/catalog/index.ts';
import {
  type EdgarSettings,
  follow,
  ledgerError,
  openSession,
  type SyncEvent,
} from '../../service/edgar-sync/index.ts';
import { FollowLock } from './edgar-lock.ts';

type FollowEdgar = Parameters<typeof import('../../export/runtime/index.ts').startFollower>[1]['follow'];

/** A run of the schedule. Each is a workflow of Temporal, which remembers it for 90 days. */
const RUN_MS = 3_600_000;

interface FollowOnSchedule {
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

export function followerOf({ settings, catalog, intervalMs, onEvent, onProblem }: FollowOnSchedule): FollowEdgar {
  let problem: string | null = null;
  const tell = (message: string | null) => {
    if (message !== problem) onProblem(message);
    problem = message;
  };
  return async ({ signal, report }) => {
    let looks = 0;
    using lock = new FollowLock(catalog);
    const session = openSession({ settings, catalogFolder: catalog, onEvent, signal });
    const outcome = () => {
      const { stored, corrected, withdrawn, bytes } = session.counts;
      return { looks, stored, corrected, withdrawn, requests: session.http.requests, bytes, problem };
    };
    try {
      await follow(session, {
        intervalMs,
        forMs: RUN_MS,
        onProblem: (error) => {
          tell(error.message);
          report(outcome());
        },
        onLook: () => {
          looks++;
          tell(null);
          report(outcome());
        },
        withLock: (look) => lock.during(look),
      });
      return outcome();
    } catch (error) {
      const failure = ledgerError(error, catalog);
      tell(failure instanceof FilinglakeError ? failure.message : String(failure));
      throw failure;
    } finally {
      await session.close();
    }
  };
}
