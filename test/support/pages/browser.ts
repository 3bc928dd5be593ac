/** A Chromium for tests of pages; null, and a line that says so, if none starts here. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findBrowsers } from '../../../src/service/pdf/find-browser.ts';

export async function startBrowser(): Promise<Browser | null> {
  for await (const { executable, environment } of findBrowsers(process.env)) {
    const args = ['--no-sandbox', '--disable-gpu'];
    const env = { ...process.env, ...environment } as Record<string, string>;
    const browser = await chromium.launch({ executablePath: executable, args, env }).catch(() => null);
    if (browser) return browser;
  }
  process.stderr.write('tests of pages in a browser are skipped: no Chromium starts here\n');
  return null;
}

/** The rules of axe that a page breaks, with the elements. */
export async function axeFindings(page: Page): Promise<string[]> {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // As a function's text: the pages allow no scripts, and the tests' own types know no page.
  const found = await page.evaluate(`(() => { ${source}; return axe.run(document, { iframes: false }); })()`);
  const { violations } = found as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
