/** The pages of structured forms, as the service sends them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvRecords } from '../../../../src/core/index.ts';
import { itemPart } from '../../../../src/service/pages/index.ts';
import { TestService } from '../../../support/service/running-service.ts';
import { CURRENT } from '../../../support/service/small-catalog.ts';
import {
  BROKEN,
  FORM4,
  HOLDINGS,
  SCHEDULE,
  STRUCTURED_FORMS,
  UNMAPPED,
} from '../../../support/service/structured-forms.ts';

const OLDER = '0000100011-20-000001';
let service: TestService;
beforeAll(async () => {
  const [newest] = STRUCTURED_FORMS;
  const [document] = newest!.documents!;
  const body = document!.body.replace('>ACME</issuerTrading', '>ACMO</issuerTrading');
  const older = { ...newest!, accession: OLDER, filed: '20200304', documents: [{ ...document!, body }] };
  // The company as an owner of another: before all reports of its own insiders, and after them.
  const other = document!.body
    .replace('>0000100011</issuerCik', '>0000100088</issuerCik')
    .replace('>ACME</', '>OTHR</');
  const asOwner = ['20190304', '20250404'].map((filed, k) => ({
    ...newest!,
    accession: `0000100011-${filed.slice(2, 4)}-00000${k + 8}`,
    filed,
    cik: '0000100088',
    name: 'OTHER CORP',
    others: [['REPORTING-OWNER', '0000100011', 'ACME CORP']] as const,
    documents: [{ ...document!, body: other }],
  }));
  service = await TestService.start({ others: [...STRUCTURED_FORMS, older, ...asOwner] });
});
afterAll(() => service.stop());

const page = async (accession: string) => (await service.ask(`/filings/${accession}`)).bytes.toString();
const words = (text: string) =>
  text
    .replace(/<\/t[hd]>/g, '|')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ');

describe('the page of a company', () => {
  it('names who reported as its insider, and the names that it had', async () => {
    const text = (await service.ask('/companies/100011')).bytes.toString();
    expect(text).toMatch(
      new RegExp(
        `<h2>Insiders</h2>[\\s\\S]*<a href="/companies/100099">DOE JANE</a>[\\s\\S]*<a href="/filings/${FORM4}">Form 4</a>`,
      ),
    );
    expect(words(text)).toContain('Names before|ACME TRADING CO (EDGAR: 2019-04-01), as filed|');
    expect(words(text)).toContain(
      'Symbol in reports of insiders|ACMO (Form 4, 2020-03-04); ACME (Form 4, 2025-03-04)|',
    );
    expect(words(text)).toContain('CUSIP|333333333 (Schedule 13G, 2025-05-16)|');
    expect((await service.ask('/companies/100099')).bytes.toString()).not.toContain('Insiders');
  });

  it('names who holds it: by the schedules about it, and the newest report of each manager that lists its CUSIP', async () => {
    const text = (await service.ask('/companies/100011')).bytes.toString();
    expect(words(text)).toContain('BIG CAPITAL|Schedule 13G|2025-05-16|');
    expect(words(text.slice(text.indexOf('>Managers<')))).toContain('BIG CAPITAL|Form 13F-HR|2025-05-15|');
    expect(text).toContain(
      'href="/search?q=333333333&amp;form=13F-HR%2C13F-HR%2FA&amp;sort=date">All with 333333333</a>',
    );
  });
});

describe('the documentation', () => {
  it('has answers of this service about the company that its examples ask for', async () => {
    const text = (await service.ask('/docs')).bytes.toString();
    const [, cik] = /entity_lookup&quot;[\s\S]*?&quot;ciks&quot;:\[&quot;(\d+)/.exec(text)!;
    const answer = /aria-label="Example of an answer of entity_lookup">([\s\S]*?)<\/pre>/.exec(text)![1]!;
    expect(JSON.parse(answer.replaceAll('&quot;', '"')).entities).toEqual([expect.objectContaining({ cik })]);
  });
});

describe('the page of a filing', () => {
  it('shows the items of an 8-K with their text', async () => {
    expect(await page(CURRENT)).toContain(
      '<h2>2.02 Results of Operations and Financial Condition</h2><p>Gadgets sold well.</p>',
    );
  });

  it('shows the tables of an item of an 8-K as tables', () => {
    const item = { item: '5.02', title: 'Departure', exhibits: [] } as unknown as Parameters<typeof itemPart>[0];
    const { html } = itemPart(item, 'Item 5.02 Departure\n\nAwards:\n\nName\tAward\nDoe\t$1');
    expect(words(html.text).trim()).toBe('Awards:Name|Award|Doe|$1|');
  });

  it('shows a Form 4 as its tables, and exports them', async () => {
    const text = await page(FORM4);
    expect(text).toContain('<h1>ACME CORP: Form 4 of DOE JANE</h1>');
    expect(words(text)).toContain('Sale (S)|Disposed|12,000|151.50 F1|301,097|Direct|');
    expect(text).toContain('tables: [filings, documents, ownership]');
    expect(text).not.toContain('<script');
  });

  it('shows the holdings of a manager, with their change since the report before', async () => {
    const text = words(await page(HOLDINGS[1]));
    expect(text).toContain('Change since 2024-12-31|');
    expect(text).toContain('KEPT INC|COM|111111111|7,000|700|Shares|+500|KEPT INC|COM|111111111|8,000|800|Shares||');
    expect(text).toContain('NEW INC|COM|333333333|900|90|Shares|new|');
    expect(text).toContain('No longer held, of 2024-12-31: 1: SOLD INC.');
    expect(words(await page(HOLDINGS[0]))).not.toContain('Change since');
  });

  it('gives all rows of a table as CSV, and none of another form', async () => {
    const csv = (accession: string, table: string) => service.ask(`/filings/${accession}/tables/${table}.csv`);
    const { headers, bytes } = await csv(HOLDINGS[1], 'f13_holdings');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${HOLDINGS[1]}-f13_holdings.csv"`,
    });
    const [heads, ...rows] = [...csvRecords(bytes.toString())].map(({ cells }) => cells);
    const at = (name: string) => heads!.indexOf(name);
    expect(rows.map((row) => [row[at('name_of_issuer')], row[at('shares_or_principal')], row[at('put_call')]])).toEqual(
      [
        ['KEPT INC', '700', ''],
        ['KEPT INC', '800', ''],
        ['NEW INC', '90', ''],
      ],
    );
    const others = [csv(FORM4, 'f13_holdings'), csv(BROKEN, 'ownership_reports'), csv(HOLDINGS[1], 'nothing')];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('shows a schedule with its items in words, and shares of a class with four decimals at most', async () => {
    const text = words(await page(SCHEDULE));
    expect(text).toContain('Of the class, %|BIG CAPITAL|5.1235|');
    expect(text).toContain(
      'Item 1, Issuer name ACME CORPItem 3, Not applicable YesItem 4, Amount beneficially owned 10,000,000',
    );
  });

  it('shows the values of a form that has no tables, and says what it could not read', async () => {
    const unmapped = await page(UNMAPPED);
    expect(unmapped).toContain('<h2>Offices</h2>');
    expect(unmapped).toContain('&lt;script&gt;');
    const broken = await page(BROKEN);
    expect(broken).toContain('The form could not be read');
    expect(broken).toContain(`href="/filings/${BROKEN}/documents/1"`);
  });
});
