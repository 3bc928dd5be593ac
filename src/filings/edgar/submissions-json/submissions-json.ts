/** SEC's submissions JSON: `CIK##########.json`, and its older pages `CIK##########-submissions-001.json`. */
import { z } from 'zod';
import {
  type AccessionNumber,
  type Address,
  type Cik,
  type Entity,
  isCalendarDate,
  parseAccessionNumber,
  parseCik,
} from '../../api/index.ts';
import { EdgarFileError } from '../reading/edgar-file-error.ts';
import type { RecordKind } from '../reading/file-kind.ts';
import { checked, readJson } from '../reading/read-json.ts';
import { exchangeName } from '../tickers/exchanges.ts';

export interface SubmissionsJson {
  /** Null in an older page, which holds filings only; its file name has the CIK. */
  entity: SubmissionsEntity | null;
  filings: SubmissionsFiling[];
  /** The older pages that belong to this file. */
  olderPages: { name: string; filingCount: number; filingFrom: string; filingTo: string }[];
}

/** The entity as in /v2, and facts that /v2 has no place for. */
export interface SubmissionsEntity extends Entity {
  cik: Cik;
  ein: string | null;
  phone: string | null;
  /** Days, `YYYY-MM-DD`, between which SEC knew the name; in SEC's order. */
  former_names: { name: string; from: string | null; to: string | null }[];
}

interface SubmissionsFiling {
  accessionNumber: AccessionNumber;
  formType: string;
  filingDate: string;
  reportDate: string | null;
  /**
   * As SEC writes it, ending in `Z`. Depending on the day of the fetch it is UTC, or Eastern time marked as UTC, or midnight if
   * the header has no time. acceptance-times.ts finds out which.
   */
  acceptanceAsGiven: string | null;
  act: string | null;
  fileNumber: string | null;
  filmNumber: string | null;
  /** `2.02`, `9.01`; `5`, `7` before August 2004. For forms without items SEC puts other things here: EFFECT has the form that takes effect and when. */
  items: string[];
  /** Bytes of the complete submission text file. */
  size: number | null;
  isXbrl: boolean;
  isInlineXbrl: boolean;
  /** Path of the main document, with the style sheet's folder that SEC puts before some (`xslF345X05/form4.xml`). */
  primaryDocument: string | null;
  primaryDocumentDescription: string | null;
}

const FILE = 'submissions JSON';
const text = z.string().nullish();
const texts = z.array(z.string().nullable());
const numbers = z.array(z.union([z.number(), z.boolean()]).nullable());

const columnsSchema = z.object({
  accessionNumber: z.array(z.string()),
  filingDate: z.array(z.string()),
  reportDate: texts.optional(),
  acceptanceDateTime: texts.optional(),
  act: texts.optional(),
  form: z.array(z.string()),
  fileNumber: texts.optional(),
  filmNumber: texts.optional(),
  items: texts.optional(),
  size: numbers.optional(),
  isXBRL: numbers.optional(),
  isInlineXBRL: numbers.optional(),
  primaryDocument: texts.optional(),
  primaryDocDescription: texts.optional(),
});
type Columns = z.infer<typeof columnsSchema>;

const addressSchema = z.object({ street1: text, street2: text, city: text, stateOrCountry: text, zipCode: text });

const entitySchema = z.object({
  cik: z.union([z.string(), z.number()]),
  name: text,
  entityType: text,
  sic: text,
  sicDescription: text,
  tickers: z.array(z.string().nullable()).nullish(),
  exchanges: z.array(z.string().nullable()).nullish(),
  ein: text,
  category: text,
  fiscalYearEnd: text,
  stateOfIncorporation: text,
  phone: text,
  addresses: z.record(z.string(), addressSchema.nullable()).nullish(),
  formerNames: z.array(z.object({ name: z.string(), from: text, to: text })).nullish(),
  filings: z.object({
    recent: columnsSchema,
    files: z
      .array(z.object({ name: z.string(), filingCount: z.number(), filingFrom: z.string(), filingTo: z.string() }))
      .nullish(),
  }),
});

/** Reads either kind of file; filings in the file's order, newest first. Throws EdgarFileError that names the member that is wrong. */
export function readSubmissionsJson(bytes: Buffer): SubmissionsJson {
  // An older page has the columns at its top. The union type would report the faults of both kinds, so the kind is decided first.
  const file = readJson(bytes, FILE, z.looseObject({}));
  if ('accessionNumber' in file)
    return { entity: null, filings: readFilings(checked(file, FILE, columnsSchema)), olderPages: [] };
  const { filings, ...facts } = checked(file, FILE, entitySchema);
  return { entity: readEntity(facts), filings: readFilings(filings.recent), olderPages: filings.files ?? [] };
}

function readEntity(facts: Omit<z.infer<typeof entitySchema>, 'filings'>): SubmissionsEntity {
  const cik = parseCik(String(facts.cik));
  if (cik === null) throw new EdgarFileError(FILE, `'${facts.cik}' is not a CIK`);
  const tickers = facts.tickers ?? [];
  const addresses = Object.entries(facts.addresses ?? {})
    .map(([kind, address]) => [kind, readAddress(address)] as const)
    // A person's business address is there, and empty.
    .filter(([, address]) => Object.values(address).some((part) => part !== null));
  return {
    cik,
    name: facts.name || null,
    tickers: tickers.map((ticker) => ticker ?? ''),
    exchanges: tickers.map((_, i) => exchangeName(facts.exchanges?.[i]) ?? ''),
    sic: facts.sic || null,
    sic_description: facts.sicDescription || null,
    state_of_incorporation: facts.stateOfIncorporation || null,
    fiscal_year_end: facts.fiscalYearEnd || null,
    entity_type: entityType(facts.entityType),
    category: facts.category || null,
    addresses: Object.fromEntries(addresses),
    ein: facts.ein || null,
    phone: facts.phone || null,
    former_names: (facts.formerNames ?? []).map(({ name, from, to }) => ({ name, from: day(from), to: day(to) })),
  };
}

function entityType(asGiven: string | null | undefined): Entity['entity_type'] {
  if (!asGiven) return null;
  const word = asGiven.trim().toUpperCase();
  return word === 'OPERATING' || word === 'INVESTMENT' ? word : 'OTHER';
}

function readAddress(address: z.infer<typeof addressSchema> | null): Address {
  return {
    street1: address?.street1 || null,
    street2: address?.street2 || null,
    city: address?.city || null,
    state: address?.stateOrCountry || null,
    zip: address?.zipCode || null,
  };
}

function day(time: string | null | undefined): string | null {
  const date = time?.slice(0, 10) ?? '';
  return isCalendarDate(date) ? date : null;
}

/** Columns to rows. A column of another length would shift rows, so it is refused. */
function readFilings(columns: Columns): SubmissionsFiling[] {
  const count = columns.accessionNumber.length;
  for (const [name, column] of Object.entries(columns)) {
    if (column && column.length !== count) {
      throw new EdgarFileError(FILE, `${name} has ${column.length} values, accessionNumber ${count}`);
    }
  }
  return columns.accessionNumber.map((accession, i) => {
    const accessionNumber = parseAccessionNumber(accession);
    const filingDate = columns.filingDate[i]!;
    if (accessionNumber === null) throw new EdgarFileError(FILE, `accessionNumber.${i}: '${accession}' is none`);
    if (!isCalendarDate(filingDate)) throw new EdgarFileError(FILE, `filingDate.${i}: '${filingDate}' is not a date`);
    return {
      accessionNumber,
      formType: columns.form[i]!,
      filingDate,
      reportDate: day(columns.reportDate?.[i]),
      acceptanceAsGiven: columns.acceptanceDateTime?.[i] || null,
      act: columns.act?.[i] || null,
      fileNumber: columns.fileNumber?.[i] || null,
      filmNumber: columns.filmNumber?.[i] || null,
      items: (columns.items?.[i] ?? '').split(',').filter((item) => item !== ''),
      size: typeof columns.size?.[i] === 'number' ? columns.size[i] : null,
      isXbrl: Boolean(columns.isXBRL?.[i]),
      isInlineXbrl: Boolean(columns.isInlineXBRL?.[i]),
      primaryDocument: columns.primaryDocument?.[i] || null,
      primaryDocumentDescription: columns.primaryDocDescription?.[i] || null,
    };
  });
}

const NAME = /^CIK\d{10}(-submissions-\d{3})?\.json$/;

export const submissionsJsonKind: RecordKind<'submissions_json', SubmissionsJson> = {
  name: 'submissions_json',
  recognise(head) {
    // SEC's company facts are called CIK##########.json too.
    if (!head.isJson() || (head.hasJsonKey('facts') && head.hasJsonKey('entityName'))) return false;
    if (head.hasJsonKey('accessionNumber')) return true;
    return (
      (head.hasJsonKey('cik') && (head.hasJsonKey('filings') || head.hasJsonKey('entityType'))) || NAME.test(head.name)
    );
  },
  read: readSubmissionsJson,
};
