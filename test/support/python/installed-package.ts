/** The Python package of python/, installed by pip into a folder of the test, beside the readers that it uses. */
import { type ExecFileSyncOptions, execFile, execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { pythonReaders } from '../lake/python-readers.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';

const SOURCE = path.join(import.meta.dirname, '../../../python');

export interface InstalledPackage {
  /** Runs Python code that prints JSON. `given` is there as a variable; so is `code_of(call)`: code, remedy and class of its error. */
  run(code: string, given?: unknown, env?: Record<string, string>): Promise<unknown>;
  /** Folder that the package is installed in, and that of the readers: for PYTHONPATH. */
  site: string;
  modules: string;
}

const PRELUDE = `
import json, sys
import filinglake
given = json.load(sys.stdin)
def code_of(call):
    try:
        return {"returned": repr(call())}
    except filinglake.FilinglakeError as error:
        return {"class": type(error).__name__, "code": error.code, "remedy": error.remedy, "exit_code": error.exit_code}
`;

/** Installs it. `missing`: why it can't be. */
export function installPythonPackage(): InstalledPackage | { missing: string } {
  const python = pythonReaders();
  if ('missing' in python) return python;
  const folder = temporaryFolder();
  // pip builds beside the sources: in a copy.
  const source = path.join(folder, 'source');
  cpSync(SOURCE, source, { recursive: true });
  const site = path.join(folder, 'site');
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', site, source];
  const options: ExecFileSyncOptions = { stdio: 'pipe', timeout: 600_000 };
  try {
    execFileSync(python.command, pip, options);
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? error);
    // pip fetches setuptools to build with. Any other failure is the package's.
    if (!/Temporary failure|NewConnectionError|No matching distribution found for setuptools/.test(said)) throw error;
    return { missing: 'pip could not fetch setuptools' };
  }
  return {
    site,
    modules: python.modules,
    async run(code, given = null, env = {}) {
      const running = promisify(execFile)(python.command, ['-c', PRELUDE + code], {
        encoding: 'utf8',
        cwd: folder,
        env: { ...process.env, PYTHONPATH: [site, python.modules].join(path.delimiter), ...env },
        maxBuffer: 2 ** 28,
      });
      running.child.stdin!.end(JSON.stringify(given));
      const { stdout } = await running;
      try {
        return JSON.parse(stdout) as unknown;
      } catch (cause) {
        throw new Error(`not JSON: ${JSON.stringify(stdout.slice(0, 300))}`, { cause });
      }
    },
  };
}
