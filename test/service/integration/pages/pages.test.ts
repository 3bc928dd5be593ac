/** The pages without a browser: what they hold, what they refuse, and what no page must give away. */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html } from '../../../../src/core/index.ts';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { OPERATIONS } from '../../../../src/filings/api/index.ts';
import { AccountDesk } from '../../../../src/service/accounts/index.ts';
import { exampleCode } from '../../../../src/service/pages/example-code.ts';
import { exportYaml } from '../../../../src/service/pages/index.ts';
import { ACCOUNT_PLANS, mailsIn, PASSWORD, tokenIn } from '../../../support/accounts/made-desk.ts';
import { TestService } from '../../../support/service/running-service.ts';
import { ANNUAL, CURRENT } from '../../../support/service/small-catalog.ts';

const CHECKOUT = join(import.meta.dirname, '../../../..');

let service: TestService;
let desk: AccountDesk;
beforeAll(async () => {
  service = await TestService.start({ plans: ACCOUNT_PLANS });
  desk = await AccountDesk.open({ catalogFolder: service.catalog.folder, plans: ACCOUNT_PLANS });
});
afterAll(async () => {
  await desk.close();
  await service.stop();
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const page = async (path: string, headers: Record<string, string> = {}) => {
  const { status, bytes, headers: answered } = await service.ask(path, { headers });
  return { status, text: bytes.toString(), headers: answered };
};
const send = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const body = new URLSearchParams(fields).toString();
  const {
    status,
    bytes,
    headers: answered,
  } = await service.ask(path, {
    method: 'POST',
    body,
    headers: { ...FORM, ...headers },
  });
  return {
    status,
    text: bytes.toString(),
    headers: answered,
    cookie: String(answered['set-cookie'] ?? '').split(';')[0]!,
  };
};
const formToken = (text: string) => /name="form" value="([^"]+)"/.exec(text)![1]!;
/** Logs somebody in, by a link of the operator. */
async function loggedIn(email: string) {
  const now = new Date();
  if (!(await desk.register.find(email, now))) await desk.register.create(email, null, 'free', 'operator', now);
  const token = await desk.links.make('log-in', email, null, now);
  const { cookie } = await send('/account/link', { token });
  const { text } = await page('/account', { cookie });
  return { cookie, form: formToken(text), text };
}

describe('html', () => {
  it('escapes every value, and joins lists', () => {
    const bad = `<script>"&'`;
    expect(html`<p title="${bad}">${bad}${null}${false}${[1, html`<b>2</b>`]}</p>`.text).toBe(
      '<p title="&lt;script&gt;&quot;&amp;&#39;">&lt;script&gt;&quot;&amp;&#39;1<b>2</b></p>',
    );
  });
});

describe('every page', () => {
  const paths = ['/', '/docs', '/plans', '/account', '/search?q=widgets', '/companies/100001', `/filings/${ANNUAL}`];

  it.each(paths)('%s has one heading, a title, a language, and no script or foreign address', async (path) => {
    const { status, text, headers } = await page(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>/);
    expect(text).not.toMatch(/<script|\son\w+=|style="|javascript:/);
    expect(text.match(/(?:src|action)="https?:|href="https?:(?!\/\/www\.sec\.gov\/)/g)).toBeNull();
  });

  it('forbids scripts, frames of other sites and use by other sites', async () => {
    for (const path of ['/', '/account', '/nothing/here']) {
      const { headers } = await page(path);
      if (path !== '/nothing/here') {
        expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('says what is wrong as a page, with its status', async () => {
    for (const path of ['/filings/0000000000-00-000000', '/companies/999', `/filings/${ANNUAL}/sections/99`]) {
      const { status, text } = await page(path);
      expect([status, text]).toEqual([404, expect.stringContaining('Not found')]);
    }
    expect((await page('/filings/<script>')).text).not.toContain('<script>');
  });
});

describe('pages on their way', () => {
  it('are packed if the browser takes that, but not those with the token of a form', async () => {
    const packed = { 'accept-encoding': 'gzip, br' };
    for (const path of ['/docs', '/search?q=widgets', '/style.css', `/filings/${ANNUAL}/documents/1?frame=1`]) {
      const { bytes, headers } = await service.ask(path, { headers: packed });
      expect([path, headers['content-encoding'], headers.vary]).toEqual([path, 'br', 'Accept-Encoding']);
      const whole = await service.ask(path);
      expect(whole.headers['content-encoding']).toBeUndefined();
      expect(brotliDecompressSync(bytes).equals(whole.bytes)).toBe(true);
      expect(bytes.length).toBeLessThan(whole.bytes.length / 2);
    }
    for (const path of ['/account', '/plans']) {
      expect((await service.ask(path, { headers: packed })).headers['content-encoding']).toBeUndefined();
    }
  });

  it('tell crawlers to start no searches', async () => {
    const { status, text, headers } = await page('/robots.txt');
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(text).toMatch(/^User-agent: \*\nDisallow: \/search\n/);
  });
});

describe('the documentation for programs that read', () => {
  const linksIn = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  const markdown = async (path: string) => {
    const { status, text, headers } = await page(path);
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
    return text;
  };

  it('has a list in llms.txt, whose links all arrive', async () => {
    const { status, text, headers } = await page('/llms.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toMatch(
      /^# filinglake\n\n> .+\n[\s\S]+\n## Guides\n\n- \[.+\]\(http:.+\): .+\n[\s\S]+\n## Reference\n[\s\S]+\n## Optional\n/,
    );
    const links = linksIn(text);
    expect(links.length).toBeGreaterThan(40);
    for (const link of links.filter((one) => one.endsWith('.md')))
      expect((await markdown(new URL(link).pathname)).length, link).toBeGreaterThan(300);
    expect((await page('/openapi.json')).status).toBe(200);
  });

  it('has every page as Markdown, whose links to other pages arrive', async () => {
    expect(await markdown('/docs.md')).toBe(await markdown('/docs/api.md'));
    for (const name of globSync('docs/**/*.md', { cwd: CHECKOUT })) {
      const text = await markdown(`/${name}`);
      expect(text).toBe(readFileSync(join(CHECKOUT, name), 'utf8'));
      for (const link of linksIn(text).filter((one) => /^[^:#]+\.md(#|$)/.test(one))) {
        const { pathname } = new URL(link, `http://x/${name}`);
        if (pathname.startsWith('/docs/')) expect((await page(pathname)).status, `${name}: ${link}`).toBe(200);
      }
    }
  });

  it('gives no other file', async () => {
    for (const path of [
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/..%2fpackage.json',
      '/docs/pipeline.svg',
      '/docs//etc/passwd',
    ])
      expect((await page(path)).status, path).toBe(404);
  });
});

describe('the documentation', () => {
  it('has every operation with every parameter, from the contract', async () => {
    const { text } = await page('/docs');
    for (const [name, { path, parameters }] of Object.entries(OPERATIONS)) {
      expect(text).toContain(`<h2 id="${name}">`);
      expect(text).toContain(path);
      for (const parameter of Object.keys(parameters.shape)) expect(text).toContain(`<code>${parameter}</code>`);
    }
  });

  it('has examples about a filing and a company of this service', async () => {
    const { text } = await page('/docs');
    expect(text).toContain(`{&quot;accession_number&quot;:&quot;${ANNUAL}&quot;}`);
    expect(text).toContain('{&quot;ciks&quot;:[&quot;100001&quot;]}');
  });

  it.each([
    ['curl', 'sh', ['-c']],
    ['Python', 'python3', ['-c']],
    ['Node.js', process.execPath, ['--input-type=module', '-e']],
  ])('has examples in %s that run as they are printed', async (language, program, options) => {
    const parameters = JSON.stringify({ entity_query: { name_includes: ["widget's", '"'] }, to: 2 });
    const [example] = exampleCode(`${service.service.url}/v2/filing_lookup`, parameters).filter(
      (one) => one.language === language,
    );
    const env = { ...process.env, KEY: service.key };
    const { stdout } = await promisify(execFile)(program, [...options, example!.code], { env }).catch((error) => {
      // A machine without this program.
      if (error.code === 'ENOENT') return { stdout: '{"count": 0, "filings": [], "truncated": false}' };
      throw error;
    });
    expect(stdout.replaceAll("'", '"').replace('False', 'false')).toMatch(/"?count"?: ?0/);
  });

  it('has the answer of each example beside it', async () => {
    const { text } = await page('/docs');
    for (const name of Object.keys(OPERATIONS)) expect(text).toContain(`aria-label="Example of an answer of ${name}"`);
    expect(text).toContain('&quot;items_8k&quot;');
  });

  it('states the values of an array, and says once what is required', async () => {
    const { text } = await page('/docs');
    expect(text).toContain('string[]: NASDAQ, NYSE, OTC, CBOE');
    expect(text).not.toMatch(/Required\. required/i);
  });

  it('sends an example with a key, which counts as one request, and repeats the key nowhere', async () => {
    const key = service.newKey('free');
    const fields = { operation: 'filing_info', key, parameters: JSON.stringify({ accession_number: ANNUAL }) };
    const { status, text } = await send('/docs/try', fields);
    expect([status, text]).toEqual([200, expect.stringContaining('WIDGET WORKS INC')]);
    expect(text).toContain('Status 200');
    expect(text).not.toContain(key);
    expect(service.used(key).requests).toBe(1);
    expect((await send('/docs/try', { ...fields, key: 'fl_none' })).text).toContain('Status 401');
    expect((await send('/docs/try', { ...fields, operation: 'constructor' })).status).toBe(400);
  });
});

describe('filings', () => {
  const shown = (name: string) => `/filings/${ANNUAL}/${name}`;

  it.each(['sections/1', 'documents/1', 'documents/annual.htm'])(
    '%s is shown in a sandbox that runs nothing',
    async (name) => {
      const framed = await page(`${shown(name)}?frame=1`);
      expect([framed.status, framed.text]).toEqual([200, expect.stringContaining('makes widgets')]);
      expect(framed.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'.*img-src 'self' data:/);
    },
  );

  it.each(['sections/1', 'documents/1'])(
    '%s alone in a window has the words of the service around it',
    async (name) => {
      for (const [path, asks] of [
        [shown(name), undefined],
        [shown(name), 'document'],
        [`${shown(name)}?frame=1`, 'document'],
      ] as const) {
        const { status, text } = await page(path, asks === undefined ? {} : { 'sec-fetch-dest': asks });
        expect([status, text]).toEqual([200, expect.stringContaining('Filed with the SEC by WIDGET WORKS INC')]);
        expect(text).not.toContain('makes widgets');
        expect(text).toContain(`<iframe class="whole" sandbox="" src="${shown(name)}?frame=1"`);
      }
      expect((await page(shown(name), { 'sec-fetch-dest': 'iframe' })).text).toContain('makes widgets');
    },
  );

  it('have their pictures under the names by which documents and sections name them', async () => {
    for (const name of ['3', 'logo.gif']) {
      const picture = await page(shown(`documents/${name}`));
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/gif']);
    }
    const { status, headers } = await page(shown('sections/logo.gif'));
    expect([status, headers.location]).toEqual([302, shown('documents/logo.gif')]);
    for (const name of ['other.gif', '..%2F..%2Fx.gif', '99'])
      expect((await page(shown(`documents/${name}`))).status).toBe(404);
  });

  it('have 8-K items with their exhibits, and a PDF for who is logged in', async () => {
    expect((await page(`/filings/${CURRENT}`)).text).toMatch(/<h2>2\.02 Results of Operations[\s\S]*Exhibit 99\.1/);
    const { cookie } = await loggedIn('reader@example.org');
    expect((await page(`/filings/${CURRENT}`, { cookie })).text).toContain(`/filings/${CURRENT}/pdf`);
    expect((await page(`/filings/${CURRENT}/pdf`)).headers.location).toBe('/account');
  });

  it('are found by words, with the words marked, and a bad search says why', async () => {
    expect((await page('/search?q=widgets')).text).toContain('<mark>widgets</mark>');
    expect((await page('/search?q=widget+works')).text).toContain('href="/companies/100001"');
    const best = await page('/search?q=widgets');
    expect(best.text).toMatch(/<h3><a href="\/filings\/[^"]+">[A-Z ]+: Form 10-[KQ]<\/a>/);
    expect(best.text).toContain('<option value="relevance" selected>');
    expect(best.text).not.toBe((await page('/search?q=widgets&sort=date')).text);
    const { status, text } = await page('/search?q=widgets&date_from=yesterday');
    expect([status, text]).toEqual([400, expect.stringContaining('date_from is invalid')]);
    expect((await page('/search?q=%3Cimg%20src%3Dx%3E')).text).not.toContain('<img');
  });

  it('of a search can be narrowed by form, year and company, and widened again', async () => {
    const { text } = await page('/search?q=widgets');
    const links = [...text.matchAll(/<li><a href="(\/search[^"]+)">[^<]+<\/a> <span class="soft">(\d+)/g)];
    expect(new Set(links.map(([, href]) => /&amp;(form|company|date_from)=/.exec(href!)![1]))).toEqual(
      new Set(['form', 'company', 'date_from']),
    );
    for (const [, href, count] of links) {
      const narrowed = await page(href!.replaceAll('&amp;', '&'));
      expect(narrowed.text).toContain(`${count} documents have these words.`);
      expect(narrowed.text).toMatch(
        /<li><strong>[^<]+<\/strong> <span class="soft">\d+<\/span> <a href="\/search\?q=widgets&amp;sort=relevance">all/,
      );
    }
    expect((await page('/search?q=widgets&company=x')).status).toBe(400);
    expect((await page('/search?q=no-such-words')).text).not.toContain('Narrow by');
  });

  it('come with a definition that filinglake export reads', async () => {
    const selections = [
      { ciks: ['320193'], forms: ['10-K'] },
      { ciks: ['320193'], query: 'goodwill' },
      { query: `"a" : {b}\n# 'c'`, date_from: '2024-01-01', date_to: '2024-02-01' },
      { accessionNumbers: [ANNUAL] },
    ];
    for (const selection of selections) {
      const text = exportYaml({ name: 'Widget & Works "Inc" #1', address: 'https://filings.example/', ...selection });
      const { definition } = parseExportDefinition(text, 'export.yaml', { FILINGLAKE_API_KEY: 'x' });
      expect([definition.name, definition.service.base_url]).toEqual(['widget-works-inc-1', 'https://filings.example']);
    }
  });
});

describe('a session', () => {
  it('is in a cookie that scripts can’t read, and new at each log-in', async () => {
    const planted = 'filinglake_session=planted';
    const now = new Date();
    await desk.register.create('fix@example.org', null, 'free', 'operator', now);
    const token = await desk.links.make('log-in', 'fix@example.org', null, now);
    const { headers, cookie, status } = await send('/account/link', { token }, { cookie: planted });
    expect([status, headers.location]).toEqual([303, '/account']);
    expect(headers['set-cookie']).toMatch(
      /^filinglake_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
    expect((await page('/account', { cookie: planted })).text).toContain('Log in');
    expect((await page('/account', { cookie })).text).toContain('fix@example.org');
  });

  it('ends with the log-out', async () => {
    const { cookie, form } = await loggedIn('out@example.org');
    expect((await send('/account/log-out', { form }, { cookie })).headers['set-cookie']).toContain('Max-Age=0');
    expect((await page('/account', { cookie })).text).not.toContain('out@example.org');
  });
});

describe('a form', () => {
  it.each([
    ['without its token', { form: '' }, {}],
    ['with a token of another session', { form: 'A'.repeat(43) }, {}],
    ['from another site', {}, { origin: 'https://evil.example' }],
    ['from a page without an origin', {}, { origin: 'null' }],
    ['that the browser says is from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['from a sister site', {}, { 'sec-fetch-site': 'same-site' }],
  ])('%s is refused', async (_name, fields, headers) => {
    const { cookie, form } = await loggedIn('forms@example.org');
    const { status } = await send('/account/keys', { form, name: 'x', ...fields }, { cookie, ...headers });
    expect(status).toBe(403);
    expect(await desk.keys.list((await desk.register.find('forms@example.org', new Date()))!.id)).toEqual([]);
  });

  it('of this service is taken', async () => {
    const { cookie, form } = await loggedIn('own@example.org');
    const headers = { cookie, origin: service.service.url, 'sec-fetch-site': 'same-origin' };
    const made = await send('/account/keys', { form, name: '<b>thesis' }, headers);
    expect([made.status, made.headers.location, made.text]).toEqual([303, '/account', '']);
    const after = await page('/account', { cookie: `${cookie}; ${made.cookie}` });
    expect(after.text).toMatch(/id="new-key">fl_\w{40}</);
    expect(after.text).toContain('&lt;b&gt;thesis');
    // The browser forgets it: a page loaded again shows no key, and makes none.
    expect(after.headers['set-cookie']).toMatch(/^filinglake_once=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/);
    expect((await page('/account', { cookie })).text).not.toMatch(/fl_\w{40}/);
    expect(await desk.keys.list((await desk.register.find('own@example.org', new Date()))!.id)).toHaveLength(1);
    // A cookie of another session, or a changed one, shows nothing.
    const other = await loggedIn('other@example.org');
    for (const once of [
      `${other.cookie}; ${made.cookie}`,
      `${cookie}; ${made.cookie.replace('=', '=A')}`,
      `${cookie}; filinglake_once=x`,
    ]) {
      expect((await page('/account', { cookie: once })).text).not.toMatch(/fl_\w{40}/);
    }
  });

  it('that names a plan which is not offered gets 400', async () => {
    const { cookie, form } = await loggedIn('plans@example.org');
    for (const plan of ['nope', '__proto__', 'constructor', '', 'x'.repeat(9_000)]) {
      const { status, text } = await send('/account/plan', { form, plan }, { cookie });
      expect([plan.slice(0, 20), status]).toEqual([plan.slice(0, 20), 400]);
      expect(text).toContain('is not offered');
    }
  });

  it('for the log-in is refused from another site, so that nobody is logged in as somebody else', async () => {
    const fields = { email: 'own@example.org', password: PASSWORD };
    expect((await send('/account/log-in', fields, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('of another person’s key does nothing', async () => {
    const owner = await loggedIn('owner@example.org');
    await send('/account/keys', { form: owner.form, name: 'mine' }, { cookie: owner.cookie });
    const { id } = (await desk.register.find('owner@example.org', new Date()))!;
    const [{ prefix } = { prefix: '' }] = await desk.keys.list(id);
    const thief = await loggedIn('thief@example.org');
    const { status } = await send('/account/keys/revoke', { form: thief.form, key: prefix }, { cookie: thief.cookie });
    expect([status, (await desk.keys.list(id)).length]).toEqual([404, 1]);
  });
});

describe('a sign-up on the page', () => {
  it('answers the same for a new and a known address', async () => {
    const known = await loggedIn('known@example.org');
    expect(known.text).toContain('known@example.org');
    const answers = await Promise.all(
      ['known@example.org', 'fresh@example.org'].map((email) => send('/account/sign-up', { email, password: '' })),
    );
    expect(answers[0]!.text).toBe(answers[1]!.text);
    await expect
      .poll(() => mailsIn(service.catalog.folder).filter(({ to }) => to === 'fresh@example.org').length)
      .toBe(1);
    const token = tokenIn(mailsIn(service.catalog.folder).find(({ to }) => to === 'fresh@example.org')!);
    // To look at the link uses nothing up.
    for (let k = 0; k < 2; k++) expect((await page(`/account/link?token=${token}`)).status).toBe(200);
    expect((await send('/account/link', { token })).status).toBe(303);
    expect((await page(`/account/link?token=${token}`)).status).toBe(400);
  });
});
