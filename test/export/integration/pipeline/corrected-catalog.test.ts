/**
 * A catalog whose submissions are corrected between two exports: what another revision says is fetched again, and the lake is the one
 * that a fresh export makes.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { tableNamed } from '../../../../src/lake/tables/index.ts';
import { stateOnEdgar } from '../../../../src/service/catalog/index.ts';
import { type MadeUpSubmission, ncOf, txtOf } from '../../../support/catalog/synthetic-filings.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';
import { OwnService } from '../../../support/pipeline/own-service.ts';
import { runs } from '../../../support/property-runs.ts';
import { quickIt as it, slowIt } from '../../../support/tier-cases.ts';

const TABLES = [
  'filings',
  'documents',
  'filing_headers',
  'parties',
  'party_addresses',
  'sections',
  'section_contents',
  'items_8k',
  'exhibits_8k',
  'document_contents',
  'annual_report_sections',
  'ownership_reports',
  'ownership_holdings',
];
const { definition } = parseExportDefinition(
  `name: t\nselect: {}\ntables: [${TABLES.join(', ')}]\ndocuments: { types: [all], text: true, annual_report: true }`,
  't.yaml',
  {},
);
const PROSE = 'Net sales grew by four percent over the year, since prices rose. '.repeat(20);
const annual = (words: string) =>
  `<html><body>${['Item 1. Business', 'Item 1A. Risk Factors', 'Item 7. Management’s Discussion and Analysis']
    .map((heading) => `<p><b>${heading}</b></p><p>${words} ${PROSE}</p>`)
    .join('')}</body></html>`;
const report = (words: string) =>
  `<html><body><p><b>Management's Discussion and Analysis</b></p><p>${words} ${PROSE}</p></body></html>`;
const current = (words: string) =>
  `<html><body><p>Item 8.01 Other Events</p><p>${words}</p><p>Item 9.01 Financial Statements and Exhibits</p><p>99.1 A release</p></body></html>`;
const ownership = (
  shares: number,
) => `<?xml version="1.0"?><ownershipDocument><documentType>4</documentType><issuer><issuerCik>0000000007</issuerCik></issuer>
  <nonDerivativeTable><nonDerivativeHolding><securityTitle><value>Common</value></securityTitle><postTransactionAmounts><sharesOwnedFollowingTransaction><value>${shares}</value></sharesOwnedFollowingTransaction></postTransactionAmounts>
  </nonDerivativeHolding></nonDerivativeTable></ownershipDocument>`;

const numbered = (n: number) => `0000000007-24-${String(n).padStart(6, '0')}`;
const FORMS = ['10-K', '8-K', '4', '10-K'];

function filed(n: number): MadeUpSubmission {
  const form = FORMS[n % FORMS.length]!;
  const main = { '10-K': annual(`In ${n}`), '8-K': current(`In ${n}`), '4': ownership(n) }[form]!;
  return {
    accession: numbered(n),
    form,
    date: '2024-05-06',
    acceptance: '2024-05-06T10:11:12',
    ...(form === '8-K' ? { items: ['Other Events', 'Financial Statements and Exhibits'] } : {}),
    parties: [{ cik: '7', name: 'Seven Seas Inc', sic: '4400', state: 'DE', city: 'PORT' }],
    documents: [
      { content: main, filename: form === '4' ? 'form4.xml' : 'main.htm' },
      { type: form === '10-K' ? 'EX-13' : 'EX-99.1', content: report(`Of ${n}`), filename: 'ex.htm' },
    ],
  };
}

/** A change of a submission; null: it is withdrawn. */
const CHANGES: Record<string, (s: MadeUpSubmission, by: number) => MadeUpSubmission | null> = {
  'the same bytes again': (s) => s,
  'a word of the main document': (s, by) =>
    withContent(s, 0, (text) => text.replace(/In \d+|(?<=<value>)\d+/g, (w) => `${w}${by}`)),
  'a word of the exhibit': (s, by) =>
    withContent(s, s.documents.length - 1, (text) => text.replace('Of ', `Of ${by} `)),
  'another party': (s, by) => ({ ...s, parties: [{ ...s.parties[0]!, city: `PORT ${by}` }] }),
  'one more document': (s, by) => ({
    ...s,
    documents: [...s.documents, { content: `More ${by}`, filename: `more${by}.txt` }],
  }),
  'one less': (s) => (s.documents.length === 1 ? s : { ...s, documents: s.documents.slice(0, -1) }),
  'another form': (s) => ({ ...s, form: s.form === '10-K' ? '8-K' : '10-K' }),
  'another time': (s, by) => ({ ...s, acceptance: `2024-05-06T10:11:${String(by % 60).padStart(2, '0')}` }),
  withdrawn: () => null,
};

function withContent(s: MadeUpSubmission, at: number, change: (text: string) => string): MadeUpSubmission {
  return {
    ...s,
    documents: s.documents.map((document, i) =>
      i === at ? { ...document, content: change(document.content) } : document,
    ),
  };
}

/** A catalog with a service. */
class Served extends OwnService {
  readonly submissions = new Map<number, MadeUpSubmission>();
  readonly withdrawn = new Set<string>();

  async store(n: number, submission: MadeUpSubmission | null): Promise<void> {
    await this.ingest(submission === null ? ncOf({ ...filed(n), documents: [] }, 'DELETION') : txtOf(submission));
    if (submission !== null) return void this.submissions.set(n, submission);
    this.submissions.delete(n);
    this.withdrawn.add(numbered(n));
  }

  export(lake: LakeOfRuns, ...more: [numbers?: readonly string[], meanwhile?: () => Promise<void>]): Promise<string[]> {
    return this.exportTo(lake, definition, ...more);
  }
}

const newLake = async () => new LakeOfRuns(await openLake(temporaryFolder(), { create: true }));

/** An older selector stays with the rows of all exports. */
const OF_RUNS = new Set(['run_id', 'fetched_at', 'selector']);

async function rowsOf(lake: LakeOfRuns, without: ReadonlySet<string>): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  for (const table of [...TABLES, 'coverage']) {
    const rows = await lake.rows(
      `SELECT * FROM ${table} ORDER BY ${tableNamed(table)?.key.join(', ') ?? 'accession_number, step'}`,
    );
    tables[table] = rows
      .filter(({ status }) => table !== 'coverage' || status === 'done')
      .filter((row) => !without.has(String(row.accession_number ?? String(row.document_id).slice(0, 20))))
      .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !OF_RUNS.has(name))));
  }
  return tables;
}

async function differences(lake: LakeOfRuns, fresh: LakeOfRuns, without: ReadonlySet<string>): Promise<void> {
  const [is, should] = [await rowsOf(lake, without), await rowsOf(fresh, without)];
  for (const table of Object.keys(should)) expect.soft(is[table], table).toEqual(should[table]);
}

describe('a corrected catalog', () => {
  const served = new Served();
  const corrections = Object.entries(CHANGES).filter(([name]) => name !== 'withdrawn');
  beforeAll(async () => {
    for (let n = 0; n < 2 * corrections.length; n++) await served.store(n, filed(n));
    await served.start();
  });
  afterAll(() => served.stop());

  it('gives the lake of a fresh export, whatever was corrected, at the requests of the corrected filings', async () => {
    const lake = await newLake();
    await served.export(lake);
    for (const [n, [, change]] of corrections.entries()) await served.store(n, change(filed(n), 9));
    const asked = await served.export(lake);
    const fresh = await newLake();
    const all = await served.export(fresh);
    await differences(lake, fresh, new Set());
    expect(await served.export(lake)).toEqual([]);
    // Each corrected filing whole; one of them was stored again as it was, and eight were left alone.
    expect([asked.length, all.length]).toEqual([26, 60]);
  });

  it('is noticed by a lookup if the filings were first taken from a list', async () => {
    const lake = await newLake();
    const numbers = [0, 1, 2].map((n) => numbered(n + corrections.length));
    await served.export(lake, numbers);
    const n = corrections.length;
    await served.store(n, CHANGES['a word of the main document']!(filed(n), 5));
    // The list alone shows nothing.
    expect(await served.export(lake, numbers)).toEqual([]);
    await served.export(lake);
    const fresh = await newLake();
    await served.export(fresh);
    await differences(lake, fresh, new Set());
    await served.store(n, filed(n));
  });

  it('is noticed by the next export if it was corrected between a lookup and its fetch', async () => {
    const lake = await newLake();
    const n = corrections.length;
    await served.export(lake, undefined, () => served.store(n, CHANGES['a word of the exhibit']!(filed(n), 7)));
    expect((await served.export(lake)).length).toBe(4);
    const fresh = await newLake();
    await served.export(fresh);
    await differences(lake, fresh, new Set());
    await served.store(n, filed(n));
  });

  it('has the filings that EDGAR withdrew, fetched again by the next export, and no others', async () => {
    const lake = await newLake();
    await served.export(lake);
    const [n, at] = [corrections.length, '2026-11-26T18:00:00.000Z'];
    const catalog = join(served.folder, 'catalog');
    const stated = () =>
      lake.rows(
        `SELECT accession_number AS n, withdrawn_at = '${at}'::TIMESTAMPTZ AS is, checked_at IS NULL AS unchecked FROM filing_headers WHERE withdrawn_at IS NOT NULL`,
      );
    await stateOnEdgar({ withdrawn: new Map([[numbered(n), at]]) }, catalog);
    expect((await served.export(lake)).length).toBe(4);
    expect(await stated()).toEqual([{ n: numbered(n), is: true, unchecked: true }]);
    // That EDGAR was only asked is no reason for a request.
    await stateOnEdgar({ checked: { accessions: [numbered(n)], at } }, catalog);
    expect(await served.export(lake)).toEqual([]);
    await stateOnEdgar({ withdrawn: new Map() }, catalog);
    expect((await served.export(lake)).length).toBe(4);
    expect(await stated()).toEqual([]);
    const fresh = await newLake();
    await served.export(fresh);
    await differences(lake, fresh, new Set());
  });

  slowIt('does so after any changes, with exports between them; what is withdrawn stays', async () => {
    const step = fc.record({
      n: fc.integer({ min: 0, max: 2 * corrections.length - 1 }),
      change: fc.constantFrom(...Object.keys(CHANGES)),
      by: fc.integer({ min: 1, max: 99 }),
      isExported: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const lake = await newLake();
        await served.export(lake);
        for (const { n, change, by, isExported } of steps) {
          const before = served.submissions.get(n);
          if (before) await served.store(n, CHANGES[change]!(before, by));
          if (isExported) await served.export(lake);
        }
        await served.export(lake);
        const fresh = await newLake();
        await served.export(fresh);
        await differences(lake, fresh, served.withdrawn);
        expect(await served.export(lake)).toEqual([]);
      }),
      { numRuns: runs(4), endOnFailure: true },
    );
  });
});
