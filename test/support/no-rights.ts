/** Commands run by somebody who may write nowhere but in his own folder: to root nothing is ever refused. */
import { spawn } from 'node:child_process';
import { accessSync, chmodSync, chownSync, constants, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
/** Node itself need not be readable to others: it is root that starts it, and that gives up its rights before anything else. */
const DROP_RIGHTS = `data:text/javascript,process.setgroups([]);process.setgid(${NOBODY});process.setuid(${NOBODY});`;

/** Why commands can't be run that way here; null: they can. */
export const WITHOUT_RIGHTS_IMPOSSIBLE = reason();

function reason(): string | null {
  if (process.getuid === undefined) return 'users of this system are not those of POSIX';
  if (!isRoot) return null;
  for (const place of [CHECKOUT, realpathSync(join(CHECKOUT, 'node_modules'))]) {
    for (let at = place; at !== dirname(at); at = dirname(at)) {
      if ((statSync(at).mode & 0o005) !== 0o005) return `${at} can be read by its owner alone`;
    }
  }
  return null;
}

/** Gives a folder with all in it to the user that commands run as. */
export function giveAway(path: string): void {
  if (isRoot) chownSync(path, NOBODY, NOBODY);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveAway(join(path, name));
}

/** Takes rights from a file or folder for the time of `use`. @param mode such as 0o555 */
export async function withMode<Result>(path: string, mode: number, use: () => Promise<Result>): Promise<Result> {
  const before = statSync(path).mode & 0o777;
  chmodSync(path, mode);
  try {
    return await use();
  } finally {
    chmodSync(path, before);
  }
}

export interface Ended {
  /** null: it hung, and was killed */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** @param env in the place of that of the tests; FILINGLAKE_HOME must be given away */
export async function filinglakeWithoutRights(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  accessSync(cwd, constants.R_OK);
  const drop = isRoot ? ['--import', DROP_RIGHTS] : [];
  const child = spawn(process.execPath, [...drop, join(CHECKOUT, 'src/cli/main.ts'), ...args], {
    cwd,
    timeout: 60_000,
    killSignal: 'SIGKILL',
    env: { ...process.env, HOME: cwd, NO_COLOR: '1', TEMPORAL_ADDRESS: '', FILINGLAKE_API_KEY: 'fl_any', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((settle) => child.on('close', settle));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}
