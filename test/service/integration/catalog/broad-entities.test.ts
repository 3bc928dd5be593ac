/** Filters that very many entities satisfy: tested for each party, listed, or started from, they find the same filings. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../src/core/index.ts';
import type { EntityFilter, Filing } from '../../../../src/filings/api/index.ts';
import { Catalog } from '../../../../src/service/catalog/index.ts';
import { FILINGS_A_DAY, openToWrite } from '../../../../src/service/catalog/store/schema.ts';
import { temporaryFolder, withoutTriggers } from '../../../support/catalog/synthetic-filings.ts';

const ENTITIES = 120_000;
const FILINGS = 400;
const folder = temporaryFolder();
let catalog: Catalog;

const stateOf = (cik: number) => (cik % 2 === 0 ? 'DE' : cik % 3 === 0 ? 'CA' : null);
const sicOf = (cik: number) => ['6022', '7372', '3571'][cik % 3]!;
const typeOf = (cik: number) => (cik % 5 === 0 ? 'OTHER' : 'OPERATING');
const nameOf = (cik: number) => (cik % 7 === 0 ? `BANK ${cik}` : `COMPANY ${cik}`);
/** Some filings have two or three parties, and some a party that no entity is known of. */
const partiesOf = (n: number) =>
  [(n * 7_919) % ENTITIES, ...(n % 3 === 0 ? [n] : []), ...(n % 4 === 0 ? [(n * 31) % ENTITIES] : [])].map((cik) =>
    n % 11 === 0 ? cik + ENTITIES : cik,
  );

beforeAll(() => {
  const db = openToWrite(folder);
  db.exec('BEGIN');
  const entity = db.prepare("INSERT INTO entities VALUES (?, ?, ?, ?, ?, '{}', '{}')");
  const exchange = db.prepare("INSERT INTO entity_exchanges VALUES ('NYSE', ?)");
  for (const statement of [entity, exchange]) statement.setReadBigInts(true);
  withoutTriggers(db, () => {
    for (let cik = 0; cik < ENTITIES; cik++) {
      entity.run(cik, nameOf(cik), sicOf(cik), stateOf(cik), typeOf(cik));
      if (cik % 40 === 0) exchange.run(cik);
    }
  });
  db.exec('INSERT INTO entity_names (rowid, name) SELECT cik, name_key FROM entities');
  const filing = db.prepare(
    `INSERT INTO filings (id, accession, form_type, form_key, amendment, filing_date, size, dialect, corrected, has_series, sha256)
     VALUES (?, ?, '4', '4', 0, ?, 1, 'txt', 0, 0, zeroblob(32))`,
  );
  const record = db.prepare('INSERT INTO filing_records VALUES (?, ?)');
  const party = db.prepare("INSERT INTO filing_parties VALUES (?, ?, 'filer', ?, NULL)");
  for (let n = 1; n <= FILINGS; n++) {
    const day = dayNumber('2024-01-01') + (n % 60);
    const [id, accession] = [day * FILINGS_A_DAY + n, `0000000001-24-${String(n).padStart(6, '0')}`];
    filing.run(id, accession, new Date(day * 86_400_000).toISOString().slice(0, 10));
    record.run(id, JSON.stringify({ accession_number: accession }));
    for (const [position, cik] of [...new Set(partiesOf(n))].entries()) party.run(id, position, cik);
  }
  db.exec('COMMIT');
  db.close();
  catalog = Catalog.open(folder);
});
afterAll(() => catalog.close());

const FILTERS: [EntityFilter, (cik: number) => boolean][] = [
  [{ states: ['DE'] }, (cik) => stateOf(cik) === 'DE'],
  [{ states: ['DE', 'CA'] }, (cik) => stateOf(cik) !== null],
  [{ states: ['CA'] }, (cik) => stateOf(cik) === 'CA'],
  [{ entity_types: ['OPERATING'] }, (cik) => typeOf(cik) === 'OPERATING'],
  [{ entity_types: ['OPERATING'], states: ['DE'] }, (cik) => typeOf(cik) === 'OPERATING' && stateOf(cik) === 'DE'],
  [{ sics: ['7372'] }, (cik) => sicOf(cik) === '7372'],
  [{ sics: ['7372', '6022'], states: ['DE'] }, (cik) => sicOf(cik) !== '3571' && stateOf(cik) === 'DE'],
  [{ exchanges: ['NYSE'], states: ['DE'] }, (cik) => cik % 40 === 0],
  [{ name_includes: ['COMPANY'] }, (cik) => cik % 7 !== 0],
  [{ name_excludes: ['BANK'], states: ['DE'] }, (cik) => cik % 7 !== 0 && stateOf(cik) === 'DE'],
  [
    { entity_types: ['OPERATING', 'OTHER'], ciks: ['1', '2', '3'] as NonNullable<EntityFilter['ciks']> },
    (cik) => cik <= 3,
  ],
];

describe('a filter that very many entities satisfy', () => {
  it.each(FILTERS)('%j finds each filing with such a party once', (entity_query, fits) => {
    const numbers = Array.from({ length: FILINGS }, (_, i) => i + 1);
    const expected = numbers.filter((n) => partiesOf(n).some((cik) => cik < ENTITIES && fits(cik)));
    const { count, pieces } = catalog.filingLookup({ entity_query, to: FILINGS });
    const records = JSON.parse(`[${Buffer.concat(pieces).toString()}]`) as Pick<Filing, 'accession_number'>[];
    const found = records.map(({ accession_number }) => Number(accession_number.slice(-6)));
    expect(found.sort((a, b) => a - b)).toEqual(expected);
    expect(count).toBe(expected.length);
    expect(catalog.filingLookup({ entity_query, to: 0 }).count).toBe(expected.length);
  });
});
