/** Runs secsgml (PyPI) over the same files, in a virtual environment of its own that is cached for the next time. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = '0.3.6';
const ENVIRONMENT = join(process.env.FILINGLAKE_CACHE ?? tmpdir(), `bench-secsgml-${VERSION}`);
const INSTALL_TIMEOUT_MS = 120_000;

export type SecsgmlResult = { version: string; mb_per_second: number } | { absent: string };

/** Reads paths from stdin, holds the files' bytes in memory, and prints the median CPU seconds of a round over all, and the bytes. */
const SCRIPT = `
import gzip, json, statistics, sys, time
from secsgml import parse_sgml_content_into_memory
given = json.load(sys.stdin)
files = [(gzip.open if path.endswith('.gz') else open)(path, 'rb').read() for path in given['paths']]
times = []
for _ in range(given['rounds'] + 1):
    start = time.process_time()
    for content in files:
        parse_sgml_content_into_memory(bytes_content=content)
    times.append(time.process_time() - start)
print(json.dumps({'seconds': statistics.median(times[1:]), 'bytes': sum(map(len, files))}))
`;

/** @returns its speed, or why it could not be measured */
export function measureSecsgml(paths: string[], rounds: number): SecsgmlResult {
  try {
    const python = install();
    const answer = execFileSync(python, ['-c', SCRIPT], {
      input: JSON.stringify({ paths, rounds }),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const { seconds, bytes } = JSON.parse(answer) as { seconds: number; bytes: number };
    return { version: VERSION, mb_per_second: Math.round(bytes / 1e6 / seconds) };
  } catch (error) {
    return { absent: lastLine((error as Error).message) };
  }
}

function install(): string {
  const python = join(ENVIRONMENT, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: INSTALL_TIMEOUT_MS });
  if (!existsSync(python)) run('python3', ['-m', 'venv', ENVIRONMENT]);
  try {
    run(python, ['-c', 'import secsgml']);
  } catch {
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `secsgml==${VERSION}`]);
  }
  return python;
}

function lastLine(message: string): string {
  return message.trim().split('\n').at(-1)!;
}
