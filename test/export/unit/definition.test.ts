import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DefinitionError, parseExportDefinition } from '../../../src/export/definition/parse.ts';
import { catalogOf, definitionDifference, type ExportDefinition } from '../../../src/export/index.ts';
import { runs } from '../../support/property-runs.ts';

const ENV = { FILINGLAKE_BASE_URL: 'http://service.example', FILINGLAKE_API_KEY: 'secret-key' };
const YAML = `name: annual-reports
service: { base_url: http://127.0.0.1:8080, api_key: \${FILINGLAKE_API_KEY} }   # defaults: the environment
select:
  entity_query: { tickers: [AAPL, MSFT] }
  form_types: [10-K, 10-Q]
  exclude_amendments: true
  date_from: 2024-01-01
  date_to: 2024-12-31
tables: [entities, filings, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]
documents: { types: [primary], xml: json, graphics: false }     # whose content
lake: ./lake
budget: { max_requests: 5000 }
`;

function parse(yaml: string, env: Record<string, string | undefined> = ENV) {
  return parseExportDefinition(yaml, 'exports/annual.yaml', env);
}

function mistake(yaml: string, env: Record<string, string | undefined> = ENV): DefinitionError {
  try {
    parse(yaml, env);
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
  throw new Error('the definition was accepted');
}

describe('the mistakes of a definition', () => {
  it('are reported at once, in the order of the file, each with its place and remedy; missing keys last', () => {
    const { message, others } = mistake(`name: a b
select:
  form_type: [10-K]
  date_from: 2024-13-01
  date_frm: 2024-01-01
table: [filings, documnts]
budget: { max_requests: many }
documents: { xml: jason }
`);
    expect([message, ...others.map((other) => other.message)]).toEqual([
      expect.stringMatching(/^exports\/annual.yaml:1:7: name must be 1 to 63 letters/),
      "exports/annual.yaml:3:3: unknown key 'form_type' in select; did you mean 'form_types'?",
      expect.stringMatching(/^exports\/annual.yaml:4:14: select.date_from must be a date/),
      "exports/annual.yaml:5:3: unknown key 'date_frm' in select; did you mean 'date_from'?",
      "exports/annual.yaml:6:1: unknown key 'table'; did you mean 'tables'?",
      'exports/annual.yaml:7:25: budget.max_requests must be a whole number: "many"',
      `exports/annual.yaml:8:19: documents.xml must be one of json, raw: "jason"; did you mean 'json'?`,
    ]);
    expect(mistake('select: { states: [DE] }\ntables: [filings]\n').message).toContain(
      "unknown key 'states' in select; it belongs in select.entity_query",
    );
    const near = mistake('nmae: x\ndocs: { text: true }\nselect: {}\ntables: [filings]\n');
    expect([near, ...near.others].map(({ message: said }) => said)).toEqual([
      expect.stringContaining("unknown key 'nmae'; did you mean 'name'?"),
      expect.stringContaining("unknown key 'docs'; did you mean 'documents'?"),
    ]);
    expect(mistake('dox: x\nselect: {}\ntables: [filings]\n').message).not.toContain('did you mean');
    const missing = mistake('name: a b\n');
    expect([missing, ...missing.others].map(({ message: said }) => said)).toEqual([
      expect.stringContaining('name must be'),
      expect.stringContaining('select is missing'),
      expect.stringContaining('tables is missing'),
    ]);
    expect(missing.others[1]!.remedy).toContain('tables: [entities');
  });

  it('are those of all its exports, each once, although all share the defaults', () => {
    const { message, others } = mistake(`tables: [filings]
select: { form_types: [10-K], date_from: 2024-02-01, date_to: 2024-01-01 }
exports:
  - name: a
    select: { exclude_amendments: true, form_types: [10-K/A] }
  - name: b
    documents: { types: [all, GRAPHIC] }
`);
    expect([message, ...others.map((other) => other.message)]).toEqual([
      expect.stringContaining(':2:42: select.date_from (2024-02-01) is after'),
      expect.stringContaining(':5:53: form_types names amendments only'),
      expect.stringContaining(":7:26: documents.types: 'all' can't be combined with other types"),
      expect.stringContaining(':7:31: documents.types names GRAPHIC'),
    ]);
  });
});

describe('values that are spelt as none of EDGAR’s are', () => {
  it('are warned of with their place and the right one: forms, items, states', () => {
    const { warnings } = parse(`select:
  form_types: [10-K, 10K, DEF14A/A, 13G, 8-k]
  excluded_form_types: [10-KK]
  items: [2.02, 2.2, Item 9.01, 5, '13.01']
  entity_query: { states: [DE, Delaware, A6, new york, Atlantis] }
tables: [filings]
`);
    expect(warnings).toEqual([
      "line 2, column 22: EDGAR has no form type '10K'; did you mean '10-K'?",
      "line 2, column 27: EDGAR has no form type 'DEF14A/A'; did you mean 'DEF 14A/A'?",
      "line 2, column 37: EDGAR has no form type '13G'; did you mean 'SC 13G'?",
      "line 3, column 25: EDGAR has no form type '10-KK'; did you mean '10-K'?",
      "line 4, column 17: Form 8-K has no item '2.2'; did you mean '2.02'?",
      "line 4, column 22: Form 8-K has no item 'Item 9.01'; did you mean '9.01'?",
      "line 4, column 36: Form 8-K has no item '13.01'; did you mean '1.01'?",
      "line 5, column 32: states have codes of two characters, not 'Delaware'; did you mean 'DE'?",
      "line 5, column 46: states have codes of two characters, not 'new york'; did you mean 'NY'?",
      "line 5, column 56: states have codes of two characters, not 'Atlantis': DE, NY, A6",
      expect.stringContaining('form_types leaves out 10-K405'),
    ]);
  });

  it('are warned of in document types too', () => {
    const { warnings } = parse(`select: { fulltext: { query: x, document_types: [EX99.1, EX-10*] } }
tables: [filings, document_contents]
documents: { types: [exhibit, EX10, EX-21, XML] }
`);
    expect(warnings).toEqual([
      "line 1, column 50: no document is of type 'EX99.1'; did you mean 'EX-99.1'?",
      "line 3, column 22: no document is of type 'exhibit'; did you mean 'exhibits'?",
      "line 3, column 31: no document is of type 'EX10'; did you mean 'EX-10'?",
    ]);
  });

  it('are reported with the option if they are on the command line', () => {
    const set = { set: ['form_types=10K'] };
    const { warnings } = parseExportDefinition('select: {}\ntables: [filings]\n', 'x.yaml', ENV, set);
    expect(warnings).toEqual(["--set form_types=10K: EDGAR has no form type '10K'; did you mean '10-K'?"]);
  });

  it('are none of the names in EDGAR’s indexes, of any age, nor names that are near none', () => {
    const real = [
      '10-K405/A',
      '10KSB40',
      '10QSB',
      'SC 13D/A',
      'SCHEDULE 13G',
      '424B2',
      'N-CSRS',
      'S-1MEF',
      '4/A',
      '15-12G',
      'CORRESP',
    ];
    for (const form of [...real, 'NEW-FORM-2031', 'X'])
      expect(parse(`select: { form_types: ['${form}'] }\ntables: [filings]\n`).warnings).toEqual([]);
  });
});

describe('an export definition', () => {
  it('is read with its defaults, and its key apart', () => {
    const { definition, apiKey, apiKeyVariable } = parse(YAML);
    expect(definition).toEqual({
      name: 'annual-reports',
      service: { base_url: 'http://127.0.0.1:8080', method: 'get', connections: 8, page_size: 10_000 },
      select: {
        entity_query: { tickers: ['AAPL', 'MSFT'] },
        form_types: ['10-K', '10-Q'],
        exclude_amendments: true,
        date_from: '2024-01-01',
        date_to: '2024-12-31',
      },
      tables: [
        'entities',
        'entity_tickers',
        'entity_addresses',
        'filings',
        'documents',
        'sections',
        'section_contents',
        'items_8k',
        'exhibits_8k',
        'document_contents',
      ],
      documents: { types: ['primary'], xml: 'json', graphics: false, sizes: true },
      lake: './lake',
      budget: { max_requests: 5000, max_bytes: null, reserve: 0 },
    });
    expect(apiKey).toBe('secret-key');
    expect(apiKeyVariable).toBe('FILINGLAKE_API_KEY');
    expect(JSON.stringify(definition)).not.toContain('secret-key');
  });

  it('needs no more than select and tables', () => {
    const { definition, apiKey, warnings } = parse('select: {}\ntables: [filings]\n');
    expect(definition).toMatchObject({
      name: 'annual',
      service: { base_url: 'http://service.example' },
      tables: ['filings'],
      documents: { types: ['primary'], sizes: false },
      budget: { max_requests: null, max_bytes: null, reserve: 0 },
    });
    expect(apiKey).toBe('secret-key');
    expect(warnings).toEqual([]);
  });

  it('may lack its key: that is reported separately, with the name of the variable', () => {
    expect(parse(YAML, {})).toMatchObject({ apiKey: null, apiKeyVariable: 'FILINGLAKE_API_KEY' });
    expect(parse(YAML.replace('FILINGLAKE_API_KEY', 'OTHER'), ENV)).toMatchObject({
      apiKey: null,
      apiKeyVariable: 'OTHER',
    });
    expect(parse(YAML.replace('FILINGLAKE_API_KEY', 'OTHER'), { ...ENV, OTHER: 'x: {y} # z' }).apiKey).toBe(
      'x: {y} # z',
    );
  });

  it('takes values of the environment in any place, numbers too', () => {
    const yaml = `select: { form_types: ["\${A}", 10-\${B}] }\ntables: [filings]\nlake: \${DIR}/lake\nbudget: { max_requests: \${N} }\n`;
    const { definition } = parse(yaml, { ...ENV, A: '8-K', B: 'Q', DIR: '/data', N: '17' });
    expect(definition).toMatchObject({
      select: { form_types: ['8-K', '10-Q'] },
      lake: '/data/lake',
      budget: { max_requests: 17 },
    });
  });

  it('reads forms, tickers, items and CIKs as texts, whatever YAML takes them for', () => {
    const yaml =
      'select:\n  form_types: [4, 3, 144, 10-K]\n  items: [5.10, 2.02]\n  entity_query: { tickers: [TRUE, ON, NO], ciks: [0000320193], sics: 0100 }\ntables: filings\n';
    const { definition } = parse(yaml.replace('144, 10-K', '144, 8-K'));
    expect(definition.select).toEqual({
      form_types: ['4', '3', '144', '8-K'],
      items: ['5.10', '2.02'],
      entity_query: { tickers: ['TRUE', 'ON', 'NO'], ciks: ['320193'], sics: ['0100'] },
    });
  });

  it('adds the tables that the requested ones need', () => {
    expect(parse('select: {}\ntables: [entity_tickers]').definition.tables).toEqual([
      'entities',
      'entity_tickers',
      'entity_addresses',
      'filings',
    ]);
    const exhibits = parse('select: {}\ntables: [exhibits_8k]').definition;
    expect(exhibits.tables).toEqual(['filings', 'documents', 'items_8k', 'exhibits_8k']);
    expect(exhibits.documents.sizes).toBe(false);
  });

  it('warn of XML stored as JSON beside tables of forms: it can’t be mapped again', () => {
    const warnings = (tables: string, xml: string) =>
      parse(`select: {}\ntables: [${tables}]\ndocuments: { xml: ${xml} }\n`).warnings;
    expect(warnings('ownership, document_contents', 'json')).toEqual([expect.stringContaining('documents.xml to raw')]);
    expect(warnings('fundamentals, document_contents', 'json')).toEqual([]);
    expect(warnings('ownership, document_contents', 'raw')).toEqual([]);
    expect(warnings('document_contents', 'json')).toEqual([]);
  });

  it('warns of tables that will stay empty', () => {
    const { warnings } = parse('select: { form_types: [4] }\ntables: [sections, items_8k]');
    expect(warnings).toEqual([
      'sections will stay empty: only 10-K, 10-Q and 20-F forms have sections',
      'items_8k will stay empty: only 8-K forms have items',
    ]);
  });

  it.each(readdirSync(resolve(import.meta.dirname, '../../../config/exports')))('equals the example %s', (file) => {
    const text = readFileSync(resolve(import.meta.dirname, '../../../config/exports', file), 'utf8');
    const { definition, warnings } = parseExportDefinition(text, file, ENV, {
      pathOf: (name) => name,
    });
    expect(definition.name).toMatch(/^[a-z-]+$/);
    expect(warnings).toEqual([]);
  });
});

describe('the service of a definition', () => {
  const text = 'select: {}\ntables: [filings]\n';
  const urlOf = (yaml: string, env: Record<string, string>) =>
    parseExportDefinition(yaml, 'x.yaml', env).definition.service.base_url;

  it("is the definition's own, else the environment's, else the default address of filinglake serve", () => {
    const env = { FILINGLAKE_BASE_URL: 'http://environment' };
    expect(urlOf(`${text}service: { base_url: http://own }`, env)).toBe('http://own');
    expect(urlOf(text, env)).toBe('http://environment');
    expect(urlOf(text, {})).toBe('http://127.0.0.1:8080');
  });
});

describe('a mistake in a definition', () => {
  const changed = (from: string, to: string) => YAML.replace(from, to);
  it.each<[string, string, string]>([
    ['5:3', changed('form_types', 'form_type'), "unknown key 'form_type' in select; did you mean 'form_types'?"],
    ['9:1', changed('tables:', 'table:'), "unknown key 'table'; did you mean 'tables'?"],
    ['10:43', changed('graphics:', 'grafics:'), "unknown key 'grafics' in documents; did you mean 'graphics'?"],
    ['4:19', changed('tickers:', 'ticker:'), "unknown key 'ticker' in select.entity_query; did you mean 'tickers'?"],
    ['9:78', changed('exhibits_8k', 'exibits_8k'), "did you mean 'exhibits_8k'?"],
    ['9:78', changed('exhibits_8k', 'coverage'), "coverage is always written and can't be requested"],
    [
      '8:12',
      changed('2024-12-31', '2024-02-31'),
      'select.date_to must be a date, YYYY-MM-DD, or relative to the day of the run: today, yesterday, -30d',
    ],
    ['7:14', changed('2024-12-31', '2023-12-31'), 'select.date_from (2024-01-01) is after select.date_to (2023-12-31)'],
    ['12:25', changed('5000', 'many'), 'budget.max_requests must be a whole number: "many"'],
    ['12:25', changed('5000', '-1'), 'budget.max_requests'],
    ['6:23', changed('true', 'yes'), 'select.exclude_amendments must be true or false: "yes"'],
    ['4:29', changed('AAPL', '{ a: b }'), 'select.entity_query.tickers[0] must be a text'],
    ['4:17', changed('{ tickers: [AAPL, MSFT] }', '[AAPL]'), 'select.entity_query must be a mapping'],
    ['6:22', changed(' true', ''), 'select.exclude_amendments is empty'],
    ['11:7', changed('./lake', `\${NOPE}/lake`), 'the environment variable NOPE is not set'],
    [
      '5:22',
      changed('exclude_amendments: true', 'excluded_form_types: [10-q]'),
      '10-Q is in form_types and in excluded_form_types',
    ],
    ['5:15', changed('[10-K, 10-Q]', '[10-K/A]'), 'form_types names amendments only'],
    ['6:10', changed('exclude_amendments: true', 'items: [2.02]'), 'form_types names no 8-K'],
    ['4:17', changed('{ tickers: [AAPL, MSFT] }', '{ tickers: [] }'), 'select.entity_query has no filter'],
    [
      '10:31',
      changed('[primary]', '[primary, GRAPHIC]'),
      'documents.types names GRAPHIC, and documents.graphics is false',
    ],
    ['1:7', changed('annual-reports', '../x'), 'name must be 1 to 63 letters'],
    ['2:22', changed('http://127.0.0.1:8080', 'ftp://x'), 'service.base_url must be an http or https URL'],
    ['2:22', changed('http://127.0.0.1', 'http://u:p@h'), 'service.base_url must be'],
    ['5:3', changed('[AAPL, MSFT] }', '[AAPL, MSFT'), 'Flow sequence'],
    ['11:1', changed('lake: ./lake', 'name: x'), 'Map keys must be unique'],
    ['1:1', changed(/tables: .*/.exec(YAML)![0], ''), 'tables is missing'],
    ['1:1', '', 'the definition is empty'],
    ['1:1', '- x', 'the definition must be a mapping'],
  ])('such as %3$s is reported with its place', (place, yaml, message) => {
    const error = mistake(yaml);
    expect(error.message).toContain(message);
    expect(`${error.line}:${error.column}`).toBe(place);
    expect(error.message.startsWith(`exports/annual.yaml:${place}: `)).toBe(true);
    expect(error.exitCode).toBe(2);
  });

  it('never shows a key that was written in the wrong place', () => {
    const error = mistake(changed(`\${FILINGLAKE_API_KEY}`, '[secret-key]'));
    expect(error.message).toContain('service.api_key must be a text');
    expect(error.message).not.toContain('secret-key');
  });

  it('is always reported as one, whatever the text is', () => {
    const pieces = fc.constantFrom(
      'name: ',
      'select:\n',
      '  items: [',
      ']',
      '{',
      '}',
      `\${X}`,
      '- a\n',
      '\t',
      '&a ',
      '*a',
      '!!binary ',
      ': ',
      '\n',
      '"',
      "'",
      '#',
      '|\n',
      '? ',
      'tables: [filings]\n',
      '---\n',
      '<<: ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        try {
          parse(parts.join(''));
        } catch (error) {
          if (!(error instanceof DefinitionError)) throw error;
          expect(error.line).toBeGreaterThan(0);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('the patience of a definition', () => {
  const patienceOf = (patience: string) =>
    parse(`name: p\nservice: { patience: ${patience} }\nselect: {}\ntables: [filings]\n`).definition.service
      .patience_seconds;

  it.each([
    ['90s', 90],
    ['45m', 2_700],
    ['2h', 7_200],
    ['1d', 86_400],
    ['0s', 0],
  ])('%s is %d seconds', (patience, seconds) => {
    expect(patienceOf(patience)).toBe(seconds);
  });

  it.each(['1', 'an hour', '-5m', '1w', '1.5h'])('%s is refused', (patience) => {
    expect(() => patienceOf(patience)).toThrow('must be a number with a unit');
  });
});

describe('two definitions', () => {
  const base = parse(YAML).definition;
  it('are the same if only budget, connections and page size differ', () => {
    const other: ExportDefinition = {
      ...base,
      budget: { max_requests: 9, max_bytes: 9, reserve: 9 },
      service: { ...base.service, connections: 2, page_size: 7 },
    };
    expect(definitionDifference(base, other)).toEqual([]);
  });

  it('are the same if only the active one is a refresh: it does all that the other does', () => {
    const refreshed: ExportDefinition = { ...base, refresh: 30 };
    expect(definitionDifference(refreshed, base)).toEqual([]);
    expect(definitionDifference(base, refreshed)).toEqual(['refresh: 30, was not given']);
    expect(definitionDifference(refreshed, { ...base, refresh: 'all' })).toHaveLength(1);
  });

  it('are listed member by member', () => {
    const other = parse(
      YAML.replace('2024-12-31', '2025-12-31').replace('  exclude_amendments: true\n', '').replace('json', 'raw'),
    ).definition;
    expect(definitionDifference(base, other)).toEqual([
      'select.exclude_amendments: not given, was true',
      'select.date_to: "2025-12-31", was "2024-12-31"',
      'documents.xml: "raw", was "json"',
    ]);
  });
});

describe('a definition that reads a catalog', () => {
  const REST = 'select: {}\ntables: [filings]\n';

  it('has the catalog in place of an address, and no key', () => {
    const { definition, apiKey, edgar } = parse(`service: { catalog: /data/catalog }\n${REST}`);
    expect([definition.service.base_url, apiKey, edgar]).toEqual(['catalog:/data/catalog', null, undefined]);
    expect(catalogOf(definition.service.base_url)).toBe('/data/catalog');
    expect(catalogOf('http://127.0.0.1:8080')).toBe(null);
  });

  it('may fetch from EDGAR first, up to a number of filings', () => {
    const of = (edgar: string) => parse(`service: { catalog: c, edgar: ${edgar} }\n${REST}`).edgar;
    expect([of('{}'), of('{ max_filings: 5 }')]).toEqual([{ max_filings: 10_000 }, { max_filings: 5 }]);
  });

  it.each([
    ['{ catalog: c, base_url: http://a.example }', 'service has both catalog and base_url'],
    ['{ catalog: c, api_key: secret }', 'service.catalog needs no api_key'],
    ['{ edgar: {} }', 'service.edgar needs service.catalog'],
    ['{ catalog: "" }', 'service.catalog'],
    ['{ catalog: c, edgar: { max_filings: 0 } }', 'service.edgar.max_filings'],
  ])('is refused as %s', (service, message) => {
    expect(mistake(`service: ${service}\n${REST}`).message).toContain(message);
  });
});
