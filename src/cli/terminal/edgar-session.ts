/** What the `edgar` commands share: settings, one command at a time for a catalog, events, interruption, exit codes. */
import { resolve } from 'node:path';
import { readSettings } from '../../core/environment/index.ts';
import { EXIT, type ExitCode } from '../../core/index.ts';
import {
  ledgerError,
  openSession,
  readEdgarSettings,
  type Session,
  type SyncEvent,
} from '../../service/edgar-sync/index.ts';
import { eventLine } from './edgar-events.ts';
import { takeEdgarLock, waitForEdgarLock } from './edgar-lock.ts';
import { watchInterrupts } from './interruption.ts';
import { formatBytes, formatCount, openProgress, printJson } from './terminal.ts';

interface SessionCommandOptions {
  catalog: string;
  json?: boolean;
  threads?: number;
  /** If another edgar command works: `refuse` (default), `wait` for its end, `own`: `work` takes the lock. */
  ifBusy?: 'refuse' | 'wait' | 'own';
}

/** How a command's work ended. */
interface Outcome {
  /** Filings that could not be fetched */
  missing: number;
}

/**
 * Runs a command's work in a session. With `--json` each event is a line, the last one `done`.
 * @throws FilinglakeError `edgar-agent-missing`, `setting-invalid` (exit 2), `edgar-busy`, and the errors of `work`
 */
export async function withSession(
  options: SessionCommandOptions,
  label: string,
  work: (session: Session, print: (line: string) => void) => Promise<Outcome>,
): Promise<void> {
  const code = await inSession(options, label, work);
  if (code !== EXIT.complete) process.exitCode = code;
}

/** The same; the caller decides what the exit code means. @throws as `withSession` */
export async function inSession(
  options: SessionCommandOptions,
  label: string,
  work: (session: Session, print: (line: string) => void) => Promise<Outcome>,
): Promise<ExitCode> {
  const settings = readSettings();
  const edgar = readEdgarSettings(process.env, settings.homeFolder);
  const catalogFolder = resolve(options.catalog);
  const json = options.json === true;
  const progress = openProgress({ label, unit: 'filings', silent: json });
  // Disposed of last: under npm a Ctrl-C arrives twice.
  using interruption = watchInterrupts();
  const onEvent = (event: SyncEvent) => {
    if (json) printJson(event);
    else {
      const line = eventLine(event);
      if (line !== null) progress.note(line);
    }
  };
  const session = openSession({
    settings: edgar,
    catalogFolder,
    onEvent,
    signal: interruption.signal,
    ...(options.threads === undefined ? {} : { threads: options.threads }),
    onProgress: (done, total, bytes) => progress.update(done, formatBytes(bytes), total),
  });
  try {
    const { signal } = interruption;
    const onWait = () => progress.note('another edgar command works on the catalog; this one waits for its end');
    const locks = {
      refuse: () => takeEdgarLock(catalogFolder),
      wait: () => waitForEdgarLock(catalogFolder, { onWait, signal }),
      own: () => null,
    };
    using _lock = await locks[options.ifBusy ?? 'refuse']();
    const { missing } = await work(session, progress.note);
    session.counts.requests = session.http.requests;
    const { counts } = session;
    if (json) printJson({ event: 'done', ...counts });
    else progress.finish(summaryOf(session));
    if (interruption.signal.aborted) return EXIT.interrupted;
    return missing > 0 ? EXIT.finishedWithFailures : EXIT.complete;
  } catch (error) {
    if (!interruption.signal.aborted) throw ledgerError(error, catalogFolder);
    if (json) printJson({ event: 'done', ...session.counts, requests: session.http.requests });
    else progress.finish(`interrupted; ${summaryOf(session)}`);
    return EXIT.interrupted;
  } finally {
    await session.close();
  }
}

function summaryOf({ counts, http }: Session): string {
  const parts = [`${formatCount(counts.stored)} stored`];
  if (counts.corrected > 0) parts.push(`${formatCount(counts.corrected)} corrected`);
  if (counts.withdrawn > 0) parts.push(`${formatCount(counts.withdrawn)} withdrawn`);
  if (counts.missing > 0) parts.push(`${formatCount(counts.missing)} missing`);
  parts.push(`${formatCount(http.requests)} requests, ${formatBytes(counts.bytes)}`);
  return `filings: ${parts.join(' · ')}`;
}
