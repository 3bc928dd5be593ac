/** Tables of a filing's header: everyone named in it, as of the filing. */
import { describe, expect, it } from 'vitest';
import type { FilingInfo, Party } from '../../../../src/filings/api/index.ts';
import { rowsOf } from '../../../../src/lake/tables/index.ts';

const accession_number = '0000320193-24-000123';
const NOTHING = { street1: null, street2: null, city: null, state: null, zip: null };

function party(cik: string, values: Partial<Party> = {}): Party {
  return {
    role: 'filer',
    cik,
    name: `PARTY ${cik}`,
    former_names: [],
    state_of_incorporation: null,
    fiscal_year_end: null,
    sic: null,
    sic_description: null,
    irs_number: null,
    file_number: null,
    film_number: null,
    sec_act: null,
    relationship: null,
    addresses: {},
    ...values,
  };
}

const FULL = party('320193', {
  state_of_incorporation: 'CA',
  fiscal_year_end: '0928',
  sic: '3571',
  sic_description: 'ELECTRONIC COMPUTERS',
  irs_number: '942404110',
  file_number: '001-36743',
  film_number: '241416806',
  sec_act: '34',
  former_names: [
    { name: 'APPLE COMPUTER INC', date_of_change: '2007-01-09' },
    { name: 'APPLE COMPUTER INC/ FA', date_of_change: null },
  ],
  addresses: {
    business: { ...NOTHING, street1: 'ONE APPLE PARK WAY', city: 'CUPERTINO', state: 'CA', zip: '95014' },
    mailing: { ...NOTHING, city: 'CUPERTINO' },
  },
});

function rows(parties: Party[], more: Partial<FilingInfo> = {}) {
  const none = {
    acceptance_datetime: null,
    entity_name: null,
    filing_date: null,
    documents: [],
    sections: [],
    items_8k: null,
  };
  const info = {
    accession_number,
    cik: '320193',
    form_type: '10-K',
    report_date: '2024-09-28',
    ...none,
    parties,
    ...more,
  };
  const made = rowsOf('info', info);
  expect(made.violations).toEqual([]);
  return made.rows;
}

describe('the tables of a header', () => {
  it('have all members of a party in filing_info', () => {
    const { parties, party_addresses, party_former_names } = rows([party('1', { role: 'filed_by' }), FULL]);
    expect(parties![1]).toEqual({
      accession_number,
      position: 1,
      role: 'filer',
      cik: '320193',
      name: 'PARTY 320193',
      relationship: null,
      state_of_incorporation: 'CA',
      fiscal_year_end: '0928',
      sic: '3571',
      sic_description: 'ELECTRONIC COMPUTERS',
      irs_number: '942404110',
      file_number: '001-36743',
      film_number: '241416806',
      sec_act: '34',
    });
    const of = { accession_number, position: 1 };
    expect(party_addresses).toEqual([
      { ...of, kind: 'business', ...FULL.addresses.business },
      { ...of, kind: 'mailing', ...NOTHING, city: 'CUPERTINO' },
    ]);
    expect(party_former_names).toEqual([
      { ...of, name_position: 0, name: 'APPLE COMPUTER INC', date_of_change: '2007-01-09' },
      { ...of, name_position: 1, name: 'APPLE COMPUTER INC/ FA', date_of_change: null },
    ]);
  });

  it('have a row for each class of a series, and one for a series without any', () => {
    const series = { status: 'new', owner_cik: '7', series_id: 'S000000001', name: 'Apple' };
    const classes = ['A', 'B'].map((name) => ({ class_id: `C00000000${name}`, name, ticker: name }));
    const { header_series } = rows([FULL], {
      series: [
        { ...series, classes },
        { ...series, classes: [] },
      ],
    });
    const of = { accession_number, status: 'new', owner_cik: '7', series_id: 'S000000001', series_name: 'Apple' };
    expect(header_series).toEqual([
      { ...of, position: 0, class_position: 0, class_id: 'C00000000A', class_name: 'A', ticker: 'A' },
      { ...of, position: 0, class_position: 1, class_id: 'C00000000B', class_name: 'B', ticker: 'B' },
      { ...of, position: 1, class_position: 0, class_id: null, class_name: null, ticker: null },
    ]);
    expect(rows([FULL]).header_series ?? []).toEqual([]);
  });

  it('keep a party that is named twice, and a former name that comes twice', () => {
    const again = party('2', { former_names: [1, 2].map(() => ({ name: 'OLD', date_of_change: '1999-01-01' })) });
    const made = rows([again, again]);
    expect(made.parties).toHaveLength(2);
    expect(made.party_former_names).toHaveLength(4);
  });

  it('state file number, fiscal year and period of the party that the filing is listed under', () => {
    expect(rows([party('1'), FULL]).filing_headers).toEqual([
      {
        accession_number,
        position: 1,
        file_number: '001-36743',
        film_number: '241416806',
        sec_act: '34',
        sic: '3571',
        state_of_incorporation: 'CA',
        business_state: 'CA',
        fiscal_year_end: '0928',
        header_fiscal_year: 2024,
        header_fiscal_period: 'FY',
        withdrawn_at: null,
        corrected_at: null,
        checked_at: null,
      },
    ]);
  });

  it('state what EDGAR said later', () => {
    const times = { withdrawn_at: '2026-11-26T18:00:00Z', checked_at: '2026-11-26T18:00:00.123Z' };
    expect(rows([FULL], times).filing_headers).toMatchObject([{ ...times, corrected_at: null }]);
  });

  it('have no header of a filing whose own party is not among those stated', () => {
    expect(rows([party('1')]).filing_headers).toEqual([]);
    expect(rows([FULL], { cik: null }).filing_headers).toEqual([]);
  });

  it('keep a former name whose day is none, and say so', () => {
    const odd = party('2', { former_names: [{ name: 'OLD', date_of_change: '1999-02-30' }] });
    const none = {
      acceptance_datetime: null,
      entity_name: null,
      filing_date: null,
      documents: [],
      sections: [],
      items_8k: null,
    };
    const info = { accession_number, cik: '2', form_type: '8-K', report_date: null, ...none, parties: [odd] };
    const { rows: made, violations } = rowsOf('info', info);
    expect(made.party_former_names![0]).toMatchObject({ name: 'OLD', date_of_change: null });
    expect(violations).toEqual([{ path: 'parties[0].former_names[0].date_of_change', value: '1999-02-30' }]);
  });
});
