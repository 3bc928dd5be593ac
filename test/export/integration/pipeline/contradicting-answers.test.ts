/** Answers that contradict each other, or what the lake has: nothing is lost in silence. */
import { describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import type { ExportDefinition } from '../../../../src/export/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { accessionNumber } from '../../../support/pipeline/activity-harness.ts';
import { ChangingService, type HeldFiling, heldFiling } from '../../../support/pipeline/changing-service.ts';
import { driveRun } from '../../../support/pipeline/driven-run.ts';

const FIRST = accessionNumber(1);

class Setting {
  readonly service: ChangingService;
  readonly lake: Lake;
  readonly #tables: string;
  /** Types of documents. */
  types = 'all';
  /** Codes of sections; empty: all. */
  codes: string[] = [];
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

  /** Requests of a run, without lookups. */
  async asked(refresh = false, tables = this.#tables): Promise<string[]> {
    this.service.asked = [];
    await this.run(refresh, this.service, tables);
    return this.service.asked.filter((one) => one !== 'filing_lookup').sort();
  }

  async count(from: string): Promise<number> {
    const [row] = await this.lake.query(`SELECT count(*)::INT AS n FROM ${from}`);
    return Number(row?.n);
  }

  #definition({ url }: ChangingService, refresh: boolean, tables: string): ExportDefinition {
    const yaml = `name: t\nservice: { base_url: "${url}" }\nselect: { date_from: 2020-01-01, form_types: [10-K] }
tables: [${tables}]\ndocuments: { types: [${this.types}] }\n${this.codes.length > 0 ? `sections: { codes: [${this.codes}] }\n` : ''}${refresh ? 'refresh: all\n' : ''}`;
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

  it('deletes sections only if filing_info lists none either', async () => {
    await using at = await Setting.of('filings, section_contents');
    await at.run();
    const { sections } = at.first;
    for (const absence of [null, {}]) {
      at.first.sections = absence;
      expect([await at.run(true), await at.run()]).toEqual([1, 1]);
      expect(await at.count('section_contents')).toBe(4);
      at.first.sections = sections;
      expect(await at.run()).toBe(0);
      expect(await at.count('section_contents')).toBe(4);
    }
    at.first.sections = null;
    at.first.listed = [];
    expect(await at.run(true)).toBe(0);
    expect(await at.count('section_contents')).toBe(2);
    expect(await at.asked()).toEqual([]);
  });

  it.each(['filings, section_contents', 'filings, sections, section_contents'])(
    'or another revision loses no section to a stray 404 (%s)',
    async (tables) => {
      await using at = await Setting.of(tables);
      at.first.filing.revision = 'a';
      await at.run();
      const { sections } = at.first;
      Object.assign(at.first, { sections: null, filing: { ...at.first.filing, revision: 'b' } });
      expect([await at.run(), await at.run()]).toEqual([1, 1]);
      expect(await at.count('section_contents')).toBe(4);
      at.first.sections = { ...sections, '1A': '<p>Corrected</p>' };
      expect(await at.run()).toBe(0);
      expect(await at.count(`section_contents WHERE html LIKE '%Corrected%'`)).toBe(1);
      expect(await at.count('section_contents')).toBe(4);
    },
  );

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

describe('sections that filing_info lists and filing_sections lacks', () => {
  it.each([true, false])('are a failure of the first run (lookups name documents: %s)', async (namesDocuments) => {
    await using at = await Setting.of('filings, documents, sections, section_contents, document_contents');
    at.service.namesDocuments = namesDocuments;
    at.first.sections = null;
    expect([await at.run(), await at.run()]).toEqual([1, 1]);
    at.first.listed = [];
    expect(await at.run(true)).toBe(0);
  });
});

describe('an answer of filing_sections', () => {
  const TABLES = 'filings, sections, section_contents';

  it('without one of the sections that filing_info lists, or with nothing in it, is a failure that keeps the others', async () => {
    await using at = await Setting.of(TABLES);
    const held = [...at.service.filings.values()];
    const { sections: whole } = at.first;
    const withheld = [{ 7: '<p>Discussion</p>' }, { '1A': '', 7: '<p>Discussion</p>' }];
    for (const [i, one] of held.entries()) one.sections = withheld[i]!;
    expect(await at.run()).toBe(2);
    expect(await at.count(`section_contents WHERE html LIKE '%Discussion%'`)).toBe(2);
    expect(await at.asked()).toEqual(held.map(({ filing }) => `filing_sections ${filing.accession_number}`));
    for (const one of held) one.sections = whole;
    expect(await at.run()).toBe(0);
    expect(await at.count(`section_contents WHERE html LIKE '%Risks%'`)).toBe(2);
    expect(await at.asked()).toEqual([]);
  });

  describe('with chosen codes', () => {
    const named = "section_contents WHERE section IN ('1A', '7')";

    it('has them in any spelling', async () => {
      await using at = await Setting.of(TABLES, heldFiling(1));
      at.codes = ['1A', '7'];
      at.first.listed = ['Item 1', 'Item 1a', 'ITEM 7.'];
      at.first.sections = { 'Item 1': 'a', 'ITEM 1A. RISK FACTORS': 'b', item_7: 'c', 'Part II, Item 8': 'd' };
      expect([await at.run(), await at.count('section_contents'), await at.count(named)]).toEqual([0, 2, 2]);
      expect(await at.count(named.replace('section_contents', 'sections'))).toBe(2);
    });

    it('keeps and names sections without a readable code: the service may mean the chosen ones', async () => {
      await using at = await Setting.of(TABLES, heldFiling(1));
      at.codes = ['1A', '7'];
      at.first.listed = ['risk_factors', 'mdna'];
      at.first.sections = { risk_factors: 'a', mdna: 'b' };
      expect([await at.run(), await at.count('section_contents')]).toEqual([2, 2]);
      expect(await at.count("coverage WHERE status = 'absent'")).toBe(0);
      expect(await at.count("export_failures WHERE value LIKE '%risk_factors, mdna%'")).toBe(2);
      at.first.listed = ['1', 'cover'];
      at.first.sections = { 1: 'a', cover: 'b' };
      expect([await at.run(true), await at.count('section_contents')]).toEqual([0, 0]);
    });
  });

  it('with codes that filing_info does not use is whole', async () => {
    await using at = await Setting.of(TABLES);
    at.first.sections = { 'II-1A': '<p>Risks</p>' };
    expect([await at.run(), await at.count('section_contents')]).toEqual([0, 3]);
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

describe('a lookup that names only some documents of a filing', () => {
  const SECOND = `${FIRST}-2`;

  async function setting(tables = 'filings, documents, document_contents', place = 0): Promise<Setting> {
    const held = heldFiling(1);
    held.inLookup = { documents: held.filing.documents.slice(place, place + 1) };
    return Setting.of(tables, held, heldFiling(2));
  }
  const contents = (at: Setting) => at.lake.query('SELECT document_id FROM document_contents ORDER BY 1');

  it('costs no document: filing_info names the others, and they are fetched with it', async () => {
    await using at = await setting();
    expect(await at.run()).toBe(0);
    expect([await at.count('documents'), await at.count('document_contents')]).toEqual([4, 4]);
    expect(await at.asked()).toEqual([]);
    at.first.contents[SECOND] = '<p>Corrected</p>';
    expect(await at.asked(true)).toHaveLength(6);
    expect(await at.count(`document_contents WHERE content LIKE '%Corrected%'`)).toBe(1);
    expect(await at.count('document_contents')).toBe(4);
    expect(await at.asked()).toEqual([]);
  });

  it('leaves a failure of those that are refused, until they are answered', async () => {
    await using at = await setting();
    at.service.lost.add(SECOND);
    expect(await at.run()).toBe(1);
    expect(await at.asked()).toEqual([`document ${SECOND}`, `filing_info ${FIRST}`]);
    at.service.lost.clear();
    expect(await at.run()).toBe(0);
    expect(await at.count('document_contents')).toBe(4);
    expect(await at.asked()).toEqual([]);
  });

  it('is not what decides about the main document, whichever it names', async () => {
    const held = [1, 2, 3].map((n) => heldFiling(n));
    for (const place of [0, 1])
      held[place]!.inLookup = { documents: held[place]!.filing.documents.slice(place, place + 1) };
    await using at = await Setting.of('filings, documents, document_contents', ...held);
    at.types = 'primary';
    expect(await at.run()).toBe(0);
    const primary = held.map(({ filing }) => ({ document_id: `${filing.accession_number}-1` }));
    expect(await contents(at)).toEqual(primary);
    expect(await at.asked()).toEqual([]);
    expect(await at.asked(true)).toHaveLength(6);
    expect(await contents(at)).toEqual(primary);
    at.types = 'all';
    expect(await at.run()).toBe(0);
    expect(await at.count('document_contents')).toBe(6);
    expect(await at.asked()).toEqual([]);
  });

  it('is known to another export, which needs filing_info for nothing else', async () => {
    await using at = await setting('filings, document_contents');
    await at.run(false, at.service, 'filings, documents');
    expect(await at.asked(false, 'filings, documents')).toEqual([]);
    expect(await at.run()).toBe(0);
    expect(await at.count('document_contents')).toBe(4);
    expect(await at.asked()).toEqual([]);
  });

  it('may name all of them later', async () => {
    await using at = await setting();
    await at.run();
    delete at.first.inLookup;
    expect(await at.run()).toBe(0);
    expect([await at.count('documents'), await at.count('document_contents')]).toEqual([4, 4]);
    at.first.inLookup = { documents: at.first.filing.documents.slice(0, 1) };
    expect(await at.run()).toBe(0);
    expect([await at.count('documents'), await at.count('document_contents')]).toEqual([4, 4]);
    expect(await at.asked()).toEqual([]);
  });

  it('and one that filing_info lacks: both are fetched, and the conflict is a failure', async () => {
    await using at = await setting(undefined, 1);
    const { documents } = at.first.filing;
    at.service.beforeAnswer = (asked) => {
      at.first.filing.documents = asked.startsWith('filing_info') ? documents.slice(0, 1) : documents;
    };
    for (let run = 0; run < 2; run++) {
      expect(await at.run()).toBe(1);
      expect([await at.count('documents'), await at.count('document_contents')]).toEqual([4, 4]);
    }
  });
});

describe('a document that filing_info lists no more', () => {
  it('loses its content in a refresh once its own request gets a 404', async () => {
    await using at = await Setting.of('filings, documents, document_contents');
    at.service.namesDocuments = false;
    await at.run();
    const [gone, hidden] = [...at.service.filings.values()] as [HeldFiling, HeldFiling];
    const whole = [gone, hidden].map(({ filing }) => filing.documents);
    const { document_id } = whole[0]![1]!;
    gone.filing.documents = whole[0]!.slice(0, 1);
    delete gone.contents[document_id];
    at.service.beforeAnswer = (asked) => {
      hidden.filing.documents = asked.startsWith('filing_info') ? whole[1]!.slice(0, 1) : whole[1]!;
    };
    expect(await at.run(true)).toBe(0);
    const left = await at.lake.query('SELECT document_id FROM document_contents ORDER BY 1');
    expect(left.map(({ document_id: id }) => id)).toEqual(
      whole.flatMap((documents) => documents.map((one) => one.document_id)).filter((id) => id !== document_id),
    );
    expect(await at.asked()).toEqual([]);
    at.service.beforeAnswer = () => {};
    for (const [i, { filing }] of [gone, hidden].entries()) filing.documents = whole[i]!;
    gone.contents[document_id] = '<p>Back</p>';
    expect(await at.run(true)).toBe(0);
    expect([await at.count('documents'), await at.count('document_contents')]).toEqual([4, 4]);
  });
});

describe('the first revision that a service states', () => {
  it('hides no correction that came with it, if the lookup tells one', async () => {
    await using at = await Setting.of('filings, documents, document_contents');
    await at.run();
    at.first.filing.revision = 'a';
    at.service.filings.get(accessionNumber(2))!.filing.revision = 'a';
    at.first.filing.size = 2_000;
    at.first.contents[`${FIRST}-1`] = '<p>Corrected</p>';
    expect(await at.asked()).toHaveLength(3);
    expect(await at.count(`document_contents WHERE content LIKE '%Corrected%'`)).toBe(1);
    expect(await at.asked()).toEqual([]);
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
