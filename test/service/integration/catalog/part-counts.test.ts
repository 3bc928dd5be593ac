/** Counts that a reader keeps over commits are those of a fresh count, whatever is written. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Cik, FilingLookupParameters, FulltextSearchParameters } from '../../../../src/filings/api/index.ts';
import { KeptCounts } from '../../../../src/service/catalog/counts/index.ts';
import { parseQuery } from '../../../../src/service/catalog/fulltext/query.ts';
import { Catalog, ingest, stateOnEdgar } from '../../../../src/service/catalog/index.ts';
import { PackReader } from '../../../../src/service/catalog/packs/packs.ts';
import { withFewDocuments } from '../../../../src/service/catalog/queries/few-documents.ts';
import { embeddedEngine } from '../../../../src/service/catalog/queries/fulltext-engine.ts';
import { countKeptHits, documentConditions, hitSource } from '../../../../src/service/catalog/queries/fulltext-hits.ts';
import { queriesOf } from '../../../../src/service/catalog/queries/index.ts';
import { filingConditions } from '../../../../src/service/catalog/rows/filters.ts';
import { Statements } from '../../../../src/service/catalog/rows/statements.ts';
import { identityOf, openToRead, openToWrite } from '../../../../src/service/catalog/store/schema.ts';
import {
  type MadeUpSubmission,
  ncOf,
  submissionsJsonOf,
  temporaryFolder,
  txtOf,
} from '../../../support/catalog/synthetic-filings.ts';
import { runs } from '../../../support/property-runs.ts';
import { seeded } from '../../../support/seeded-chance.ts';

type Filter = Omit<FulltextSearchParameters, 'sort_by'>;
type FilingFilter = Omit<FilingLookupParameters, 'sort_by'>;

const FORMS = ['8-K', '8-K/A', '10-K', '4', '10-K/A'];
const STATES = ['DE', 'CA', 'NV'];
const SICS = ['7372', '0100', '6022'];
const WORDS = ['alpha', 'beta', 'gamma', 'delta'];
const ITEMS = ['2.02', '9.01', '5.02'];
const EXCHANGES = ['NYSE', 'NASDAQ'] as const;

/** Filters of all kinds, alone and together. They repeat, so that a kept count meets each change. */
function queries(pick: <Value>(values: readonly Value[]) => Value): Filter[] {
  const members: (() => FilingFilter)[] = [
    () => ({}),
    () => ({ form_types: [pick(FORMS)] }),
    () => ({ excluded_form_types: [pick(FORMS), '10-K'] }),
    () => ({ exclude_amendments: true }),
    () => ({ items: [pick(ITEMS)] }),
    () => ({ date_from: pick(['2023-01-01', '2024-03-10', '2024-11-30']) }),
    () => ({ date_to: pick(['2023-05-05', '2024-03-10', '2025-01-31']) }),
    () => ({ entity_query: { states: [pick(STATES)] } }),
    () => ({ entity_query: { sics: [pick(SICS)] } }),
    () => ({ entity_query: { name_includes: [pick(['OLD', 'NEW', 'CORP'])] } }),
    () => ({ entity_query: { name_excludes: ['NEW'], states: STATES } }),
    () => ({ entity_query: { tickers: [pick(['T1', 'T2', 'T3'])] } }),
    () => ({ entity_query: { exchanges: [pick(EXCHANGES)] } }),
    () => ({ entity_query: { entity_types: [pick(['OPERATING', 'OTHER'] as const)] } }),
    () => ({ entity_query: { ciks: ['1', '2', '3'] as Cik[] } }),
  ];
  const all = Array.from({ length: 40 }, () => ({ ...pick(members)(), ...pick(members)() }));
  const texts = ['alpha', 'alpha AND beta', 'gamma OR delta', 'be*', '"alpha beta"', 'alpha NOT delta'];
  return all.map((filter) => ({
    ...filter,
    query: pick(texts),
    query_type: 'query_string',
    ...pick([{}, {}, { document_types: ['EX-99*'] }, { ciks: ['1', '4'] as Cik[] }]),
  }));
}

/** The two counts of a query as one statement over all rows each. */
function freshCounts(folder: string, p: Filter): [number, number] {
  const db = openToRead(folder);
  const statements = new Statements(db);
  const number = (sql: string, values: readonly (string | number | null)[]) =>
    (db.prepare(`SELECT count(*) AS n FROM ${sql}`).get(...values) as { n: number }).n;
  try {
    return statements.snapshot(() => {
      const where = filingConditions(filterOf(p), statements);
      const hits = hitSource(parseQuery(p.query!, p.query_type).expression, documentConditions(p, statements));
      return [
        number(`filings f WHERE ${where.sql}`, where.values as string[]),
        number(hits.sql, hits.values as string[]),
      ];
    });
  } finally {
    db.close();
  }
}

function filterOf({ query, query_type, document_types, ciks, ...filter }: Filter): FilingFilter {
  return filter;
}

const keptCounts = (catalog: Pick<Catalog, 'filingLookup'>, statements: Statements, p: Filter): number[] => [
  catalog.filingLookup({ ...filterOf(p), from: 0, to: 0 }).count,
  statements.snapshot(() => {
    const query = parseQuery(p.query!, p.query_type);
    return countKeptHits(
      statements,
      query,
      p,
      withFewDocuments(statements, query.expression, documentConditions(p, statements)),
    );
  }),
];

/** One random change of the catalog, as `ingest` or `edgar follow` makes it. */
class RandomWrites {
  readonly #random: () => number;
  readonly #folder: string;
  readonly #files: string;
  readonly #known: MadeUpSubmission[] = [];
  #n = 0;

  constructor(folder: string, random: () => number) {
    [this.#folder, this.#random, this.#files] = [folder, random, `${folder}-files`];
    mkdirSync(this.#files);
  }

  pick = <Value>(values: readonly Value[]): Value => values[Math.floor(this.#random() * values.length)]!;

  #submission(accession: string): MadeUpSubmission {
    const cik = () => String(1 + Math.floor(this.#random() * 6));
    const party = (id: string) => ({
      cik: id,
      name: this.pick([`OLD CORP ${id}`, `NEW CORP ${id}`, `OTHER ${id}`]),
      state: this.pick(STATES),
      sic: this.pick(SICS),
    });
    const day = this.pick(['03', '09', '10', '28']);
    return {
      accession,
      form: this.pick(FORMS),
      date: `${this.pick(['2022', '2023', '2024'])}-${this.pick(['03', '04', '11'])}-${day}`,
      acceptance: this.pick([null, '2024-03-09T10:00:00']),
      items: [this.pick(ITEMS), this.pick(ITEMS)],
      parties: this.pick([1, 2]) === 1 ? [party(cik())] : [party('1'), party('5')],
      documents: Array.from({ length: this.pick([1, 2, 3]) }, () => ({
        content: Array.from({ length: 4 }, () => this.pick(WORDS)).join(' '),
      })),
    };
  }

  async #ingest(...files: [name: string, bytes: Buffer | string][]): Promise<void> {
    const at = 1_700_000_000 + ++this.#n * 100;
    const folder = join(this.#files, String(this.#n));
    mkdirSync(folder);
    for (const [name, bytes] of files) {
      writeFileSync(join(folder, name), bytes);
      utimesSync(join(folder, name), at, at);
    }
    await ingest([folder], this.#folder, {
      threads: 0,
      ...(this.#random() < 0.5 ? { fetchedAt: new Date(at * 1_000).toISOString() } : {}),
    });
  }

  async next(): Promise<string> {
    const kind =
      this.#known.length < 5
        ? 'new'
        : this.pick([
            'new',
            'new',
            'replaced',
            'corrected',
            'deleted',
            'lists',
            'submissions',
            'acceptances',
            'withdrawn',
            'again',
          ]);
    const known = this.#known.length === 0 ? null : this.pick(this.#known);
    if (kind === 'new') {
      const made = Array.from({ length: this.pick([1, 1, 6]) }, () => {
        const s = this.#submission(`0000000007-24-${String(this.#known.length + 1).padStart(6, '0')}`);
        this.#known.push(s);
        return s;
      });
      await this.#ingest(...made.map((s, i): [string, Buffer] => [`${i}.txt`, txtOf(s)]));
    } else if (kind === 'replaced') await this.#ingest(['a.txt', txtOf(this.#submission(known!.accession))]);
    else if (kind === 'corrected') await this.#ingest(['a.nc', ncOf(this.#submission(known!.accession), 'CORRECTION')]);
    else if (kind === 'deleted') await this.#ingest(['a.nc', ncOf(known!, 'DELETION')]);
    else if (kind === 'again') await this.#ingest(['a.txt', txtOf(known!)]);
    else if (kind === 'lists') {
      const data = Array.from({ length: 4 }, () => [
        1 + Math.floor(this.#random() * 6),
        'X',
        this.pick(['T1', 'T2', 'T3']),
        this.pick(EXCHANGES),
      ]);
      await this.#ingest([
        'company_tickers_exchange.json',
        JSON.stringify({ fields: ['cik', 'name', 'ticker', 'exchange'], data }),
      ]);
    } else if (kind === 'submissions') {
      const cik = this.pick(['1', '2', '3', '8']);
      const asOf = `2024-12-${String(10 + (this.#n % 20)).padStart(2, '0')}`;
      const entity = {
        cik,
        asOf,
        name: this.pick(['OLD JSON', 'NEW JSON']),
        entityType: this.pick(['operating', 'other', 'investment']),
        state: this.pick(STATES),
        sic: this.pick(SICS),
      };
      const tickers = this.pick([[], ['T1'], ['T2', 'T3']]);
      await this.#ingest([
        'CIK.json',
        submissionsJsonOf({ ...entity, tickers, exchanges: tickers.map(() => this.pick(EXCHANGES)) }),
      ]);
    } else if (kind === 'acceptances') {
      const recent = {
        accessionNumber: [known!.accession],
        filingDate: [known!.date],
        form: [known!.form],
        acceptanceDateTime: ['2024-07-02T23:30:00.000Z'],
      };
      await this.#ingest([
        'CIK0000000001.json',
        JSON.stringify({
          cik: '1',
          name: 'OLD CORP 1',
          entityType: 'operating',
          sic: this.pick(SICS),
          filings: { recent },
        }),
      ]);
    } else
      await stateOnEdgar(
        {
          withdrawn: new Map([[known!.accession, '2025-01-01T00:00:00Z']]),
          checked: { accessions: [known!.accession], at: '2025-01-02T00:00:00Z' },
        },
        this.#folder,
      );
    return kind;
  }
}

/** The same two counts by a reader that knows nothing but what others left on disk. */
function countsOnDisk(folder: string, p: Filter): number[] {
  const db = openToRead(folder);
  const kept = new KeptCounts(folder, identityOf(db)!, 0);
  const statements = new Statements(db, undefined, kept);
  try {
    return keptCounts(
      queriesOf({ folder, statements, packs: new PackReader(folder), fulltext: embeddedEngine(statements) }),
      statements,
      p,
    );
  } finally {
    kept.close();
    db.close();
  }
}

/** @returns the changes after which a kept count differed */
async function play(seed: number, steps: number): Promise<{ wrong: string[]; checked: number }> {
  const folder = join(temporaryFolder(), 'catalog');
  openToWrite(folder).close();
  const writes = new RandomWrites(folder, seeded(seed));
  const all = queries(writes.pick);
  const catalog = Catalog.open(folder);
  const db = openToRead(folder);
  const statements = new Statements(db);
  const wrong: string[] = [];
  let checked = 0;
  for (let step = 0; step < steps; step++) {
    const kind = await writes.next();
    const some = [writes.pick(all), writes.pick(all), writes.pick(all)];
    for (const p of [...some, ...(step % 5 === 4 ? all : [])]) {
      const [kept, fresh] = [keptCounts(catalog, statements, p), freshCounts(folder, p)];
      const onDisk = some.includes(p) ? countsOnDisk(folder, p) : fresh;
      checked++;
      if (String(kept) !== String(fresh) || String(onDisk) !== String(fresh))
        wrong.push(`seed ${seed}, ${kind}, ${JSON.stringify(p)}: ${kept} and ${onDisk} instead of ${fresh}`);
    }
  }
  catalog.close();
  db.close();
  return { wrong, checked };
}

describe('a kept count', () => {
  it('equals a fresh one after random writes of all kinds', async () => {
    let checked = 0;
    for (let seed = 1; seed <= runs(2); seed++) {
      const played = await play(seed, 30);
      expect(played.wrong).toEqual([]);
      checked += played.checked;
    }
    expect(checked).toBeGreaterThan(runs(2) * 300);
  });
});

const [ID, PART_TWO] = [19_000 * 2 ** 24, 19_100 * 2 ** 24];
const FILING = (id: number, accession: string, cik: number) => `
  INSERT INTO filings VALUES (${id}, '${accession}', '8-K', '8-K', 0, '${new Date((id / 2 ** 24) * 86_400_000).toISOString().slice(0, 10)}', NULL, 1, NULL, 'txt', 0, 0, zeroblob(32), NULL);
  INSERT INTO filing_parties VALUES (${id}, 0, 'filer', ${cik}, NULL); INSERT INTO filing_items VALUES ('2.02', ${id});
  INSERT INTO documents VALUES (${id * 4_096}, ${id}, 1, '8-K', '8-K', NULL, NULL, 'text/plain', 1, zeroblob(32), 1, 0, 0, 1, 0, 0);
  INSERT INTO document_texts (rowid, text) VALUES (${id * 4_096}, 'alpha');`;
const CATALOG = `
  INSERT INTO entities VALUES (1, 'OLD', '7372', 'DE', 'OTHER', '{}', '{}'); INSERT INTO entities VALUES (2, 'ELSE', '1', 'NV', 'OTHER', '{}', '{}');
  INSERT INTO entity_tickers VALUES ('T1', 1); INSERT INTO entity_exchanges VALUES ('NYSE', 1);
  ${FILING(18_000 * 2 ** 24, 'z', 2)} ${FILING(ID, 'a', 1)} ${FILING(PART_TWO, 'b', 2)}
  INSERT INTO document_texts (rowid, text) VALUES (${ID * 4_096 + 1}, 'alpha');`;

const looks = (filter: FilingFilter): Filter => ({ ...filter, query: 'alpha' });
const NAMED = looks({ entity_query: { name_includes: ['OLD'] } });
const INDUSTRY = looks({ entity_query: { sics: ['7372'] } });
const FROM_DELAWARE = looks({ entity_query: { states: ['DE'] } });
const OPERATING = looks({ entity_query: { entity_types: ['OPERATING'] } });
const OTHERS = looks({ entity_query: { entity_types: ['OTHER'] } });
const LISTED = looks({ entity_query: { exchanges: ['NYSE'] } });
const TICKERS = looks({ entity_query: { tickers: Array.from({ length: 30 }, (_, i) => `T${i}`) } });
const TYPED: Filter = { query: 'alpha', document_types: ['8-K'] };
const entity = (values: string) => `INSERT OR REPLACE INTO entities VALUES (1, ${values}, '{}', '{}')`;

/** Each change of a row by itself, with a filter whose count it changes. A writer changes more at once. */
const CHANGES: [trigger: string, sql: string, filter: Filter][] = [
  [
    'filings_parts_INSERT',
    `INSERT INTO filings SELECT id + 1, 'c', form_type, form_key, 0, filing_date, NULL, 1, NULL, 'txt', 0, 0, sha256, NULL FROM filings WHERE id = ${ID}`,
    looks({}),
  ],
  ['filings_parts_UPDATE', `UPDATE filings SET form_key = '4' WHERE id = ${ID}`, looks({ form_types: ['4'] })],
  ['filings_parts_DELETE', `DELETE FROM filings WHERE id = ${ID}`, looks({})],
  [
    'filing_parties_parts_INSERT',
    `INSERT INTO filing_parties VALUES (${PART_TWO}, 1, 'filer', 1, NULL)`,
    FROM_DELAWARE,
  ],
  ['filing_parties_parts_UPDATE', `UPDATE filing_parties SET cik = 2 WHERE filing = ${ID}`, FROM_DELAWARE],
  ['filing_parties_parts_DELETE', `DELETE FROM filing_parties WHERE filing = ${ID}`, FROM_DELAWARE],
  [
    'filing_items_parts_INSERT',
    `INSERT OR IGNORE INTO filing_items VALUES ('9.01', ${ID})`,
    looks({ items: ['9.01'] }),
  ],
  [
    'filing_items_parts_UPDATE',
    `UPDATE filing_items SET item = '9.01' WHERE filing = ${ID}`,
    looks({ items: ['9.01'] }),
  ],
  ['filing_items_parts_DELETE', `DELETE FROM filing_items WHERE filing = ${ID}`, looks({ items: ['2.02'] })],
  [
    'documents_parts_INSERT',
    `INSERT INTO documents VALUES (${ID * 4_096 + 1}, ${ID}, 2, '8-K', '8-K', NULL, NULL, 'text/plain', 1, zeroblob(32), 1, 0, 0, 1, 0, 0)`,
    TYPED,
  ],
  ['documents_parts_UPDATE', `UPDATE documents SET type_key = 'EX-99' WHERE filing = ${ID}`, TYPED],
  ['documents_parts_DELETE', `DELETE FROM documents WHERE filing = ${ID}`, TYPED],
  ['entities_name_parts_INSERT', entity("'NEW', '7372', 'DE', 'OTHER'"), NAMED],
  ['entities_sic_parts_INSERT', entity("'OLD', NULL, 'DE', 'OTHER'"), INDUSTRY],
  ['entities_state_parts_INSERT', entity("'OLD', '7372', 'CA', 'OTHER'"), FROM_DELAWARE],
  ['entities_type_parts_INSERT', entity("'OLD', '7372', 'DE', 'OPERATING'"), OPERATING],
  ['entities_name_parts_UPDATE', 'UPDATE entities SET name_key = NULL WHERE cik = 1', NAMED],
  ['entities_sic_parts_UPDATE', "UPDATE entities SET sic = '1' WHERE cik = 1", INDUSTRY],
  ['entities_state_parts_UPDATE', "UPDATE entities SET state = 'CA' WHERE cik = 1", FROM_DELAWARE],
  ['entities_type_parts_UPDATE', "UPDATE entities SET entity_type = 'OPERATING' WHERE cik = 1", OPERATING],
  ['entities_name_parts_DELETE', 'DELETE FROM entities WHERE cik = 1', NAMED],
  ['entities_sic_parts_DELETE', 'DELETE FROM entities WHERE cik = 1', INDUSTRY],
  ['entities_state_parts_DELETE', 'DELETE FROM entities WHERE cik = 1', FROM_DELAWARE],
  ['entities_type_parts_DELETE', 'DELETE FROM entities WHERE cik = 1', OTHERS],
  ['entity_tickers_parts_INSERT', "INSERT INTO entity_tickers VALUES ('T2', 2)", TICKERS],
  ['entity_tickers_parts_UPDATE', "UPDATE entity_tickers SET ticker = 'GONE' WHERE cik = 1", TICKERS],
  ['entity_tickers_parts_DELETE', 'DELETE FROM entity_tickers WHERE cik = 1', TICKERS],
  ['entity_exchanges_parts_INSERT', "INSERT OR IGNORE INTO entity_exchanges VALUES ('NYSE', 2)", LISTED],
  ['entity_exchanges_parts_UPDATE', "UPDATE entity_exchanges SET exchange = 'OTC' WHERE cik = 1", LISTED],
  ['entity_exchanges_parts_DELETE', 'DELETE FROM entity_exchanges WHERE cik = 1', LISTED],
];

/** Counts before and after a change, and fresh ones after it. */
function countsAround(
  without: string | null,
  sql: string,
  p: Filter,
): { before: string; after: string; fresh: string } {
  const folder = join(temporaryFolder(), 'catalog');
  const db = openToWrite(folder);
  db.exec(CATALOG);
  if (without !== null) db.exec(`DROP TRIGGER ${without}`);
  const reader = openToRead(folder);
  const statements = new Statements(reader);
  const catalog = Catalog.open(folder);
  const counts = () => String(keptCounts(catalog, statements, p));
  const before = counts();
  db.exec(sql);
  const result = { before, after: counts(), fresh: String(freshCounts(folder, p)) };
  for (const opened of [catalog, reader, db]) opened.close();
  return result;
}

describe('a trigger', () => {
  it('is there for each change', () => {
    const folder = join(temporaryFolder(), 'catalog');
    const db = openToWrite(folder);
    const names = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%part_revisions%' ORDER BY 1")
      .all();
    expect(names.map(({ name }) => name)).toEqual(CHANGES.map(([trigger]) => trigger).sort());
    db.close();
  });

  it.each(CHANGES)('%s makes a kept count old after %s', (trigger, sql, p) => {
    const { before, after, fresh } = countsAround(null, sql, p);
    expect(fresh).not.toBe(before);
    expect(after).toBe(fresh);
    // Without it the count would be an old one: the change is noticed by nothing else.
    expect(countsAround(trigger, sql, p).after).toBe(before);
  });
});
