/** The state of the embedded Temporal's supervisor: one small file that commands read. */
import { readFileSync } from 'node:fs';
import { type ProcessIdentity, writeFileAtomically } from './leases.ts';

export interface TemporalState {
  /** `failed` is final; the others hold only while the supervisor lives. */
  state: 'starting' | 'running' | 'stopping' | 'failed';
  supervisor: ProcessIdentity;
  /** The server's process; null while it does not run. It survives a supervisor that was killed. */
  server: ProcessIdentity | null;
  port: number;
  version: string;
  /** How often the server was restarted after it died. */
  restarts: number;
  /** Why it failed. */
  message?: string;
  remedy?: string;
}

/** The last written state, or null: never written, or left empty by a crash of the machine. */
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
