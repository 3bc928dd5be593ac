import { describe, expect, it } from 'vitest';
import { PLACES } from '../../../../src/core/index.ts';
import { FormDatabase } from '../../../support/forms/form-database.ts';

async function filings(...rows: [accession: string, day: string, cik: string, name: string, sic: string | null][]) {
  const database = await FormDatabase.create();
  await database.insert(
    'filings',
    rows.map(([accession_number, filing_date]) => ({ accession_number, filing_date })),
  );
  await database.insert(
    'parties',
    rows.map(([accession_number, , cik, name, sic]) => ({
      accession_number,
      position: 0,
      cik,
      name,
      sic,
      sic_description: sic === null ? null : `industry ${sic} of ${accession_number}`,
    })),
  );
  return database;
}

describe('views of companies', () => {
  it('company_names: names that filings used and names that headers remember, each once', async () => {
    const database = await filings(
      ['a1', '1995-03-01', '7', 'Old Orchards Inc', null],
      ['a2', '1996-03-01', '7', 'Old Orchards Inc', null],
      ['a3', '2001-03-01', '7', 'New Orchards Inc', null],
      ['b1', '2001-03-01', '8', 'Old Orchards Inc', null],
    );
    const former = [
      ['Old Orchards Inc', '2000-06-30'],
      ['First Orchards Inc', '1990-01-02'],
    ];
    await database.insert(
      'party_former_names',
      former.map(([name, date_of_change], name_position) => ({
        accession_number: 'a3',
        position: 0,
        name_position,
        name,
        date_of_change,
      })),
    );
    expect(
      await database.rows(
        'SELECT cik, name, first_filing_date, last_filing_date, filings, changed_on FROM company_names ORDER BY cik, changed_on NULLS LAST',
      ),
    ).toEqual([
      ['7', 'First Orchards Inc', null, null, '0', '1990-01-02'],
      ['7', 'Old Orchards Inc', '1995-03-01', '1996-03-01', '2', '2000-06-30'],
      ['7', 'New Orchards Inc', '2001-03-01', '2001-03-01', '1', null],
      ['8', 'Old Orchards Inc', '2001-03-01', '2001-03-01', '1', null],
    ]);
  });

  it('industries: the newest description of a code, companies counted once', async () => {
    const database = await filings(
      ['a1', '1995-03-01', '7', 'One', '0100'],
      ['a2', '2001-03-01', '7', 'One', '0100'],
      ['b1', '2000-03-01', '8', 'Two', '0100'],
      ['c1', '2000-03-01', '9', 'Three', null],
    );
    expect(await database.rows('FROM industries')).toEqual([['0100', 'industry 0100 of a2', '2', '3']]);
  });

  it('places: each code once, with its name', async () => {
    const database = await FormDatabase.create();
    expect(await database.rows("FROM places WHERE code IN ('E9', 'DE', 'XX') ORDER BY code")).toEqual([
      ['DE', 'Delaware', 'US'],
      ['E9', 'Cayman Islands', 'KY'],
      ['XX', 'Unknown', null],
    ]);
    expect(
      await database.rows('SELECT count(*), count(DISTINCT code), count(DISTINCT (name, country)) FROM places'),
    ).toEqual([[`${PLACES.length}`, `${PLACES.length}`, `${PLACES.length}`]]);
  });
});
