/** Who uses a shared process: a file for each holder, valid only while the process that wrote it lives. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../core/environment/index.ts';

/** A process, distinct from a later one with the same pid. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque: boot and start time from the kernel (Linux), or the start time from `ps`. */
  startedAt: string;
}

export interface LeaseRecord {
  holder: ProcessIdentity;
  /** The command that holds it, for people: `export`, `up`. */
  command: string;
  taken_at: string;
}

interface Lease {
  file: string;
  /** Releases the lease; further calls do nothing. */
  release(): void;
}

/** The identity of a process, or null if none with this pid runs (a zombie counts as none). */
export function identityOf(pid: number): ProcessIdentity | null {
  if (process.platform === 'linux') {
    let stat: string;
    try {
      stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
    // The command's name is in parentheses and may have spaces and parentheses: count fields from the last `)`.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || startTicks === undefined) return null;
    return { pid, startedAt: `${bootId()}/${startTicks}` };
  }
  try {
    const startedAt = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return startedAt ? { pid, startedAt } : null;
  } catch {
    // ps exits with 1 for a pid without a process.
    return null;
  }
}

export function ownIdentity(): ProcessIdentity {
  const identity = identityOf(process.pid);
  if (!identity) throw new Error(`the kernel doesn't name process ${process.pid}`);
  return identity;
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startedAt === identity.startedAt;
}

/** Takes a lease for this process in a folder, which is created if missing. */
export function takeLease(folder: string, command: string): Lease {
  makeFolder(folder, 0o700);
  const record: LeaseRecord = { holder: ownIdentity(), command, taken_at: new Date().toISOString() };
  const file = join(folder, `${process.pid}-${randomUUID()}.json`);
  writeFileAtomically(file, JSON.stringify(record));
  return { file, release: () => rmSync(file, { force: true }) };
}

/** The leases of living holders in a folder; files of dead holders are deleted. */
export function liveLeases(folder: string): LeaseRecord[] {
  const live: LeaseRecord[] = [];
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.json')) continue;
    const file = join(folder, name);
    let record: LeaseRecord;
    try {
      record = JSON.parse(readFileSync(file, 'utf8')) as LeaseRecord;
    } catch (error) {
      if (isGone(error)) continue; // released between the listing and the reading
      if (!(error instanceof SyntaxError)) throw error;
      rmSync(file, { force: true }); // a full disk or a crash of the machine left it empty
      continue;
    }
    if (isAlive(record.holder)) live.push(record);
    else rmSync(file, { force: true });
  }
  return live;
}

/** Writes a small file so that a reader sees the old content or the new, never a part. */
export function writeFileAtomically(file: string, content: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, file);
}

/** A lease without a holder: the shared process stays for a command that may follow. */
const LINGER = 'linger';
/** A longer time is that of a clock which was set back. */
const LINGER_SECONDS_MAX = 999_999;

/** @param seconds 0: what an earlier command left ends too */
export function lingerFor(folder: string, seconds: number): void {
  const file = join(folder, LINGER);
  if (seconds > 0) writeFileAtomically(file, String(Date.now() + seconds * 1_000));
  else rmSync(file, { force: true });
}

/** Whether a living process holds a lease, or one that has ended left the time to wait for the next. */
export function isWanted(folder: string): boolean {
  if (liveLeases(folder).length > 0) return true;
  const file = join(folder, LINGER);
  const left = existsSync(file) ? Number(readFileSync(file, 'utf8')) - Date.now() : 0;
  return left > 0 && left <= LINGER_SECONDS_MAX * 1_000;
}

let knownBootId: string | null = null;

function bootId(): string {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return knownBootId;
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ESRCH';
}
