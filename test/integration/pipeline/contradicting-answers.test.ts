/** Answers that contradict each other, or what the lake has: nothing is lost in silence. */
import { describe, expect, it } from 'vitest';
import { type ExportDefinition, parseExportDefinition } from '../../../src/export/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { accessionNumber } from '../../support/pipeline/activity-harness.ts';
import { ChangingService, type HeldFiling, heldFiling } from '../../support/pipeline/changing-service.ts';
import { driveRun } from '../../support/pipeline/driven-run.ts';

const FIRST = accessionNumber(1);

class Setting {
  readonly service: ChangingService;
  readonly lake: Lake;
  readonly #tables: string;
  #runs = 0;

  private constructor(service: ChangingService, lake: Lake, tables: string) {
    this.service = service;
    this.lake = lake;
    this.#tables = tables;
  }

  static async of(tables: string, ...held: HeldFiling[]): Promise<Setting> {
    const filings = held.length > 0 ? held : [heldFiling(1), heldFiling(2)];
    const service = await ChangingService.start(...filings);
    return new Setting(service, await openLake(temporaryFolder(), { create: true }), tables);
  }

  get first(): HeldFiling {
    return this.service.filings.get(FIRST)!;
  }

  /** @returns the failures that it leaves */
  async run(refresh = false, service = this.service, tables = this.#tables): Promise<number> {
    const { finished } = await driveRun(this.lake, this.#definition(service, refresh, tables), `r${++this.#runs}`);
    return finished.failures;
  }

  async count(from: string): Promise<number> {
    const [row] = await this.lake.query(`SELECT count(*)::INT AS n FROM ${from}`);
    return Number(row?.n);
  }

  #definition({ url }: ChangingService, refresh: boolean, tables: string): ExportDefinition {
    const yaml = `name: t\nservice: { base_url: "${url}" }\nselect: { date_from: 2020-01-01, form_types: [10-K] }
tables: [${tables}]\ndocuments: { types: [all] }\n${refresh ? 'refresh: all\n' : ''}`;
    return parseExportDefinition(yaml, 't.yaml', {}).definition;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lake.close();
    await this.service[Symbol.asyncDispose]();
  }
}

describe('a refresh', () => {
  it.each([true, false])('keeps the failure of a value that it finds unchanged (ETags: %s)', async (hasEtags) => {
    await using at = await Setting.of('filings, parties, party_former_names');
    at.first.parties[0]!.former_names = [{ name: 'OLD', date_of_change: '2024-02-31' }];
    at.service.hasEtags = hasEtags;
    expect(await at.run()).toBe(1);
    expect(await at.run(true)).toBe(1);
    expect(await at.run()).toBe(1);
    at.first.parties[0]!.former_names = [{ name: 'OLD', date_of_change: '2024-02-28' }];
    expect(await at.run(true)).toBe(0);
  });

  it.each([true, false])('finds what changed before other tables were fetched (ETags: %s)', async (hasEtags) => {
    await using at = await Setting.of('filings, parties');
    at.service.hasEtags = hasEtags;
    await at.run();
    at.first.parties[0]!.name = 'ANOTHER NAME';
    await at.run(false, at.service, 'filings, documents');
    await at.run(true);
    expect(await at.count(`parties WHERE name = 'ANOTHER NAME'`)).toBe(1);
  });

  it('deletes sections only after a second answer that has none', async () => {
    await using at = await Setting.of('filings, section_contents');
    await at.run();
    const { sections } = at.first;
    for (const absence of [null, {}]) {
      at.first.sections = absence;
      expect(await at.run(true)).toBe(1);
      expect(await at.count('section_contents')).toBe(4);
      at.first.sections = sections;
      expect(await at.run()).toBe(0);
      expect(await at.count('section_contents')).toBe(4);
    }
    at.first.sections = null;
    expect([await at.run(true), await at.run()]).toEqual([1, 0]);
    expect(await at.count('section_contents')).toBe(2);
  });

  it('sends no ETag of another service', async () => {
    await using at = await Setting.of('filings, parties, document_contents');
    await using other = await ChangingService.start(heldFiling(1), heldFiling(2));
    at.service.etag = other.etag = '"1"';
    await at.run();
    other.filings.get(FIRST)!.contents[`${FIRST}-1`] = '<p>As the other has it</p>';
    await at.run(true, other);
    expect(await at.count(`document_contents WHERE content LIKE '%other%'`)).toBe(1);
  });
});

describe('a document that a lookup left out once', () => {
  it('is fetched again, also if later lookups name none', async () => {
    await using at = await Setting.of('filings, documents, document_contents');
    await at.run();
    const { documents } = at.first.filing;
    at.first.filing.documents = documents.slice(0, 1);
    await at.run();
    expect(await at.count('document_contents')).toBe(3);
    at.first.filing.documents = documents;
    at.service.namesDocuments = false;
    await at.run();
    expect(await at.count('document_contents')).toBe(4);
  });
});

describe('filing_info without a document that the lookup names', () => {
  it('leaves the row of the lookup, and is requested again until it has the document', async () => {
    await using at = await Setting.of('filings, documents, document_contents');
    const { documents } = at.first.filing;
    at.service.beforeAnswer = (asked) => {
      at.first.filing.documents = asked.startsWith('filing_info') ? documents.slice(0, 1) : documents;
    };
    expect(await at.run()).toBe(1);
    expect([await at.count('documents'), await at.count('document_contents')]).toEqual([4, 4]);
    expect(await at.run()).toBe(1);
    at.service.beforeAnswer = () => {};
    at.first.filing.documents = documents;
    expect(await at.run()).toBe(0);
    expect(await at.count('documents WHERE size IS NOT NULL')).toBe(4);
  });
});

describe('a filing that lookups leave out', () => {
  it('keeps what filing_info does not state', async () => {
    await using at = await Setting.of('filings, documents');
    await at.run();
    at.first.isHidden = true;
    const { filing_date, entity_name } = at.first.filing;
    at.service.beforeAnswer = (asked) => {
      const isInfo = asked.startsWith('filing_info');
      Object.assign(at.first.filing, isInfo ? { filing_date: null, entity_name: null } : { filing_date, entity_name });
    };
    await at.run();
    expect(await at.count(`filings WHERE filing_date = '2024-03-01' AND entity_name = 'COMPANY 1'`)).toBe(2);
  });
});

describe('entities by CIK', () => {
  it('listed twice with other content: the first is stored, and the second is a failure', async () => {
    await using at = await Setting.of('filings, entities, entity_tickers');
    at.service.entityAnswer = (list) => [...list, ...list.map((entity) => ({ ...entity, name: 'SECOND' }))];
    expect(await at.run()).toBe(1);
    expect(await at.lake.query('SELECT cik, name FROM entities')).toEqual([{ cik: '1', name: 'COMPANY 1' }]);
    expect(await at.lake.query('SELECT step, subject, code FROM export_failures')).toEqual([
      { step: 'entity', subject: '1', code: 'contract-broken' },
    ]);
    expect(await at.count('entity_tickers')).toBe(2);
  });
});
