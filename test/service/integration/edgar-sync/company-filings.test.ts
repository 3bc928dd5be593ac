/** Filings of companies by SEC's own records of them: the same filings as by all indexes, for some requests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readSubmissionsJson } from '../../../../src/filings/edgar/index.ts';
import { type FetchSelection, selectFilings } from '../../../../src/service/edgar-sync/index.ts';
import { filingsOfIndex } from '../../../../src/service/edgar-sync/indexes.ts';
import { sharedFolder } from '../../../support/shared.ts';
import type { LocalFiling } from './local-edgar.ts';
import { SimulatedEdgar } from './simulated-edgar.ts';

const CIK = '320193';
const RECORD = `/submissions/CIK${CIK.padStart(10, '0')}.json`;
const PAGE = `CIK${CIK.padStart(10, '0')}-submissions-001.json`;

const columns = (filings: readonly LocalFiling[]) => ({
  accessionNumber: filings.map(({ accession }) => accession),
  filingDate: filings.map(({ filingDate }) => filingDate),
  form: filings.map(({ form }) => form),
});

/** Three closed years of a company's filings, the first two in an older page; and one of this quarter that the record lacks yet. */
async function withRecord(): Promise<{ one: SimulatedEdgar; all: LocalFiling[] }> {
  const one = await SimulatedEdgar.start();
  const at = (day: string, form: string) => one.filing(Date.parse(`${day}T15:00:00Z`), { form, filingDate: day });
  const old = [at('2022-02-01', '10-K'), at('2023-02-01', '10-K')];
  const recent = [at('2024-02-01', '10-K'), at('2024-05-01', '8-K')];
  const late = at('2025-03-03', '10-K');
  one.edgar.publish(...old, ...recent, late);
  const other = { form: '10-K', filingDate: '2024-02-01', parties: [{ cik: '789019', name: 'Other', role: 'Filer' }] };
  one.edgar.publish(one.filing(Date.parse('2024-02-01T15:00:00Z'), other));
  for (const quarter of ['2022/QTR1', '2023/QTR1', '2024/QTR1', '2024/QTR2'])
    one.edgar.writeQuarter(quarter, '2024-12-31');
  one.edgar.writeQuarter('2024/QTR4', '2024-12-31');
  one.edgar.writeQuarter('2025/QTR1', '2025-03-03');
  one.edgar.records.set(RECORD, {
    cik: CIK,
    name: 'Example Orchards Inc',
    entityType: 'operating',
    filings: {
      recent: columns(recent),
      files: [{ name: PAGE, filingCount: 2, filingFrom: '2022-02-01', filingTo: '2023-02-01' }],
    },
  });
  one.edgar.records.set(`/submissions/${PAGE}`, columns(old));
  return { one, all: [...old, ...recent, late] };
}

const select = (one: SimulatedEdgar, selection: FetchSelection) =>
  one.inSession(async (session) => {
    const selected = await selectFilings(session, selection);
    return { plan: selected.plan, filings: [...selected.pages('missing')].flat() };
  });
const accessions = (filings: readonly { accession_number: string }[]) =>
  filings.map(({ accession_number }) => accession_number).sort();
const quartersAsked = (one: SimulatedEdgar) =>
  new Set(
    one.edgar.asked
      .filter(({ path }) => path.includes('full-index'))
      .map(({ path }) => path.split('/')[4]! + path.split('/')[5]!),
  ).size;

describe('a selection of companies', () => {
  it('is found in their records and the indexes of the open quarters', async () => {
    const { one, all } = await withRecord();
    await using _ = one;
    const { filings, plan } = await select(one, { ciks: [CIK] });
    expect(accessions(filings)).toEqual(all.map(({ accession }) => accession).sort());
    expect(plan).toMatchObject({ read: { quarters: 2, company_records: 2 }, unindexed: [] });
    expect(quartersAsked(one)).toBe(2);
    const { filings: reports } = await select(one, {
      ciks: [CIK],
      forms: ['10-K'],
      from: '2023-01-01',
      to: '2024-12-31',
    });
    expect(reports.map(({ filing_date }) => filing_date).sort()).toEqual(['2023-02-01', '2024-02-01']);
  });

  it.each<[string, (one: SimulatedEdgar) => void]>([
    ['is not there', ({ edgar }) => edgar.records.delete(RECORD)],
    ['is of another company', ({ edgar }) => edgar.records.set(RECORD, { ...edgar.records.get(RECORD), cik: '1' })],
    ['names a page that is not there', ({ edgar }) => edgar.records.delete(`/submissions/${PAGE}`)],
    ['names more filings than its page has', ({ edgar }) => edgar.records.set(`/submissions/${PAGE}`, columns([]))],
    ['can’t be read', ({ edgar }) => edgar.records.set(RECORD, { cik: CIK, filings: 1 })],
  ])('is found in the indexes if a record %s', async (_, spoil) => {
    const { one, all } = await withRecord();
    await using _one = one;
    spoil(one);
    const { filings, plan } = await select(one, { ciks: [CIK] });
    expect(accessions(filings)).toEqual(all.map(({ accession }) => accession).sort());
    expect(plan.read).toMatchObject({ company_records: 0 });
    expect(plan.read.quarters).toBeGreaterThan(100);
  });

  it('is found in the indexes if those cost less', async () => {
    const { one } = await withRecord();
    await using _ = one;
    const ciks = Array.from({ length: 60 }, (_, n) => String(1000 + n));
    const { plan } = await select(one, { ciks: [CIK, ...ciks], from: '2024-01-01', to: '2024-12-31' });
    expect(plan).toMatchObject({ filings: 2, read: { quarters: 4, company_records: 0 } });
    expect(one.edgar.asked.some(({ path }) => path.startsWith('/submissions/'))).toBe(false);
  });

  it('says what finding the filings costs before it reads them', async () => {
    const { one } = await withRecord();
    await using _ = one;
    const lines: string[] = [];
    await one.inSession((session) => selectFilings(session, { ciks: [CIK] }, (line) => lines.push(line)));
    expect(lines[0]).toBe(
      'finding the filings in 2 records of companies and 2 quarterly indexes (2 to download, about 12 MB)',
    );
  });
});

const JSONS = sharedFolder === null ? '' : join(sharedFolder, 'edgar/json');

describe.skipIf(!existsSync(JSONS))('the real records of companies', () => {
  it('name every filing that the real daily indexes name of their companies, as the indexes do', () => {
    const indexes = ['feeds/indexes/master.20200103', 'indexes/company.20221003', 'indexes/form.20200318'];
    const rows = indexes.flatMap((name) => [
      ...filingsOfIndex(gunzipSync(readFileSync(join(JSONS, '..', `${name}.idx.gz`)))).values(),
    ]);
    let compared = 0;
    for (const name of readdirSync(JSONS).filter((file) => /^CIK\d{10}\.json$/.test(file))) {
      const { entity, filings } = readSubmissionsJson(readFileSync(join(JSONS, name)));
      const days = filings.map(({ filingDate }) => filingDate).sort();
      const byNumber = new Map(filings.map((filing) => [filing.accessionNumber as string, filing]));
      for (const { accession_number, ciks, form_type, filing_date } of rows) {
        // Earlier ones are in older pages, which are not at hand.
        if (!ciks.includes(String(entity?.cik)) || filing_date <= days[0]! || filing_date > days.at(-1)!) continue;
        expect(byNumber.get(accession_number)).toMatchObject({ formType: form_type, filingDate: filing_date });
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(10);
  });
});
