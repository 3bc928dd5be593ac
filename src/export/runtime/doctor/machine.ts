/** This machine: Node, folders with room in them, a port to listen on. */
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorWords } from '../../../core/index.ts';
import { freePort } from '../temporal/free-port.ts';
import { type Check, missing, ok, warning } from './check.ts';

/** From package.json. */
export const OLDEST_NODE: readonly [number, number] = [24, 15];

const GB = 1_000_000_000;
/** Space for a small export with everything that is downloaded for it. */
const ROOM_WANTED_BYTES = GB;
const ROOM_NEEDED_BYTES = 100_000_000;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (isNewEnough) return ok('node', `Node ${version} at ${process.execPath}`);
  return missing('node', `Node ${version} is too old`, `Install Node ${OLDEST_NODE.join('.')} or later (nodejs.org).`);
}

/** Whether a folder can be written or created, and how much space is left. Writes nothing. */
export async function checkFolder(name: string, folder: string, remedy: string): Promise<Check> {
  const existing = await nearestExisting(folder);
  const place = existing === folder ? folder : `${folder} (not created yet)`;
  try {
    if (!(await stat(existing)).isDirectory()) return missing(name, `${existing} is a file, not a folder`, remedy);
    await access(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(existing);
    const free = bavail * bsize;
    const found = `${place}: ${(free / GB).toFixed(1)} GB free`;
    if (free < ROOM_NEEDED_BYTES) return missing(name, found, `Make room on the disk. Or: ${remedy}`);
    if (free < ROOM_WANTED_BYTES) return warning(name, found, `Make room on the disk. Or: ${remedy}`);
    return ok(name, found);
  } catch (error) {
    return missing(name, `${place} can't be written: ${systemErrorWords(error)}`, remedy);
  }
}

async function nearestExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    try {
      await stat(at);
      return at;
    } catch {
      // Missing, or below a file: the parent shows which.
      if (at === dirname(at)) return at;
    }
  }
}

/** filinglake's own Temporal listens on a free port of the loopback interface. */
export async function checkPorts(): Promise<Check> {
  const refused = await freePort().then(() => null, systemErrorWords);
  if (refused === null) return ok('ports', 'programs may listen on 127.0.0.1');
  return missing(
    'ports',
    `no program may listen on 127.0.0.1: ${refused}`,
    'Allow programs to listen on 127.0.0.1, or set TEMPORAL_ADDRESS.',
  );
}
