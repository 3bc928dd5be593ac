/**
 * Updates node_modules to package-lock.json, and puts `filinglake` into its .bin: fast if nothing changed. Needs no package itself.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { environmentFor, npm, npmReason, SetUpError } from '../bin/suitable-node.mjs';

const LOOK_AGAIN_MS = 200;

/**
 * @param {string} checkout its folder
 * @param {string} node path of the Node to install under: npm picks packages by it
 * @param {(line: string) => void} onMessage
 */
export async function installPackages(checkout, node, onMessage) {
  const modules = join(checkout, 'node_modules');
  const marker = join(modules, '.filinglake-installed');
  const wanted = `${createHash('sha256')
    .update(readFileSync(join(checkout, 'package-lock.json')))
    .digest('hex')} ${process.platform}-${process.arch}\n`;
  const isInstalled = () => existsSync(marker) && readFileSync(marker, 'utf8') === wanted;
  if (!isInstalled()) {
    const unlock = await lockInstallation(checkout, onMessage);
    try {
      // Another command may have installed while this one waited, or a person by hand.
      if (!isInstalled()) {
        if (!isLevel(checkout)) {
          onMessage('installing packages: about 750 MB on disk…');
          await proveRegistry(checkout);
          // No package needs its install script here: the results are in the packages already.
          const outcome = await npm(['ci', '--ignore-scripts'], { cwd: checkout, env: environmentFor(node), node });
          if (outcome.code !== 0) {
            throw new SetUpError(
              `the packages could not be installed: ${npmReason(outcome.output)}`,
              "let npm reach its registry and run this again; 'npm ci --ignore-scripts' shows all that npm says",
            );
          }
        }
        writeFileSync(marker, wanted);
      }
    } finally {
      unlock();
    }
  }
  linkCommand(checkout, modules);
}

/** Without network `npm ci` tries for minutes before it fails: so one package is requested first. */
async function proveRegistry(checkout) {
  const outcome = await npm(['view', 'zod', 'name'], { cwd: checkout });
  // Any other failure (a registry without zod, offline mode with a warm cache) is left to npm ci.
  if (
    outcome.code !== 0 &&
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/.test(outcome.output)
  ) {
    throw new SetUpError(
      `the packages can't be installed: ${npmReason(outcome.output)}`,
      'let npm reach its registry (network, proxy, npm config get registry) and run this again',
    );
  }
}

/** Whether npm's own record of its installation equals the lock file: after `npm install` by hand there is nothing to do. */
function isLevel(checkout) {
  const installedFile = join(checkout, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const { packages: locked } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'));
  const { packages: installed } = JSON.parse(readFileSync(installedFile, 'utf8'));
  for (const [path, entry] of Object.entries(locked)) {
    if (path === '' || (entry.optional && !installed[path])) continue;
    if (installed[path]?.version !== entry.version || installed[path]?.integrity !== entry.integrity) return false;
  }
  return Object.keys(installed).every((path) => locked[path]);
}

/** One installation at a time in a checkout: `npm ci` begins by deleting everything. The lock of a dead process is taken over. */
async function lockInstallation(checkout, onMessage) {
  mkdirSync(join(checkout, '.filinglake'), { recursive: true });
  const lock = join(checkout, '.filinglake', 'installing.lock');
  for (let said = false; ; ) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readHolder(lock);
    if (holder !== null && !runs(holder)) {
      rmSync(lock, { force: true });
    } else {
      if (!said) onMessage('another command installs packages; waiting for it…');
      said = true;
      await pause(LOOK_AGAIN_MS);
    }
  }
}

function readHolder(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    return pid > 0 ? pid : null; // empty for the moment between its creation and its writing
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function runs(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** So that `npx filinglake` runs this checkout. */
function linkCommand(checkout, modules) {
  const link = join(modules, '.bin', 'filinglake');
  if (lstatSync(link, { throwIfNoEntry: false })) return;
  mkdirSync(join(modules, '.bin'), { recursive: true });
  chmodSync(join(checkout, 'bin', 'filinglake.mjs'), 0o755);
  try {
    symlinkSync('../../bin/filinglake.mjs', link);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error; // another command made it at the same moment
  }
}
