/** S3 servers for tests, made once in the user's cache: moto from PyPI (some 115 MB), versitygw from its source. */
import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListObjectVersionsOutput } from '@aws-sdk/client-s3';
import { runFolder } from '../file-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PACKAGES = ['moto[s3]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'];
const STARTED_WITHIN_MS = 120_000;

/**
 * moto checks for an object and puts one in two steps, so two of several conditional puts may win. One request at a time is atomic.
 */
const SERVER = `
import os, sys, threading, time
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

moto = DomainDispatcherApplication(create_backend_app)
lock = threading.Lock()

def one_at_a_time(environ, start_response):
    with lock:
        return list(moto(environ, start_response))

def end_with_the_run(folder, pid):
    try:
        while os.path.exists(folder):
            os.kill(pid, 0)
            time.sleep(0.3)
    finally:
        os._exit(0)

threading.Thread(target=end_with_the_run, args=(sys.argv[2], int(sys.argv[3])), daemon=True).start()
run_simple("127.0.0.1", int(sys.argv[1]), one_at_a_time, threaded=True)
`;

/** A file that is skipped runs no hook: a server ends when its input does. */
const ENDS_WITH_THE_TEST: StdioOptions = ['pipe', 'ignore', 'ignore'];

export interface S3Server {
  readonly url: string;
  /** Settings for lakes in it, with a separate cache. @param endpoint another way to it */
  env(endpoint?: string): Record<string, string>;
  /** Creates a bucket. @param versioned the store keeps what is replaced and deleted. @returns its name */
  makeBucket(versioned?: boolean): Promise<string>;
  /** Keys of a bucket that have versions which are not current, and how many. */
  oldVersions(bucket: string): Promise<Map<string, number>>;
}

/** Installs moto. @returns starts it; `missing`: why it can't be started */
export function s3Server(): { start: () => Promise<S3Server> } | { missing: string } {
  const modules = installedMoto();
  return 'missing' in modules ? modules : { start: () => startMoto(modules) };
}

/** All files of a run share it: the first starts it, and it ends with the run. */
async function startMoto({ command, folder: modules }: { command: string; folder: string }): Promise<S3Server> {
  const folder = runFolder('s3');
  const address = path.join(folder, 'url');
  if (isFirst(path.join(folder, 'begun'))) {
    const port = await freePort();
    const child = spawn(command, ['-c', SERVER, String(port), folder, String(process.ppid)], {
      // Large parts go to disk: not to the folder of the file that starts it, which is removed with that file.
      env: { ...process.env, TMPDIR: folder, PYTHONPATH: modules, ...KEYS },
      stdio: 'ignore',
      detached: true,
    });
    child.unref();
    await untilItAnswers(child, `http://127.0.0.1:${port}`, 'moto');
    writeFileSync(`${address}.new`, `http://127.0.0.1:${port}`);
    renameSync(`${address}.new`, address);
  }
  for (const deadline = Date.now() + STARTED_WITHIN_MS; !existsSync(address); await sleep(100))
    if (Date.now() > deadline) throw new Error('moto did not start');
  return serverAt(readFileSync(address, 'utf8'));
}

/** Whether nobody has made the folder before. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

const VERSITYGW = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';

const BUILT_WITHIN_MS = 900_000;

/** Starts versitygw over a folder on disk, whose folders are buckets. It is built from source once, some minutes, if there is a Go. `missing`: why it can't be. */
export async function startVersitygw(
  folder = temporaryFolder(),
): Promise<(S3Server & { stop(): Promise<void> }) | { missing: string }> {
  const bin = path.join(cacheFolder(), 'versitygw-1.8.0');
  const executable = path.join(bin, 'versitygw');
  if (!existsSync(executable)) {
    // Files are loaded before the runner skips those that would not end in time.
    if (Date.now() + BUILT_WITHIN_MS > Number(process.env.FILINGLAKE_TEST_DEADLINE ?? Number.POSITIVE_INFINITY))
      return { missing: 'it is not built yet, and these tests have a time budget' };
    try {
      execFileSync('go', ['install', VERSITYGW], {
        env: { ...process.env, GOBIN: bin },
        stdio: 'pipe',
        timeout: BUILT_WITHIN_MS,
      });
    } catch (error) {
      const said = String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim();
      return { missing: `versitygw could not be built: ${said.split('\n').at(-1)}` };
    }
  }
  const port = await freePort();
  const keys = ['--access', KEYS.AWS_ACCESS_KEY_ID, '--secret', KEYS.AWS_SECRET_ACCESS_KEY];
  const command = [executable, '--port', `127.0.0.1:${port}`, ...keys, 'posix', folder];
  const untilTheTestEnds = '"$@" & cat >/dev/null; kill -9 $!';
  const child = spawn('sh', ['-c', untilTheTestEnds, 'sh', ...command], { stdio: ENDS_WITH_THE_TEST });
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(child, url, 'versitygw');
  return {
    ...serverAt(url),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((settle) => child.once('exit', settle));
      child.stdin?.end();
      await ended;
    },
  };
}

async function untilItAnswers(child: ChildProcess, url: string, name: string): Promise<void> {
  const deadline = Date.now() + STARTED_WITHIN_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.stdin?.end();
      throw new Error(`${name} did not start (exit code ${child.exitCode})`);
    }
    await sleep(100);
  }
}

function serverAt(url: string): S3Server {
  const credentials = { accessKeyId: KEYS.AWS_ACCESS_KEY_ID, secretAccessKey: KEYS.AWS_SECRET_ACCESS_KEY };
  const options = { endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials };
  return {
    url,
    env: (endpoint = url) => ({ ...KEYS, AWS_ENDPOINT_URL_S3: endpoint, FILINGLAKE_S3_CACHE: temporaryFolder() }),
    async makeBucket(versioned = false) {
      const { S3Client, CreateBucketCommand, PutBucketVersioningCommand } = await import('@aws-sdk/client-s3');
      const client = new S3Client(options);
      const bucket = `b-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      const VersioningConfiguration = { Status: 'Enabled' as const };
      if (versioned) await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }));
      client.destroy();
      return bucket;
    },
    async oldVersions(bucket) {
      const { S3Client, ListObjectVersionsCommand } = await import('@aws-sdk/client-s3');
      const client = new S3Client(options);
      const old = new Map<string, number>();
      let from: { KeyMarker?: string; VersionIdMarker?: string } | null = {};
      while (from) {
        const page: ListObjectVersionsOutput = await client.send(
          new ListObjectVersionsCommand({ Bucket: bucket, ...from }),
        );
        for (const { Key, IsLatest } of page.Versions ?? []) if (!IsLatest) old.set(Key!, (old.get(Key!) ?? 0) + 1);
        const { IsTruncated, NextKeyMarker, NextVersionIdMarker } = page;
        from = IsTruncated ? { KeyMarker: NextKeyMarker!, VersionIdMarker: NextVersionIdMarker! } : null;
      }
      client.destroy();
      return old;
    },
  };
}

/** They take any. */
const KEYS = {
  AWS_ACCESS_KEY_ID: 'AKIATESTTESTTESTTEST',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-test-which-nobody-may-print',
  AWS_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
};

function installedMoto(): { command: string; folder: string } | { missing: string } {
  const command = process.env.PYTHON ?? 'python3';
  let version: string;
  try {
    version = execFileSync(command, ['-c', 'import sys, pip; print(sys.version)'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return { missing: `${command} with pip is not there` };
  }
  const key = createHash('sha256')
    .update([version, ...PACKAGES].join('\n'))
    .digest('hex')
    .slice(0, 16);
  const folder = path.join(cacheFolder(), 's3-server', key);
  if (existsSync(folder)) return { command, folder };
  const building = `${folder}.${process.pid}`;
  try {
    mkdirSync(building, { recursive: true });
    const pip = ['-m', 'pip', 'install', '--quiet', '--only-binary=:all:', '--target', building, ...PACKAGES];
    execFileSync(command, pip, { stdio: 'pipe', timeout: 480_000 });
    renameSync(building, folder);
    return { command, folder };
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    if (existsSync(folder)) return { command, folder };
    const said = String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim();
    return { missing: `pip could not install ${PACKAGES.join(' ')}: ${said.split('\n').at(-1)}` };
  }
}

function cacheFolder(): string {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  return process.env.FILINGLAKE_CACHE ?? path.join(cache, 'filinglake');
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status > 0;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const { port } = server.address() as { port: number };
      server.close(() => settle(port));
    });
  });
}
