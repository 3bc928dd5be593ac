/** Finds a Chromium for printing: named by the environment, installed on the system, or from an npm package. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { makeFolders } from '../../core/index.ts';

interface FoundBrowser {
  executable: string;
  /** In words: for logs and errors */
  origin: string;
  /** Environment variables that it needs besides the service's own */
  environment: Readonly<Record<string, string>>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'headless_shell'];
const MAC_APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const FONTS_FILE = 'filinglake-fonts.conf';

/** The browsers to try, best first. @param environment `FILINGLAKE_CHROMIUM`: the only one to try; `none`: none */
export async function* findBrowsers(environment: NodeJS.ProcessEnv): AsyncGenerator<FoundBrowser> {
  const named = environment.FILINGLAKE_CHROMIUM;
  if (named === 'none') return;
  if (named) {
    yield { executable: named, origin: `FILINGLAKE_CHROMIUM=${named}`, environment: {} };
    return;
  }
  const folders = [
    ...(environment.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    '/usr/bin',
    '/snap/bin',
  ];
  const installed = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC_APPLICATIONS].find(
    (path) => existsSync(path),
  );
  if (installed) yield { executable: installed, origin: installed, environment: {} };
  // Used only if no other starts: unpacking it takes 66 MB.
  const packaged = await packagedBrowser(environment);
  if (packaged) yield packaged;
}

/**
 * The browser of @sparticuz/chromium (Linux on x86-64), unpacked once into the cache folder. The package would unpack into the
 * system's temporary folder, where anyone may have put a file of that name before. So it unpacks into a new folder, which is
 * renamed when it is complete.
 */
async function packagedBrowser(environment: NodeJS.ProcessEnv): Promise<FoundBrowser | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const version = await packageVersion('@sparticuz/chromium');
  if (version === null) return null;
  const cache = cacheFolder(environment);
  const home = join(cache, `chromium-${version}`);
  const executable = join(home, 'chromium');
  if (!existsSync(executable)) {
    makeFolders(resolve(cache), { statSync, mkdirSync, dirname });
    const folder = await mkdtemp(join(cache, 'chromium-unpacking-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      const { default: chromium } = await import('@sparticuz/chromium');
      await chromium.executablePath();
      await writeFile(join(folder, FONTS_FILE), fontSettings(join(home, 'fonts')));
      await rename(folder, home);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      // Another process may have been quicker. After any other error, this machine can't use this browser.
      if (!existsSync(executable)) throw error;
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  }
  // A machine may have no fonts: the package has some.
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(home, FONTS_FILE) };
  return { executable, origin: `@sparticuz/chromium ${version}`, environment: fonts };
}

/** The package's own settings look for its fonts in the system's temporary folder. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${folder}</dir><cachedir>${folder}-cache</cachedir></fontconfig>\n`;
}

function cacheFolder(environment: NodeJS.ProcessEnv): string {
  return environment.FILINGLAKE_CACHE ?? join(environment.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'filinglake');
}

/** Null if the package isn't installed (`npm install --omit=optional`, another platform). */
async function packageVersion(name: string): Promise<string | null> {
  for (const root of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const file = join(root, name, 'package.json');
    if (existsSync(file)) return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
  }
  return null;
}
