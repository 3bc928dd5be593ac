/** Records in the contract's own form, generated, and the same records as other services of the family write them. */
import fc from 'fast-check';
import type { Entity, Filing, FilingInfo } from '../../../src/filings/api/index.ts';

const digits = (length: number) =>
  fc.integer({ min: 1, max: 10 ** length - 1 }).map((n) => String(n).padStart(length, '0'));
const someText = fc.option(fc.constantFrom('ALPHA CORP', 'Ångström & Söhne', '10-K', 'a, b', 'x'.repeat(200)), {
  nil: null,
});
export const accession = fc.tuple(digits(9), digits(2), digits(6)).map(([a, b, c]) => `0${a}-${b}-${c}`);
const cik = fc.integer({ min: 1, max: 9_999_999_999 }).map(String);
const date = fc
  .date({ min: new Date('1993-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  .map((d) => d.toISOString().slice(0, 10));
const dateTime = fc.tuple(date, fc.integer({ min: 0, max: 86_399 })).map(([day, seconds]) => {
  const time = new Date(seconds * 1_000).toISOString().slice(11, 19);
  return `${day}T${time}`;
});
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const size = fc.integer({ min: 0, max: 2 ** 40 });

const reference = (withSize: boolean) =>
  fc
    .tuple(accession, fc.integer({ min: 1, max: 300 }), someText, someText, someText, size)
    .map(([number, sequence, filename, description, type, bytes]) => ({
      document_id: `${number}-${sequence}`,
      sequence,
      filename,
      description,
      type,
      ...(withSize ? { size: bytes } : {}),
    }));

export const filing: fc.Arbitrary<Filing> = fc.record({
  accession_number: accession,
  cik: orNull(cik),
  form_type: someText,
  filing_date: orNull(date),
  acceptance_datetime: orNull(dateTime),
  entity_name: someText,
  report_date: orNull(date),
  size: orNull(size),
  documents: fc.array(reference(false), { maxLength: 3 }),
});

const address = fc.record({
  street1: someText,
  street2: someText,
  city: someText,
  state: someText,
  zip: orNull(digits(5)),
});

export const entity: fc.Arbitrary<Entity> = fc.record({
  cik,
  name: someText,
  tickers: fc.array(fc.constantFrom('AA', 'BRK-B', 'TRUE'), { maxLength: 3 }),
  exchanges: fc.array(fc.constantFrom('NYSE', 'NASDAQ', ''), { maxLength: 3 }),
  sic: orNull(digits(4)),
  sic_description: someText,
  state_of_incorporation: orNull(fc.constantFrom('DE', 'NO', 'X1')),
  fiscal_year_end: orNull(fc.constantFrom('1231', '0930', '0228')),
  entity_type: orNull(fc.constantFrom('OPERATING', 'INVESTMENT', 'OTHER')),
  category: someText,
  addresses: fc.dictionary(fc.constantFrom('business', 'mailing'), address),
}) as fc.Arbitrary<Entity>;

export const filingInfo: fc.Arbitrary<FilingInfo> = fc.record({
  accession_number: accession,
  cik: orNull(cik),
  entity_name: someText,
  form_type: someText,
  filing_date: orNull(date),
  acceptance_datetime: orNull(dateTime),
  report_date: orNull(date),
  documents: fc.array(reference(true), { maxLength: 3 }),
  sections: fc.array(
    fc.record({
      section: fc.constantFrom('1', '1A', 'II-1A'),
      title: someText,
      heading: someText,
      start_index: orNull(size),
      end_index: orNull(size),
    }),
    { maxLength: 3 },
  ),
  items_8k: orNull(
    fc.array(
      fc.record({
        item: fc.constantFrom('2.02', '9.01', '5.10', '7'),
        title: someText,
        exhibits: fc.array(
          fc.record({
            exhibit: someText,
            description: someText,
            document_id: orNull(fc.constant('0000000001-24-000001-2')),
          }),
          {
            maxLength: 2,
          },
        ),
      }),
      { maxLength: 3 },
    ),
  ),
  parties: fc.array(
    fc.record({
      role: fc.constantFrom('filer', 'issuer', 'reporting_owner'),
      cik: orNull(cik),
      name: someText,
      former_names: fc.array(fc.record({ name: fc.constant('OLD NAME'), date_of_change: orNull(date) }), {
        maxLength: 2,
      }),
      state_of_incorporation: someText,
      fiscal_year_end: orNull(fc.constantFrom('1231', '0930')),
      sic: orNull(digits(4)),
      sic_description: someText,
      irs_number: someText,
      file_number: someText,
      film_number: someText,
      sec_act: someText,
      relationship: someText,
      addresses: fc.dictionary(fc.constantFrom('business', 'mailing'), address),
    }),
    { maxLength: 2 },
  ),
});

/** The liberties of a service of the family, each alone or any of them together. */
export interface Liberties {
  camelCase: boolean;
  numbersAsStrings: boolean;
  paddedCiks: boolean;
  plainAccessionNumbers: boolean;
  timesBehindDates: boolean;
  noValue: 'null' | 'empty' | 'missing';
  strangers: boolean;
}

export const liberties: fc.Arbitrary<Liberties> = fc.record({
  camelCase: fc.boolean(),
  numbersAsStrings: fc.boolean(),
  paddedCiks: fc.boolean(),
  plainAccessionNumbers: fc.boolean(),
  timesBehindDates: fc.boolean(),
  noValue: fc.constantFrom('null', 'empty', 'missing'),
  strangers: fc.boolean(),
});

/** A member's other names, if they are more than camelCase. */
const OTHER_NAMES: Record<string, string> = {
  acceptance_datetime: 'acceptanceDateTime',
  form_type: 'form',
  items_8k: 'eightkItems',
};
const OTHER_NAMES_BY_KIND: Record<string, Record<string, string>> = {
  document: { document_id: 'id', filename: 'fileName', type: 'documentType' },
  section: { section: 'itemLabel', title: 'itemDescription' },
  item: { item: 'itemType', title: 'itemName' },
  section_content: { section: 'itemLabel', title: 'itemDescription', html: 'content' },
};

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function kindOf(record: object): string {
  if ('sequence' in record) return 'document';
  if ('exhibits' in record) return 'item';
  if ('start_index' in record) return 'section';
  return 'html' in record ? 'section_content' : 'other';
}

/** The record as a service with these liberties writes it. */
export function written(value: unknown, taken: Liberties, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => written(item, taken, name));
  if (value !== null && typeof value === 'object') return writtenRecord(value as Record<string, unknown>, taken, name);
  if (typeof value === 'number') return taken.numbersAsStrings ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (taken.paddedCiks && name === 'cik') return value.padStart(10, '0');
  if (taken.plainAccessionNumbers && (name === 'accession_number' || name === 'document_id')) {
    return `${value.slice(0, 10)}${value.slice(11, 13)}${value.slice(14)}`;
  }
  return taken.timesBehindDates && /_date$|date_of_change/.test(name) ? `${value}T00:00:00` : value;
}

function writtenRecord(record: Record<string, unknown>, taken: Liberties, outer: string): Record<string, unknown> {
  const result: Record<string, unknown> = taken.strangers ? { _internal: { x: 1 }, zzz: 'y' } : {};
  const isMap = outer === 'addresses';
  if (isMap) delete result._internal;
  if (isMap) delete result.zzz;
  const special = OTHER_NAMES_BY_KIND[kindOf(record)] ?? {};
  for (const [name, value] of Object.entries(record)) {
    const other = isMap || !taken.camelCase ? name : (special[name] ?? OTHER_NAMES[name] ?? camel(name));
    if (value === null && taken.noValue === 'missing') continue;
    result[other] = value === null && taken.noValue === 'empty' ? '' : written(value, taken, name);
  }
  return result;
}
