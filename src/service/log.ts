/** The service's log: JSON lines on stderr or in a file, which can be opened again after a rotation. */
import pino from 'pino';
import { FilinglakeError, systemErrorWords } from '../core/index.ts';

export interface LogOptions {
  /** Null: stderr */
  file: string | null;
  /** A line for each request, not only for failures */
  everyRequest: boolean;
}

export interface ServiceLog {
  logger: pino.Logger;
  /** Opens the file of this name again: after `logrotate` has moved it. */
  reopen(): void;
}

/** @throws FilinglakeError `output-unwritable` */
export function openLog({ file, everyRequest }: LogOptions): ServiceLog {
  const level = everyRequest ? 'info' : 'error';
  if (file === null) return { logger: pino({ level }, pino.destination(2)), reopen: () => undefined };
  try {
    const destination = pino.destination({ dest: file, sync: true });
    return { logger: pino({ level }, destination), reopen: () => destination.reopen() };
  } catch (cause) {
    throw new FilinglakeError('output-unwritable', `the log ${file} can't be written: ${systemErrorWords(cause)}`, {
      cause,
    });
  }
}
