/** The lake of a command without `--lake`. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { FilinglakeError, invalidValue } from '../../core/index.ts';
import { type Lake, type OpenLakeOptions, openLake, turnText } from '../../lake/index.ts';

/** `--lake`, else the working folder if it is a lake, else ./lake, the default of exports. */
export function lakeFolder(option: string | undefined): string {
  if (option !== undefined) return option;
  return existsSync('lake.json') ? '.' : path.join('.', 'lake');
}

const TERMINAL_MEMORY_BYTES_MAX = 16 * 2 ** 30;

/** Half of this machine's memory, for a person's query at a terminal. */
export function terminalMemoryBytes(): number {
  return Math.min(Math.floor(totalmem() / 2), TERMINAL_MEMORY_BYTES_MAX);
}

/** Opens a lake for one command, and closes it. */
export async function withLake<T>(
  option: string | undefined,
  options: OpenLakeOptions,
  use: (lake: Lake) => Promise<T>,
): Promise<T> {
  await using lake = await openLake(lakeFolder(option), options);
  return await use(lake);
}

/** As `withLake`; if no lake is named and none is here, queries of files alone work: of a table they say that there is no lake. */
export async function withLakeOrFiles(
  option: string | undefined,
  options: OpenLakeOptions,
  use: (lake: Lake) => Promise<void>,
): Promise<void> {
  const none = await withLake(option, options, use).then(() => null, onlyMissing);
  if (none === null) return;
  if (option !== undefined) throw none;
  const folder = await mkdtemp(path.join(tmpdir(), 'filinglake-'));
  try {
    await withLake(folder, { ...options, create: true, tables: [] }, use);
  } catch (error) {
    throw /Table (Function )?with name/.test((error as Error).message) ? none : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function onlyMissing(error: unknown): FilinglakeError {
  if (error instanceof FilinglakeError && error.code === 'lake-missing') return error;
  throw error;
}

/** For commands that write a lake. */
export const NO_WAIT = ['--no-wait', 'if an export or another command has the lake, say so and end with 1'] as const;

/** As `withLake`, for a command that writes: it waits for its turn, and says who has the lake. */
export function withLakeInTurn<T>(
  option: string | undefined,
  { what, wait, ...options }: OpenLakeOptions & { what: string; wait: boolean | undefined },
  use: (lake: Lake, term: number) => Promise<T>,
): Promise<T> {
  let told = 0;
  return withLake(option, options, (lake) =>
    lake.turns.during(
      {
        what: `filinglake ${what}`,
        wait: wait ?? true,
        waiting: (turn) => {
          if (turn.term !== told) process.stderr.write(`waiting: ${turnText(turn)}\n`);
          told = turn.term;
        },
      },
      (term) => use(lake, term),
    ),
  );
}

/** The version of `--at` or `--release`; none: the newest. @throws FilinglakeError `argument-invalid`, `lake-version-unknown`, `release-unknown` */
export async function versionAsked(
  lake: Lake,
  { at, release }: { at?: string | undefined; release?: string | undefined },
): Promise<{ at?: number }> {
  if (release !== undefined) return { at: (await lake.release(release)).version };
  return at === undefined ? {} : { at: await version(lake, at) };
}

/** A number, a day (its beginning, UTC) or a time with its zone: without a zone the moment is unknown. */
async function version(lake: Lake, at: string): Promise<number> {
  if (/^\d{1,15}$/.test(at)) return Number(at);
  const time = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(at)
    ? new Date(at)
    : null;
  if (time !== null && !Number.isNaN(time.getTime())) return lake.versionAt(time);
  throw invalidValue(
    'argument-invalid',
    '--at',
    'the number of a version, a day or a time',
    at,
    'Give for example --at 7, --at 2026-11-01 or --at 2026-11-01T09:30:00Z. A time needs Z or an offset such as -05:00.',
  );
}
