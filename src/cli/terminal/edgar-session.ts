/** What the `edgar` commands share: settings, one command at a time for a catalog, events, interruption, exit codes. */
import { join, resolve } from 'node:path';
import { EXIT, type ExitCode, FilinglakeError } from '../../core/index.ts';
import { ledgerError, openSession, readEdgarSettings, type Session, type SyncEvent } from '../../edgar-sync/index.ts';
import { type ProcessLock, readSettings, takeProcessLock } from '../../environment/index.ts';
import { watchInterrupts } from './interruption.ts';
import { formatBytes, formatCount, openProgress, printJson } from './terminal.ts';

export interface SessionCommandOptions {
  catalog: string;
  json?: boolean;
  threads?: number;
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
  work: (session: Session, say: (line: string) => void) => Promise<Outcome>,
): Promise<void> {
  const code = await inSession(options, label, work);
  if (code !== EXIT.complete) process.exitCode = code;
}

/** The same; the caller decides what the exit code means. @throws as `withSession` */
export async function inSession(
  options: SessionCommandOptions,
  label: string,
  work: (session: Session, say: (line: string) => void) => Promise<Outcome>,
): Promise<ExitCode> {
  const settings = readSettings();
  const edgar = readEdgarSettings(process.env, settings.homeFolder);
  const catalogFolder = resolve(options.catalog);
  const json = options.json === true;
  const progress = openProgress({ label, unit: 'filings', silent: json });
  const interruption = watchInterrupts();
  const onEvent = (event: SyncEvent) => {
    if (json) printJson(event);
    else say(event, progress.note);
  };
  const session = openSession({
    ...{ settings: edgar, catalogFolder, onEvent, signal: interruption.signal },
    ...(options.threads === undefined ? {} : { threads: options.threads }),
    onProgress: (done, total, bytes) => progress.update(done, formatBytes(bytes), total),
  });
  let lock: ProcessLock | null = null;
  try {
    lock = takeLock(catalogFolder);
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
    lock?.release();
    await session.close();
    // Last: under npm a Ctrl-C arrives twice.
    interruption.stop();
  }
}

function takeLock(catalogFolder: string): ProcessLock {
  const lock = takeProcessLock(join(catalogFolder, 'edgar.lock'));
  if (lock !== null) return lock;
  throw new FilinglakeError('edgar-busy', `another edgar command works on the catalog in ${catalogFolder}`);
}

function summaryOf({ counts, http }: Session): string {
  const parts = [`${formatCount(counts.stored)} stored`];
  if (counts.corrected > 0) parts.push(`${formatCount(counts.corrected)} corrected`);
  if (counts.withdrawn > 0) parts.push(`${formatCount(counts.withdrawn)} withdrawn`);
  if (counts.missing > 0) parts.push(`${formatCount(counts.missing)} missing`);
  parts.push(`${formatCount(http.requests)} requests, ${formatBytes(counts.bytes)}`);
  return `filings: ${parts.join(' · ')}`;
}

/** Events for people; single filings are only counted. */
function say(event: SyncEvent, note: (line: string) => void): void {
  switch (event.event) {
    case 'missing':
      note(`missing: ${event.accession_number}: ${event.reason}`);
      break;
    case 'corrected':
    case 'withdrawn':
      note(`${event.event}: ${event.accession_number} (${event.form_type}, ${event.filing_date})`);
      break;
    case 'blocked':
      note(`EDGAR refuses requests from this address; filinglake sends none until ${event.until}`);
      break;
    case 'gap':
      note(event.message);
      break;
    case 'day':
      note(
        event.proven_at === null
          ? `${event.day}: ${event.in_catalog} of ${event.expected} filings, ${event.missing} missing`
          : `${event.day}: complete, ${event.expected} filings`,
      );
  }
}
