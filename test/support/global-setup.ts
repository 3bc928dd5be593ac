/** Before and after all tests of a run. Imports nothing of src: that would cost each run half a second. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chooseRunFolders, isAlive, removeRunFolders, runFolder } from './file-folder.ts';

const ENDS_WITHIN_MS = 15_000;

export default function setUp(): () => Promise<void> {
  removeRunFolders();
  chooseRunFolders();
  return async () => {
    await untilTemporalEnded();
    removeRunFolders();
  };
}

/** The server that files share ends with the last process that holds it. */
async function untilTemporalEnded(): Promise<void> {
  const file = join(runFolder('temporal'), 'temporal/state.json');
  for (const deadline = Date.now() + ENDS_WITHIN_MS; Date.now() < deadline; await pause(50)) {
    const supervisor = supervisorIn(file);
    if (supervisor === null || !isAlive(supervisor)) return;
  }
}

function supervisorIn(file: string): number | null {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { supervisor: { pid: number } }).supervisor.pid;
  } catch {
    return null;
  }
}
