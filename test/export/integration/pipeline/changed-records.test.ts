/** Exports of different tables into one lake, while the service's records change: nothing is lost, and nothing is asked that is not needed. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FilingClient } from '../../../../src/export/client/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { clientOf, listedSection } from '../../../support/pipeline/activity-harness.ts';
import { definitionOf, filingOfLookup, infoOf, LakeOfRuns, partyOf } from '../../../support/pipeline/lake-of-runs.ts';

const FILINGS = 300;
const ALL = definitionOf(
  'filings, parties, documents, sections, section_contents, document_contents',
  'documents: { types: [all] }',
);
const DEAR = { ...ALL, name: 'dear' };
const CHEAP = { ...definitionOf('filings'), name: 'cheap' };

/**
 * A service with the current state of these filings, which records its requests. Its answers state the acceptance time of a filing.
 */
class Service {
  readonly filings: Map<string, Filing>;
  asked: string[] = [];

  constructor(filings: readonly Filing[]) {
    this.filings = new Map(filings.map((filing) => [filing.accession_number, filing]));
  }

  change(n: number, over: Partial<Filing>): void {
    const filing = filingOfLookup(n);
    this.filings.set(filing.accession_number, { ...this.filings.get(filing.accession_number)!, ...over });
  }

  get records(): Filing[] {
    return [...this.filings.values()];
  }

  get client(): Partial<FilingClient> {
    const of = (number: string) => this.filings.get(number)!;
    const textOf = (what: string, id: string) => {
      this.asked.push(`${what} ${id}`);
      return String(of(id.slice(0, 20)).acceptance_datetime);
    };
    return clientOf({
      info: (number) => {
        const text = textOf('info', number);
        const sections = ['1A', '7'].map((code) => listedSection(code, text));
        return { ...infoOf(of(number)), parties: [partyOf('1', text)], sections };
      },
      sections: (number) => {
        const html = textOf('sections', number);
        return ['1A', '7'].map((code) => [code, html]);
      },
      document: (id) => textOf('document', id),
    });
  }
}

async function setting(filings = FILINGS) {
  const runs = new LakeOfRuns(await openLake(temporaryFolder(), { create: true }));
  const service = new Service(
    Array.from({ length: filings }, (_, n) => filingOfLookup(n + 1, { report_date: '2024-01-31' })),
  );
  const run = async (definition: typeof DEAR, records = service.records) => {
    service.asked = [];
    const planned = await runs.lookUp(definition, { records });
    await runs.fetch(planned, service.client);
    return { planned, asked: service.asked.length };
  };
  const counts = async () => {
    const tables = ['filings', 'parties', 'documents', 'sections', 'section_contents', 'document_contents', 'coverage'];
    const [row] = await runs.rows(`SELECT ${tables.map((t) => `(SELECT count(*)::INT FROM ${t}) AS ${t}`).join(', ')}`);
    return row;
  };
  const older = async () => (await checkLake(runs.lake)).older_revisions;
  onTestFinished(async () => expect((await checkLake(runs.lake)).problems).toEqual([]));
  return { runs, service, run, counts, older };
}

const LATER = '2024-03-05T12:00:00';

describe('an export of few tables behind one of all', () => {
  it('loses nothing of the other one’s rows, and requests only changed content', async () => {
    const { runs, service, run, counts, older } = await setting();
    const perFiling = 4;
    expect((await run(DEAR)).asked).toBe(FILINGS * perFiling);
    const whole = {
      filings: 300,
      parties: 300,
      documents: 600,
      sections: 600,
      section_contents: 600,
      document_contents: 600,
      coverage: 1500,
    };
    expect(await counts()).toEqual(whole);

    // Names of ninety change; ten of them were accepted again, five have one more document.
    for (let n = 1; n <= 90; n++) service.change(n, { entity_name: `NEW NAME ${n}` });
    for (let n = 1; n <= 10; n++) service.change(n, { acceptance_datetime: LATER });
    for (let n = 11; n <= 15; n++) {
      const { accession_number, documents } = filingOfLookup(n);
      const more = { ...documents[0]!, document_id: `${accession_number}-3`, sequence: 3, type: 'EX-2' };
      service.change(n, { documents: [...documents, more] });
    }
    const cheap = await run(CHEAP);
    expect(cheap.asked).toBe(0);
    expect(cheap.planned).toMatchObject({ known: 210, failures: 0 });
    expect(await counts()).toEqual(whole);
    expect(await runs.rows(`SELECT count(*)::INT AS n FROM filings WHERE entity_name LIKE 'NEW NAME%'`)).toEqual([
      { n: 90 },
    ]);
    expect(await runs.rows(`SELECT DISTINCT name FROM parties WHERE name <> '2024-03-01T10:00:00'`)).toEqual([]);
    // Of fifteen filings info, sections, and two documents each.
    expect(await older()).toEqual({ filings: 15, steps: { info: 15, sections: 15, document: 30 } });
    expect(await run(CHEAP)).toMatchObject({ asked: 0, planned: { known: 300, committed: null } });

    const again = await run(DEAR);
    expect(again.asked).toBe(15 * perFiling + 5);
    expect(await older()).toEqual({ filings: 0, steps: {} });
    expect(await counts()).toEqual({ ...whole, documents: 605, document_contents: 605, coverage: 1505 });
    for (const [table, column] of [
      ['parties', 'name'],
      ['sections', 'heading'],
      ['section_contents', 'html'],
      ['document_contents', 'content'],
    ]) {
      const others = `SELECT DISTINCT accession_number FROM ${table} WHERE ${column} = '${LATER}'`;
      expect(await runs.rows(`SELECT count(*)::INT AS n FROM (${others})`), table).toEqual([{ n: 10 }]);
    }
    expect(await run(DEAR)).toMatchObject({ asked: 0, planned: { known: 300, committed: null } });
  });

  it('keeps the rest of an answer that another export requested: one of parties alone replaces documents and sections too', async () => {
    const { runs, service, run, older } = await setting(3);
    await run(DEAR);
    service.change(1, { acceptance_datetime: LATER });
    const parties = { ...definitionOf('filings, parties'), name: 'parties' };
    expect((await run(parties)).asked).toBe(1);
    expect(await runs.rows(`SELECT count(*)::INT AS n FROM sections WHERE heading = '${LATER}'`)).toEqual([{ n: 2 }]);
    expect(await runs.rows('SELECT count(size)::INT AS n FROM documents')).toEqual([{ n: 6 }]);
    expect(await older()).toEqual({ filings: 1, steps: { sections: 1, document: 2 } });
    expect((await run(DEAR)).asked).toBe(3);
  });

  it('replaces documents of the lookup with the record that names them', async () => {
    const { runs, service, run } = await setting(2);
    const bare = { ...definitionOf('filings, documents', 'documents: { sizes: false }'), name: 'bare' };
    await run(bare);
    const { documents } = filingOfLookup(1);
    service.change(1, { documents: documents.slice(0, 1) });
    await run(CHEAP);
    expect(await runs.rows('SELECT count(*)::INT AS n FROM documents')).toEqual([{ n: 3 }]);
    expect(await run(bare)).toMatchObject({ planned: { known: 2, committed: null } });
  });

  it('is requested again if filing_info wrote the documents, though none of their sizes are wanted', async () => {
    const { runs, service, run } = await setting(2);
    await run(DEAR);
    const { documents } = filingOfLookup(1);
    service.change(1, { documents: documents.slice(0, 1) });
    const bare = { ...definitionOf('filings, documents', 'documents: { sizes: false }'), name: 'bare' };
    expect((await run(bare)).asked).toBe(1);
    expect(await runs.rows('SELECT count(size)::INT AS n FROM documents')).toEqual([{ n: 3 }]);
  });
});

describe('a service that begins to state a value', () => {
  it('requests nothing again, writes its value, and sees a later change of it', async () => {
    const { runs, service, run, older } = await setting(4);
    for (let n = 1; n <= 4; n++)
      service.change(n, { size: null, acceptance_datetime: null, entity_name: null, report_date: null });
    await run(DEAR);
    for (let n = 1; n <= 4; n++)
      service.change(n, {
        size: 7,
        acceptance_datetime: '2024-03-01T10:00:00',
        entity_name: 'A',
        report_date: '2024-01-31',
      });
    expect((await run(CHEAP)).asked).toBe(0);
    expect(await runs.rows('SELECT count(size)::INT AS n, count(acceptance_datetime)::INT AS m FROM filings')).toEqual([
      { n: 4, m: 4 },
    ]);
    expect((await run(DEAR)).asked).toBe(0);
    expect(await older()).toEqual({ filings: 0, steps: {} });
    service.change(1, { acceptance_datetime: LATER });
    expect((await run(CHEAP)).asked).toBe(0);
    expect(await older()).toEqual({ filings: 1, steps: { info: 1, sections: 1, document: 2 } });
    expect((await run(DEAR)).asked).toBe(4);
  });
});

describe('a service that states revisions', () => {
  const state = (service: Service, n: number, revision: string) => service.change(n, { revision });

  it('has exactly the filings of another revision fetched again, and nothing doubled', async () => {
    const { service, run, counts, older } = await setting(4);
    for (let n = 1; n <= 4; n++) state(service, n, `first-${n}`);
    await run(DEAR);
    const before = await counts();
    expect(await run(DEAR)).toMatchObject({ asked: 0, planned: { known: 4, committed: null } });
    state(service, 2, 'second-2');
    expect(await run(CHEAP)).toMatchObject({ asked: 0, planned: { known: 3 } });
    expect(await older()).toEqual({ filings: 1, steps: { info: 1, sections: 1, document: 2 } });
    expect((await run(DEAR)).asked).toBe(4);
    expect(await counts()).toEqual(before);
    expect(await older()).toEqual({ filings: 0, steps: {} });
    expect(await run(DEAR)).toMatchObject({ asked: 0, planned: { known: 4, committed: null } });
  });

  it('is believed from its first statement on: a lake made before is not fetched again', async () => {
    const { service, run, counts, older } = await setting(3);
    await run(DEAR);
    const before = await counts();
    for (let n = 1; n <= 3; n++) state(service, n, `first-${n}`);
    expect((await run(DEAR)).asked).toBe(0);
    expect(await run(DEAR)).toMatchObject({ asked: 0, planned: { known: 3, committed: null } });
    state(service, 1, 'second-1');
    expect((await run(DEAR)).asked).toBe(4);
    expect([await counts(), await older()]).toEqual([before, { filings: 0, steps: {} }]);
  });

  it('and one that states none change nothing of each other, and a correction is noticed once', async () => {
    const { runs, service, run } = await setting(3);
    const stating = (revision: string) =>
      service.records.map((filing) => ({ ...filing, revision: `${revision} of ${filing.accession_number}` }));
    const { records } = service;
    await run(DEAR, stating('first'));
    const version = await runs.lake.currentVersion();
    for (const from of [records, stating('first'), records])
      expect(await run(DEAR, from)).toMatchObject({ asked: 0, planned: { known: 3 } });
    expect(await runs.lake.currentVersion()).toBe(version);
    expect((await run(DEAR, stating('second'))).asked).toBe(12);
    for (const from of [records, stating('second')])
      expect(await run(DEAR, from)).toMatchObject({ asked: 0, planned: { committed: null } });
  });
});

describe('two services that spell and state differently, into one lake', () => {
  it('change nothing of each other, run after run', async () => {
    const { runs, service, run } = await setting(5);
    const one = service.records.map((filing) => ({ ...filing, entity_name: 'Größe & Söhne AG' }));
    const other = one.map((filing) => ({
      ...filing,
      entity_name: 'GRÖßE SÖHNE  AG.',
      size: null,
      report_date: null,
      acceptance_datetime: null,
      documents: filing.documents.toReversed(),
    }));
    const at = (base_url: string) => ({ ...DEAR, service: { ...DEAR.service, base_url } });
    await run(at('http://one.test'), one);
    await runs.end();
    const version = await runs.lake.currentVersion();
    for (let n = 0; n < 2; n++) {
      expect(await run(at('http://other.test'), other)).toMatchObject({ asked: 0, planned: { known: 5 } });
      expect(await run(at('http://one.test'), one)).toMatchObject({ asked: 0, planned: { known: 5 } });
    }
    expect(await runs.lake.currentVersion()).toBe(version);
  });
});
