/** Builds the wheel of the Python package, looks into it, and uses it from sample files to a frame, without a Node on PATH. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runRoad } from './prove-package.ts';
import { CHECKOUT } from './steps.ts';

/** Everything that the wheel may have: no tests, no folders of a build. */
const CONTENTS =
  /^(filinglake\/(\w+\.py|py\.typed|_command\/(filinglake\.tgz|package-lock\.json))|filinglake-[\d.]+\.dist-info\/(METADATA|WHEEL|RECORD|entry_points\.txt|top_level\.txt))$/;
const MAX_WHEEL_BYTES = 10_000_000;
/** All that the command and pip need of a system. */
const TOOLS = ['sh', 'env', 'uname'];

const FRAME = `
import filinglake, sys
lake = filinglake.fetch(forms=["10-K*", "10-Q*"], tables=["sections"], lake="frames", progress=False)
again = filinglake.fetch(forms=["10-K*", "10-Q*"], tables=["sections"], lake="frames", progress=False)
assert lake.tables()["filings"] == again.tables()["filings"] > 0
assert len(lake.sql("SELECT text FROM section_contents").fetchall()) > 0
`;

/** @param tarball path of the packed npm package @throws Error with the fault of the wheel */
export async function proveWheel(tarball: string, version: string): Promise<void> {
  const python = process.env.PYTHON ?? 'python3';
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-wheel-'));
  const run = (command: string, args: string[], env: NodeJS.ProcessEnv = process.env) =>
    execFileSync(command, args, { encoding: 'utf8', cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    try {
      run(python, ['-m', 'venv', 'venv']);
    } catch {
      process.stdout.write(`the wheel is not proven: ${python} with venv is not there\n`);
      return;
    }
    const bin = join(folder, 'venv', 'bin');
    const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check'];
    const packed = { ...process.env, FILINGLAKE_PACKED: tarball };
    run(join(bin, 'python'), [...pip, 'wheel', '--no-deps', '-w', folder, join(CHECKOUT, 'python')], packed);
    const wheel = join(folder, readdirSync(folder).find((name) => name.endsWith('.whl'))!);
    checkContents(run(python, ['-m', 'zipfile', '-l', wheel]));
    run(join(bin, 'python'), [...pip, 'install', wheel]);
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    for (const tool of TOOLS)
      symlinkSync(['/usr/bin', '/bin'].map((at) => join(at, tool)).find(existsSync)!, join(tools, tool));
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      PATH: [bin, tools].join(delimiter),
      PYTHON: join(bin, 'python'),
      FILINGLAKE_CACHE: join(folder, 'cache'),
    };
    // npm runs this build, and says so to every program that it starts.
    for (const name of Object.keys(env)) if (/^(npm_|NODE|INIT_CWD)/i.test(name)) delete env[name];
    await runRoad({ folder, version, command: join(bin, 'filinglake'), env }, async (service) => {
      run(join(bin, 'python'), ['-c', FRAME], service);
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`the wheel: ${(error as Error).message}\n${stdout}${stderr}`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param listing a line for each file: name, date, time, bytes */
function checkContents(listing: string): void {
  const files = listing
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => /^(.*?)\s+\d{4}-\d\d-\d\d [\d:]+\s+(\d+)$/.exec(line.trim())!)
    .map(([, name, bytes]) => ({ name: name!, bytes: Number(bytes) }));
  const strangers = files.filter(({ name }) => !CONTENTS.test(name)).map(({ name }) => name);
  if (strangers.length > 0) throw new Error(`not meant to be published: ${strangers.slice(0, 10).join(', ')}`);
  const command = files.filter(({ name }) => name.startsWith('filinglake/_command/'));
  if (command.length !== 2) throw new Error('it carries no command');
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  process.stdout.write(`the wheel: ${files.length} files, ${total} bytes\n`);
  if (total > MAX_WHEEL_BYTES) throw new Error(`it has ${total} bytes; ${MAX_WHEEL_BYTES} are allowed`);
}
