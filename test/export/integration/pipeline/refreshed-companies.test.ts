/**
 * Companies that the lake has, and that are requested again: in a refresh, and when a lookup states a new name. Whole runs against
 * a service that a test changes.
 */
import { describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { accessionNumber } from '../../../support/pipeline/activity-harness.ts';
import { ChangingService, entityOf, heldFiling } from '../../../support/pipeline/changing-service.ts';
import { driveRun } from '../../../support/pipeline/driven-run.ts';

const COMPANIES = 'filings, entities, entity_tickers, entity_addresses';

interface Run {
  tables?: string;
  /** Of the definition: `select` and more. */
  more?: string;
  name?: string;
}

async function setting(companies: number, filingsOfEach = 1) {
  const service = await ChangingService.start();
  for (let n = 0; n < companies * filingsOfEach; n++) {
    const cik = String(1 + (n % companies));
    const filing_date = `20${String(10 + Math.floor(n / companies)).padStart(2, '0')}-03-01`;
    service.hold(heldFiling(n + 1, { cik, entity_name: `COMPANY ${cik}`, filing_date }));
  }
  const lake = await openLake(temporaryFolder(), { create: true });
  let runs = 0;
  /** The requests for companies of a run. */
  const run = async ({ tables = COMPANIES, more = '', name = 't' }: Run = {}): Promise<number> => {
    const yaml = `name: ${name}\nservice: { base_url: "${service.url}" }\ntables: [${tables}]\n${more || 'select: { date_from: 2001-01-01 }'}`;
    service.asked = [];
    const { definition } = parseExportDefinition(yaml, 't.yaml', {});
    const { finished } = await driveRun(lake, definition, `r${++runs}`);
    expect(finished.missing).toEqual([]);
    return service.asked.filter((one) => one === 'entity_lookup').length;
  };
  const rename = (cik: string, to: string, tickers = ['NEW', 'NEW-P']) => {
    service.entities.set(cik, { ...entityOf(cik), name: to, tickers, exchanges: ['NYSE', 'NYSE'] });
  };
  const state = (cik: string, name: string) => {
    for (const { filing } of service.filings.values()) if (filing.cik === cik) filing.entity_name = name;
  };
  const end = async () => {
    expect((await checkLake(lake)).problems).toEqual([]);
    await lake.close();
    await service[Symbol.asyncDispose]();
  };
  return { service, lake, run, rename, state, [Symbol.asyncDispose]: end };
}

const named = (lake: Lake, cik: string) =>
  lake.query(
    `SELECT name, string_agg(ticker, ' ' ORDER BY position) AS tickers FROM entities JOIN entity_tickers USING (cik)
     WHERE cik = '${cik}' GROUP BY ALL`,
  );
const RENAMED = [{ name: 'ANOTHER NAME', tickers: 'NEW NEW-P' }];
const countsOf = async (lake: Lake) => {
  const sql = ['entities', 'entity_tickers', 'entity_addresses'].map((table) => `(SELECT count(*)::INT FROM ${table})`);
  return Object.values((await lake.query(`SELECT ${sql.map((one, i) => `${one} AS t${i}`).join(', ')}`))[0]!);
};
const LIST = `select: { accession_numbers: [${[1, 2].map(accessionNumber).join(', ')}] }`;

describe('a refresh', () => {
  it.each([
    ['of a selection', 'select: { date_from: 2001-01-01 }'],
    ['of a list of accession numbers', LIST],
    ['with `entities.refresh: never`', 'select: { date_from: 2001-01-01 }\nentities: { refresh: never }'],
  ])('%s requests the companies again, a hundred a request, and doubles nothing', async (_of, more) => {
    await using at = await setting(102);
    await at.run({ more });
    const counts = await countsOf(at.lake);
    at.rename('2', 'ANOTHER NAME');
    expect(await at.run({ more })).toBe(0);
    expect(await at.run({ more: `${more}\nrefresh: all` })).toBe(more === LIST ? 1 : 2);
    expect(await named(at.lake, '2')).toEqual(RENAMED);
    expect(await countsOf(at.lake)).toEqual(counts);
    expect(await at.run({ more })).toBe(0);
  });

  it('of the last days requests only companies of their filings', async () => {
    await using at = await setting(3);
    at.service.filings.get(accessionNumber(2))!.filing.filing_date = new Date().toISOString().slice(0, 10);
    const more = 'select: { date_from: 2001-01-01 }';
    await at.run({ more });
    for (const cik of ['1', '2']) at.rename(cik, 'ANOTHER NAME');
    expect(await at.run({ more: `${more}\nrefresh: 5d` })).toBe(1);
    expect(await named(at.lake, '2')).toEqual(RENAMED);
    expect(await named(at.lake, '1')).toEqual([{ name: 'COMPANY 1', tickers: 'A B' }]);
  });

  it('keeps the rows of a company that is not answered, and each run asks for it until it is', async () => {
    await using at = await setting(2);
    await at.run();
    at.service.entityAnswer = (found) => found.filter(({ cik }) => cik !== '2');
    expect(await at.run({ more: 'select: { date_from: 2001-01-01 }\nrefresh: all' })).toBe(1);
    expect(await named(at.lake, '2')).toEqual([{ name: 'COMPANY 2', tickers: 'A B' }]);
    expect(await at.lake.query('SELECT subject, code FROM export_failures')).toEqual([
      { subject: '2', code: 'entity-not-found' },
    ]);
    expect(await at.run()).toBe(1);
    at.service.entityAnswer = (found) => found;
    at.rename('2', 'ANOTHER NAME');
    expect(await at.run()).toBe(1);
    expect(await named(at.lake, '2')).toEqual(RENAMED);
    expect(await at.lake.query('SELECT * FROM export_failures')).toEqual([]);
    expect(await at.run()).toBe(0);
  });
});

describe('a new name in a lookup', () => {
  it('of all filings of a company requests it again, a hundred companies a request', async () => {
    await using at = await setting(102);
    expect(await at.run()).toBe(2);
    const counts = await countsOf(at.lake);
    for (let n = 1; n <= 102; n++) {
      at.rename(String(n), 'ANOTHER NAME');
      at.state(String(n), 'Another Name, Inc.');
    }
    expect(await at.run()).toBe(2);
    expect(await named(at.lake, '101')).toEqual(RENAMED);
    expect(await countsOf(at.lake)).toEqual(counts);
    expect(await at.run()).toBe(0);
  });

  it('of a new filing alone requests it again', async () => {
    await using at = await setting(3, 2);
    await at.run();
    at.rename('2', 'ANOTHER NAME');
    at.service.hold(heldFiling(99, { cik: '2', entity_name: 'ANOTHER NAME', filing_date: '2024-05-01' }));
    expect(await at.run()).toBe(1);
    expect(await named(at.lake, '2')).toEqual(RENAMED);
    expect(await at.run()).toBe(0);
  });

  it('of a filing that is listed by its number requests it again', async () => {
    await using at = await setting(2);
    const parts = await at.run({ more: `select: { accession_numbers: [${accessionNumber(1)}] }` });
    expect(parts).toBe(1);
    at.rename('1', 'ANOTHER NAME');
    at.service.hold(heldFiling(99, { cik: '1', entity_name: 'ANOTHER NAME', filing_date: '2024-05-01' }));
    const more = `select: { accession_numbers: [${[1, 99].map(accessionNumber).join(', ')}] }`;
    expect(await at.run({ more })).toBe(1);
    expect(await named(at.lake, '1')).toEqual(RENAMED);
    expect(await at.run({ more })).toBe(0);
  });

  it('that an export without companies has read first is noticed by the next one with them', async () => {
    await using at = await setting(2);
    await at.run();
    at.rename('1', 'ANOTHER NAME');
    at.state('1', 'ANOTHER NAME');
    expect(await at.run({ tables: 'filings', name: 'other' })).toBe(0);
    expect(await at.run()).toBe(1);
    expect(await named(at.lake, '1')).toEqual(RENAMED);
    expect(await at.run()).toBe(0);
  });

  it('that is always spelled otherwise, or never stated, costs nothing', async () => {
    await using at = await setting(3, 2);
    const stated = { 1: 'Company 1, /DE/', 2: 'company, 2.', 3: null };
    for (const { filing } of at.service.filings.values()) filing.entity_name = stated[Number(filing.cik) as 1];
    expect(await at.run()).toBe(1);
    expect(await at.run()).toBe(0);
    for (const [cik, entity_name] of Object.entries(stated))
      at.service.hold(heldFiling(90 + Number(cik), { cik, entity_name, filing_date: '2024-05-01' }));
    for (let run = 3; run <= 4; run++) expect(await at.run()).toBe(0);
  });

  it('that the service answers nothing new about costs one request', async () => {
    await using at = await setting(3, 2);
    await at.run();
    at.state('2', 'COMPANY TWO');
    expect(await at.run()).toBe(1);
    at.service.hold(heldFiling(99, { cik: '2', entity_name: 'COMPANY TWO', filing_date: '2024-05-01' }));
    for (let run = 3; run <= 4; run++) expect(await at.run()).toBe(0);
  });

  it('that only older filings have costs nothing, in the first run and when a selection grows into the past', async () => {
    await using at = await setting(3, 4);
    for (const { filing } of at.service.filings.values())
      if (String(filing.filing_date) < '2012') filing.entity_name = `FORMERLY ${filing.cik}`;
    expect(await at.run({ more: 'select: { date_from: 2013-01-01 }' })).toBe(1);
    for (let run = 1; run <= 2; run++) expect(await at.run()).toBe(0);
    await using other = await setting(3, 4);
    for (const { filing } of other.service.filings.values()) filing.entity_name = `FORMERLY ${filing.filing_date}`;
    expect(await other.run()).toBe(1);
    expect(await other.run()).toBe(0);
  });
});
