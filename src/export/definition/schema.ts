/** The YAML of an export definition: values and meaning of each key. The JSON Schema for editors has them too. */
import { z } from 'zod';
import {
  filingInfoParametersSchema,
  filingLookupSchema,
  fulltextSearchSchema,
  isCalendarDate,
  SECTION_CODES,
} from '../../filings/api/index.ts';
import { EXPORT_TABLES, TABLE_GROUPS } from '../../lake/tables/index.ts';
import { isRelativeDate } from './dates.ts';

/** For the names of runs and workflows: valid in a file name and a workflow id. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
export const BASE_URL_PATTERN = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i;
/** Up to 62 days in the largest unit, and about the same in the others. */
const PATIENCE_PATTERN = /^\d{1,7}[smhd]$/;
const DAYS_OR_ALL = /^(\d{1,5}d|all)$/;
const DAYS_OR_NEVER = /^(\d{1,5}d|never)$/;
const MAX_CONNECTIONS = 64;
const MAX_PARALLEL = 64;
const MAX_PAGE = 10_000;
/** A definition is an input of every activity of a run. Longer lists belong in a file. */
const NUMBERS_INLINE_MAX = 1_000;
const CODES = [...new Set(Object.values(SECTION_CODES).flat())] as [string, ...string[]];
const QUERY_CHARACTERS_MAX = 2_000;

const lookup = filingLookupSchema.shape;
const fulltext = fulltextSearchSchema.shape;

const day = (meaning: string) =>
  z
    .string()
    .refine(
      (text) => isCalendarDate(text) || isRelativeDate(text),
      'must be a date, YYYY-MM-DD, or relative to the day of the run: today, yesterday, -30d, -4w, -6m, -1y',
    )
    .optional()
    .describe(`${meaning}: YYYY-MM-DD, or relative to the day of the run: today, yesterday, -30d, -4w, -6m, -1y`);

/** Kinds of values that a key may have; none is required. `meaning` is what editors show. */
const text = (meaning: string) => z.string().min(1).optional().describe(meaning);
const matching = (pattern: RegExp, must: string, meaning: string) =>
  z.string().regex(pattern, must).optional().describe(meaning);
const whole = (least: number, meaning: string, most?: number) => {
  const number = z.int().min(least);
  return (most === undefined ? number : number.max(most)).optional().describe(meaning);
};
const flag = (meaning: string) => z.boolean().optional().describe(meaning);
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values, meaning: string) =>
  z.enum(values).optional().describe(meaning);
const group = <Members extends z.core.$ZodLooseShape>(meaning: string, members: Members) =>
  z.strictObject(members).optional().describe(meaning);

/** A list in a file, which may be of any length. */
const listFile = z.strictObject({
  file: z
    .string()
    .min(1)
    .describe(
      "a text file with a value a line, # before comments; a CSV file; or a Parquet file. Relative to the definition's folder",
    ),
  column: text('column of a CSV or Parquet file; default: the one that is named for the values'),
});

const entityQuery = lookup.entity_query.unwrap();
const entityQueryWithFiles = entityQuery.extend({
  ciks: z
    .union([entityQuery.shape.ciks.unwrap(), listFile])
    .optional()
    .describe('CIKs; a longer list as { file: ciks.txt }'),
  tickers: z
    .union([entityQuery.shape.tickers.unwrap(), listFile])
    .optional()
    .describe('ticker symbols; a longer list as { file: tickers.txt }'),
  names: listFile.optional().describe('names of companies, as { file: names.txt }; each is looked up'),
});

/** The given value tells which member of the union is meant: a list, or a mapping (src/export/definition/mistakes.ts). */
const accessionNumbers = z
  .union([
    z
      .array(filingInfoParametersSchema.shape.accession_number.unwrap())
      .min(1, 'must name at least one')
      .max(
        NUMBERS_INLINE_MAX,
        `holds more than ${NUMBERS_INLINE_MAX} numbers: put them into a file, { file: numbers.txt }`,
      ),
    listFile,
  ])
  .optional()
  .describe('only these filings: a list of accession numbers, or { file: numbers.txt }');

/** The filters of filing_lookup, with dates that may be relative, and what only an export has. */
const selectSchema = z.strictObject({
  entity_query: entityQueryWithFiles
    .optional()
    .describe('filings of the entities that match; with entities: query also the entities themselves'),
  form_types: lookup.form_types.describe(
    'form names, any of them: 10-K finds neither 10-K/A nor 10-K405; 10-K* is the family with its amendments',
  ),
  excluded_form_types: lookup.excluded_form_types.describe('form names to leave out'),
  exclude_amendments: lookup.exclude_amendments.describe('no form that ends in /A'),
  items: lookup.items.describe('8-K items, any of them: 2.02'),
  date_from: day('first filing date, included'),
  date_to: day('last filing date, included'),
  entities: oneOf(
    ['filers', 'query'],
    'which entities: filers (default), those of the filings; query, all that match entity_query, or the whole registry',
  ),
  accession_numbers: accessionNumbers,
  fulltext: group('filings with a document that a full-text search finds; the other filters narrow the search', {
    query: z
      .string()
      .min(1)
      .max(QUERY_CHARACTERS_MAX)
      .describe('the words to find in the documents; up to 2,000 characters'),
    query_type: fulltext.query_type.describe(
      'match (default): all the words; match_phrase: in this order; query_string: AND, OR, NOT, "…", prefix*',
    ),
    document_types: fulltext.document_types.describe(
      'types of the documents that are searched: EX-99.1; EX-10* is a prefix',
    ),
  }),
});

/** The YAML's shape, after values from the environment are filled in. */
export const definitionSchema = z.strictObject({
  name: matching(
    NAME_PATTERN,
    'must be 1 to 63 letters, digits, dots, dashes or underscores, a letter or digit first',
    "name of the export, default the file's; its run's id is export/<name>",
  ),
  service: group('the service to fetch from', {
    base_url: matching(
      BASE_URL_PATTERN,
      'must be an http or https URL without user, query or fragment',
      'address of the service, without /v2; default FILINGLAKE_BASE_URL, else http://127.0.0.1:8080',
    ),
    catalog: text(
      'folder of a catalog on this machine, in place of base_url: read directly, without a key or a port; relative to where you run the command',
    ),
    edgar: group('first fetch from EDGAR into the catalog what the selection needs; {} for the defaults', {
      max_filings: whole(1, 'an export that would download more filings from EDGAR is refused; default 10,000'),
    }),
    api_key: z
      .string()
      .optional()
      .describe('the key, from the environment; default that of FILINGLAKE_API_KEY; never written anywhere'),
    key: oneOf(
      ['parameter', 'bearer', 'x-api-key'],
      'where the key is sent: as the parameter api_key (default), or in a header: bearer for Authorization: Bearer, or x-api-key',
    ),
    method: oneOf(['get', 'post'], 'get (default), or post: parameters as the JSON body of a POST'),
    connections: whole(1, 'maximum number of requests in flight, of each worker; default 8', MAX_CONNECTIONS),
    parallel: whole(
      1,
      'number of batches that workers fetch for one run at the same time; default: one for each worker that runs with its key',
      MAX_PARALLEL,
    ),
    page_size: whole(1, 'records of one lookup, default 10,000', MAX_PAGE),
    patience: matching(
      PATIENCE_PATTERN,
      'must be a number with a unit: 90s, 45m, 2h, 1d',
      'how long a run waits for a service that becomes unreachable: 90s, 45m, 2h, 1d; default 1h',
    ),
  }),
  select: selectSchema.describe('which filings, and which entities'),
  tables: z
    .array(z.enum([...EXPORT_TABLES, ...TABLE_GROUPS.keys()]))
    .min(1, 'must name at least one table')
    .describe(
      `the tables you want; the requests follow from them. A group stands for all tables of a form: ${[...TABLE_GROUPS.keys()].join(', ')}`,
    ),
  documents: group('whose content goes into document_contents', {
    types: z
      .array(z.string().min(1))
      .min(1, 'must name at least one type')
      .optional()
      .describe(
        'whose content goes into document_contents: primary (default), exhibits, all, or document types; EX-10* is a prefix',
      ),
    xml: oneOf(['json', 'raw'], 'XML converted to JSON (default), or raw: unchanged'),
    text: flag('readable text beside the content, made by the export; default false'),
    annual_report: flag(
      'annual reports to shareholders (Exhibit 13) and their sections, in annual_report_sections; types is then empty by default',
    ),
    graphics: flag('images, ZIP archives and spreadsheets too; default false'),
    max_bytes: whole(
      1,
      'larger documents are recorded as failures, without a request if their size is known; default 268435456 (256 MiB)',
    ),
    sizes: flag('false: documents without sizes, which saves a request for each filing'),
  }),
  text_format: oneOf(
    ['plain', 'markdown', 'lines'],
    'of the readable texts that the export makes: plain (default), markdown with headings, lists and tables marked, or lines as filed',
  ),
  sections: group('which sections go into sections and section_contents', {
    codes: z
      .array(z.enum(CODES))
      .min(1, 'must name at least one section')
      .optional()
      .describe(
        'sections to keep: 1A and the like of a 10-K, II-1A and the like of a 10-Q, 4A and the like of a 20-F; default all',
      ),
  }),
  refresh: matching(
    DAYS_OR_ALL,
    'must be a number of days, 30d, or all',
    'request again what the lake has: of the filings of the last days, 30d, or all, and their companies; what did not change moves no bytes; default none',
  ),
  entities: group('the entities of the filings', {
    refresh: matching(
      DAYS_OR_NEVER,
      'must be a number of days, 30d, or never',
      'age at which an entity of a filing is requested again, 100 in a request: 30d (default), or never. A refresh and a new name in a lookup request it at any age',
    ),
  }),
  lake: text('folder of the lake, relative to the working folder; default ./lake'),
  budget: group('what a run may spend', {
    max_requests: whole(1, 'maximum number of requests of a run over its life'),
    max_bytes: whole(1, 'nothing more is sent after so many bytes were received'),
    reserve: whole(0, 'requests of the month to leave unused'),
    order: oneOf(
      ['filings', 'breadth'],
      'filings (default): newest first, each filing with all its requests; breadth: one kind of request for all filings, then the next',
    ),
  }),
  notify: group('who gets a notice if a scheduled run fails, lacks something, waits, is late or does not start', {
    command: text('a command of the shell, which gets the event as JSON on its standard input'),
    webhook: matching(
      /^https?:\/\/\S+$/i,
      'must be an http or https URL',
      'a URL that gets the event as JSON, signed with FILINGLAKE_NOTIFY_SECRET',
    ),
    mail: matching(/^[^\s@]+@[^\s@]+$/, 'must be an address', 'an address; mails go by FILINGLAKE_SMTP_URL'),
    late: matching(
      PATIENCE_PATTERN,
      'must be a number of minutes, hours or days: 90m, 6h',
      'how long a run may take; default 6h',
    ),
  }),
});

export type DefinitionYaml = z.output<typeof definitionSchema>;

/** Keys of texts for which YAML may give a number or a boolean, and of lists for which it may give a single value. */
export const INTEGER_KEYS: ReadonlySet<string> = new Set([
  'connections',
  'parallel',
  'page_size',
  'max_filings',
  'max_requests',
  'max_bytes',
  'reserve',
]);
export const BOOLEAN_KEYS: ReadonlySet<string> = new Set([
  'exclude_amendments',
  'graphics',
  'sizes',
  'text',
  'annual_report',
]);
export const LIST_KEYS: ReadonlySet<string> = new Set([
  'form_types',
  'excluded_form_types',
  'items',
  'tables',
  'types',
  'codes',
  'document_types',
  'accession_numbers',
  ...Object.keys(lookup.entity_query.unwrap().shape),
]);

type AnySchema = z.core.$ZodType;

/** The schema without its wrappers. */
function bare(schema: AnySchema): AnySchema {
  return schema instanceof z.ZodOptional ? bare(schema.unwrap()) : schema;
}

/** The members of the mapping at a path of the definition; null if none is allowed there. */
export function membersAt(path: readonly string[]): Readonly<Record<string, AnySchema>> | null {
  let members: Readonly<Record<string, AnySchema>> | null = definitionSchema.shape;
  for (const name of path) {
    const member: AnySchema | undefined = members?.[name];
    members = member === undefined ? null : membersOf(bare(member));
  }
  return members;
}

function membersOf(schema: AnySchema): Readonly<Record<string, AnySchema>> | null {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodUnion)
    return schema.options.map((option) => membersOf(bare(option as AnySchema))).find(Boolean) ?? null;
  return null;
}

/** Every place of the definition that may hold a value: `select.date_from`. */
export function valuePaths(path: readonly string[] = []): string[][] {
  return Object.entries(membersAt(path) ?? {}).flatMap(([name, schema]) => {
    const own = [...path, name];
    const inner = valuePaths(own);
    return inner.length === 0 || !(bare(schema) instanceof z.ZodObject) ? [own, ...inner] : inner;
  });
}
