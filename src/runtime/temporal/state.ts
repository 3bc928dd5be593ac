/** What the supervisor of the embedded Temporal says of itself: one small file that commands read. */
import { readFileSync } from 'node:fs';
import { type ProcessIdentity, writeFileAtomically } from './leases.ts';

export interface TemporalState {
  /** `failed` is the supervisor's last word; the others hold only while it lives. */
  state: 'starting' | 'running' | 'stopping' | 'failed';
  supervisor: ProcessIdentity;
  /** The server's own process; null while there is none. It outlives a supervisor that was killed. */
  server: ProcessIdentity | null;
  port: number;
  version: string;
  /** How many times the server had to be started again after it died. */
  restarts: number;
  /** Why it failed. */
  message?: string;
  /** What to do about it, where that is known. */
  remedy?: string;
}

/** The state as last written, or null where there is none (or a crash of the machine left the file without content). */
export function readTemporalState(file: string): TemporalState | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TemporalState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

export function writeTemporalState(file: string, state: TemporalState): void {
  writeFileAtomically(file, JSON.stringify(state));
}
