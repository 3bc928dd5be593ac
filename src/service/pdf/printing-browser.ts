/** One running browser, with a new context for each page that it prints. It never loads anything that a page links to. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { ServiceProblem, unavailable } from '../answers/problem.ts';
import { findBrowsers } from './find-browser.ts';
import { bodyWidthPoints, MARGIN_POINTS, PAGE_POINTS, type PageSize } from './page-geometry.ts';
import { tooLate } from './too-late.ts';

/** A browser is replaced after this many pages, since it leaks memory. */
const PRINTS_A_BROWSER = 40;
const LAUNCH_TIMEOUT_MS = 20_000;
/** A retry soon would not help: something must be installed first. */
const RETRY_AFTER_SECONDS = 3600;

const RETRY_AFTER_KILL_SECONDS = 5;

/** The filer's markup makes the renderer crash or refuse. A retry would fail too. */
function cannotBeRendered(cause: unknown): ServiceProblem {
  return new ServiceProblem(422, "the browser can't render this; ask for single documents, or without exhibits", {
    cause,
  });
}

const FLAGS = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--no-default-browser-check',
  '--font-render-hinting=none',
];

export class PrintingBrowser {
  #browser: Browser | null = null;
  #prints = 0;

  /**
   * @param deadline milliseconds since the epoch, at which the browser is ended
   * @throws ServiceProblem 422 if the browser fails on the page, 503 without a browser, 504 past the deadline
   */
  async print(html: string, pageSize: PageSize, deadline: number): Promise<Uint8Array> {
    const browser = await this.#warm();
    this.#prints++;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(tooLate()), Math.max(0, deadline - Date.now()));
    });
    try {
      return await Promise.race([printPage(browser, html, pageSize), late]);
    } catch (error) {
      // The next page gets a new browser.
      const wasKilled = !browser.isConnected();
      await this.close();
      if (error instanceof ServiceProblem) throw error;
      if (wasKilled) throw unavailable('the browser ended while it made the PDF', RETRY_AFTER_KILL_SECONDS);
      throw cannotBeRendered(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    const browser = this.#browser;
    this.#browser = null;
    this.#prints = 0;
    await browser?.close().catch(() => undefined);
  }

  async #warm(): Promise<Browser> {
    if (this.#prints >= PRINTS_A_BROWSER) await this.close();
    if (this.#browser?.isConnected()) return this.#browser;
    this.#browser = await launch();
    return this.#browser;
  }
}

async function printPage(browser: Browser, html: string, pageSize: PageSize): Promise<Uint8Array> {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true, serviceWorkers: 'block' });
  try {
    await context.route('**/*', (route) => route.abort());
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    const crashed = new Promise<never>((_resolve, reject) => {
      page.once('crash', () => reject(cannotBeRendered(new Error('the page crashed'))));
    });
    return await Promise.race([printed(page, html, pageSize), crashed]);
  } finally {
    await context.close().catch(() => undefined);
  }
}

async function printed(page: Page, html: string, pageSize: PageSize): Promise<Uint8Array> {
  await page.setContent(html, { waitUntil: 'load', timeout: 0 });
  await fitTables(page, pageSize);
  const inches = (points: number) => `${points / 72}in`;
  return await page.pdf({
    width: inches(PAGE_POINTS[pageSize][0]),
    height: inches(PAGE_POINTS[pageSize][1]),
    printBackground: true,
    margin: {
      top: inches(MARGIN_POINTS.top),
      bottom: inches(MARGIN_POINTS.bottom),
      left: inches(MARGIN_POINTS.side),
      right: inches(MARGIN_POINTS.side),
    },
  });
}

/** The first browser that starts. Its sandbox is on if the system allows it; for root it never does. */
async function launch(): Promise<Browser> {
  const failures: string[] = [];
  for await (const { executable, origin, environment } of findBrowsers(process.env)) {
    const sandboxes = process.getuid?.() === 0 ? [false] : [true, false];
    for (const chromiumSandbox of sandboxes) {
      try {
        const env = { ...definedOnly(process.env), ...environment };
        const options = { executablePath: executable, args: FLAGS, chromiumSandbox, timeout: LAUNCH_TIMEOUT_MS, env };
        return await chromium.launch({ ...options, handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
      } catch (error) {
        failures.push(`${origin}: ${reasonOf(error)}`);
      }
    }
  }
  const tried = failures.length > 0 ? ` Tried: ${[...new Set(failures)].join('; ')}.` : '';
  throw new ServiceProblem(
    503,
    `this service has no browser to make PDFs with. On its machine install Chromium (Debian, Ubuntu: apt-get install chromium fonts-liberation), or libnss3 libnspr4 libexpat1 for the one that comes with it, or name one in FILINGLAKE_CHROMIUM; every other operation works without.${tried}`,
    { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  );
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The useful line of a launch error: a missing library or file. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const library = /error while loading shared libraries: ([\w.+-]+)/.exec(text);
  if (library) return `${library[1]} is missing`;
  if (/executable doesn't exist|ENOENT/i.test(text)) return 'there is no such file';
  if (/no usable sandbox/i.test(text)) return 'no usable sandbox';
  if (/Timeout/.test(text)) return 'it did not start in time';
  return 'it does not start';
}

const PIXELS_A_POINT = 96 / 72;
/** Smaller type can't be read; a table that needs it is cut off. */
const SMALLEST_ZOOM = 0.3;

/** First without the filer's "nowrap", which is enough for most; then by size. All widths are read before any is changed. */
const FIT = `(() => {
  const tooWide = () => [...document.querySelectorAll('.fl-html table')].filter((table) => {
    const box = table.closest('.fl-html');
    return !table.parentElement.closest('table') && table.getBoundingClientRect().right > box.getBoundingClientRect().right + 1;
  });
  const wrapped = tooWide();
  for (const table of wrapped)
    for (const cell of [table, ...table.querySelectorAll('*')]) cell.style.setProperty('white-space', 'normal', 'important');
  const zooms = tooWide().map((table) => {
    const box = table.closest('.fl-html').getBoundingClientRect();
    const { left, right } = table.getBoundingClientRect();
    return [table, Math.max(${SMALLEST_ZOOM}, (box.right - Math.max(box.left, left)) / (right - left))];
  });
  for (const [table, zoom] of zooms) table.style.zoom = zoom;
})()`;

/** Lays the page out as it will be printed, and sets tables that don't fit smaller. */
async function fitTables(page: Page, size: PageSize): Promise<void> {
  const width = Math.floor(bodyWidthPoints(size) * PIXELS_A_POINT);
  await page.setViewportSize({ width, height: Math.floor(width * 1.3) });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(FIT);
}
