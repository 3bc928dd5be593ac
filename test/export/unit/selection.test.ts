/** What a definition may select, the sources of its values, and how its mistakes are reported. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilinglakeError } from '../../../src/core/index.ts';
import { readValueList } from '../../../src/export/definition/index.ts';
import { DefinitionError, type ParseOptions } from '../../../src/export/definition/parse.ts';
import type { ListReader } from '../../../src/export/definition/read-lists.ts';
import {
  definitionDifference,
  type ListKind,
  parseExportDefinitions,
  readAnew,
  resolveDate,
  withListsRead,
} from '../../../src/export/index.ts';
import { firstWindows, windowRecord } from '../../../src/export/windows/index.ts';

const ENV = { FILINGLAKE_API_KEY: 'secret-key' };

function parse(yaml: string, options: ParseOptions = {}, env: Record<string, string | undefined> = ENV) {
  return parseExportDefinitions(yaml, 'x.yaml', env, options);
}

function one(yaml: string, options: ParseOptions = {}) {
  return parse(yaml, options)[0]!.definition;
}

function refusal(yaml: string, options: ParseOptions = {}): FilinglakeError {
  try {
    parse(yaml, options);
  } catch (error) {
    if (error instanceof FilinglakeError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const PLAIN = 'select: { date_from: 2024-01-01 }\ntables: [filings]\n';
const set = (...values: string[]) => ({ set: values });

describe('a value of the command line', () => {
  it('takes the place of the one in the file, by its path or its last word', () => {
    expect(one(PLAIN, set('date_from=2020-05-05')).select.date_from).toBe('2020-05-05');
    expect(one(PLAIN, set('select.date_from=-30d', 'budget.max_requests=1_000')).select.date_from).toBe('-30d');
    expect(one(PLAIN, set('max_requests=100')).budget.max_requests).toBe(100);
    expect(one(PLAIN, set('graphics=true')).documents.graphics).toBe(true);
    expect(one(PLAIN, set('name=other')).name).toBe('other');
  });

  it('may be a list, with commas or as YAML has it', () => {
    expect(one(PLAIN, set('form_types=10-K, 4')).select.form_types).toEqual(['10-K', '4']);
    expect(one(PLAIN, set('tickers=AAPL')).select.entity_query).toEqual({ tickers: ['AAPL'] });
    expect(one(PLAIN, set('name_includes=SMITH, JOHN')).select.entity_query).toEqual({
      name_includes: ['SMITH, JOHN'],
    });
    expect(one(PLAIN, set('name_includes=["A, B", C]')).select.entity_query).toEqual({ name_includes: ['A, B', 'C'] });
  });

  it('uses the last value', () => {
    expect(one(PLAIN, set('date_from=2020-01-01', 'date_from=2021-01-01')).select.date_from).toBe('2021-01-01');
  });

  it.each<[string, string]>([
    ['date_from=2024-13-01', '--set date_from=2024-13-01: select.date_from must be a date'],
    ['date_from=', '--set date_from=: select.date_from is empty'],
    ['max_requests=many', '--set max_requests=many: budget.max_requests must be a whole number: "many"'],
    ['tables=filings,filing', '--set tables=filings,filing: tables[1] must be one of'],
    ['date_to=2023-01-01', 'x.yaml:1:22: select.date_from (2024-01-01) is after select.date_to (2023-01-01)'],
    ['date_from', '--set date_from: a value is missing'],
    ['form_type=10-K', "--set form_type=10-K: a definition has no 'form_type'; did you mean 'form_types'?"],
    ['select.date_form=x', "did you mean 'select.date_from'?"],
    ['types', '--set types: a value is missing'],
  ])('that is wrong is reported with its option: %s', (value, message) => {
    const error = refusal(PLAIN, set(value));
    expect(error.message).toContain(message);
    expect(error.exitCode).toBe(2);
  });

  const told = (yaml: string, values: string[]) => {
    const error = refusal(yaml, set(...values));
    expect(error.exitCode).toBe(2);
    return [error, ...error.others].map(({ message }) => message);
  };

  it('that is wrong is reported with all other mistakes, on the command line and in the file', () => {
    const yaml = `name: x\nselect: { date_form: 2024-01-01 }\nlake: \${NOPE}/\${NEITHER}\nbudget: { reserve: \${MANY}, max_request: 5 }\n`;
    expect(told(yaml, ['form_type=10-K', 'items', 'budget.max_bytes=many', 'api_key=secret'])).toEqual([
      "--set form_type=10-K: a definition has no 'form_type'; did you mean 'form_types'?",
      '--set items: a value is missing',
      '--set api_key: an API key must not stand on a command line',
      '--set budget.max_bytes=many: budget.max_bytes must be a whole number: "many"',
      "x.yaml:2:11: unknown key 'date_form' in select; did you mean 'date_from'?",
      'x.yaml:3:7: the environment variable NOPE is not set',
      'x.yaml:3:7: the environment variable NEITHER is not set',
      'x.yaml:4:20: the environment variable MANY is not set',
      "x.yaml:4:29: unknown key 'max_request' in budget; did you mean 'max_requests'?",
      'x.yaml:1:1: tables is missing',
    ]);
  });

  it('may be meant for a missing key of the file: then the missing key is not reported', () => {
    expect(told('select: {}\n', ['table=filings'])).toEqual([
      "--set table=filings: a definition has no 'table'; did you mean 'tables'?",
    ]);
  });

  it('replaces a variable that is not set', () => {
    const yaml = `${PLAIN}\nlake: \${NOPE}\n`;
    expect(one(yaml, set('lake=there')).lake).toBe('there');
    expect(refusal(yaml).message).toContain('the environment variable NOPE is not set');
  });

  it('is never the key: that would be in the list of processes', () => {
    for (const value of ['api_key=secret', 'service.api_key=secret', 'x.api_key=secret']) {
      const error = refusal(PLAIN, set(value));
      expect(error.message).not.toContain('secret');
      expect(error.exitCode).toBe(2);
    }
  });
});

describe('a relative date', () => {
  it.each<[string, string, string]>([
    ['today', '2024-03-31', '2024-03-31'],
    ['yesterday', '2024-03-01', '2024-02-29'],
    ['-30d', '2024-03-31', '2024-03-01'],
    ['-2w', '2024-01-10', '2023-12-27'],
    ['-1m', '2024-03-31', '2024-02-29'],
    ['-1m', '2024-01-15', '2023-12-15'],
    ['-13m', '2024-01-15', '2022-12-15'],
    ['-1y', '2024-02-29', '2023-02-28'],
    ['-0d', '2024-02-29', '2024-02-29'],
    ['2020-01-01', '2024-02-29', '2020-01-01'],
  ])('%s on %2$s is %3$s', (text, today, date) => {
    expect(resolveDate(text, today)).toBe(date);
  });

  it('stays in the definition, and becomes a date of the calendar on the day of a run', () => {
    const definition = one('select: { date_from: -30d, date_to: yesterday }\ntables: [filings]\n');
    expect(definition.select).toEqual({ date_from: '-30d', date_to: 'yesterday' });
    const windows = firstWindows(definition, '2024-03-31');
    expect(windows).toMatchObject([{ filter: { date_from: '2024-03-01', date_to: '2024-03-30' } }]);
    expect(windowRecord(windows[0]!)).toMatchObject({ date_from: '2024-03-01', date_to: '2024-03-30', filter: '{}' });
    expect(
      definitionDifference(definition, one('select: { date_from: -31d, date_to: yesterday }\ntables: [filings]\n')),
    ).toEqual(['select.date_from: "-31d", was "-30d"']);
  });

  it('that is after the other end is refused if that holds on every day, else nothing is read on that day', () => {
    expect(refusal('select: { date_from: today, date_to: -1d }\ntables: [filings]\n').message).toBe(
      'x.yaml:1:22: select.date_from (today) is after select.date_to (-1d)',
    );
    const later = one('select: { date_from: 2024-06-01, date_to: today }\ntables: [filings]\n');
    expect(firstWindows(later, '2024-05-31')).toEqual([]);
    expect(firstWindows(later, '2024-06-01')).toHaveLength(1);
  });

  it('of no known unit is refused with those that there are', () => {
    expect(refusal('select: { date_from: -30x }\ntables: [filings]\n').message).toContain(
      '-30d, -4w, -6m, -1y: "-30x"',
    );
    expect(refusal('select: { date_from: -99999y }\ntables: [filings]\n').message).toContain('must be a date');
  });
});

const SEVERAL = `service: { base_url: http://a, api_key: \${KEY_A}, connections: 3 }
select: { date_from: -30d }
tables: [filings]
lake: ./common
budget: { max_requests: 10, reserve: 1 }
exports:
  - name: reports
    select: { form_types: [10-K] }
    tables: [filings, sections]
  - name: releases
    service: { base_url: http://b }
    select: { form_types: [8-K], date_from: 2024-01-01 }
    budget: { max_requests: 20 }
    lake: ./own
`;

describe('a file of several exports', () => {
  it('has defaults that each may override, member by member', () => {
    const [reports, releases] = parse(SEVERAL).map(({ definition }) => definition);
    expect(reports).toMatchObject({
      name: 'reports',
      service: { base_url: 'http://a', connections: 3 },
      select: { date_from: '-30d', form_types: ['10-K'] },
      tables: ['filings', 'sections'],
      lake: './common',
      budget: { max_requests: 10, reserve: 1 },
    });
    expect(releases).toMatchObject({
      name: 'releases',
      service: { base_url: 'http://b', connections: 3 },
      select: { date_from: '2024-01-01', form_types: ['8-K'] },
      tables: ['filings'],
      lake: './own',
      budget: { max_requests: 20, reserve: 1 },
    });
  });

  it('knows the source of each key', () => {
    const own = SEVERAL.replace('http://b', `http://b, api_key: "\${KEY_B}"`);
    const parsed = parse(own, {}, { KEY_A: 'a' });
    expect(parsed.map(({ apiKey, apiKeyVariable }) => [apiKey, apiKeyVariable])).toEqual([
      ['a', 'FILINGLAKE_API_KEY'],
      [null, 'KEY_B'],
    ]);
  });

  it('gives those that are named, in its own order', () => {
    const names = (...wanted: string[]) => parse(SEVERAL, { names: wanted }).map(({ definition }) => definition.name);
    expect(names()).toEqual(['reports', 'releases']);
    expect(names('releases', 'reports')).toEqual(['reports', 'releases']);
    expect(names('releases')).toEqual(['releases']);
    expect(() => names('release')).toThrow("x.yaml has no export 'release'; did you mean 'releases'?");
  });

  it('takes values of the command line for all that are taken', () => {
    const limits = parse(SEVERAL, set('max_requests=7')).map(({ definition }) => definition.budget.max_requests);
    expect(limits).toEqual([7, 7]);
    const one = parse(SEVERAL, { ...set('items=2.02'), names: ['releases'] });
    expect(one.map(({ definition }) => definition.select.items)).toEqual([['2.02']]);
    expect(refusal(SEVERAL, set('items=2.02')).message).toContain('--set items=2.02: items are those of 8-K filings');
  });

  it.each<[string, string, string, string]>([
    ['a mistake in one', '[8-K]', '{ a: b }', 'x.yaml:12:27: select.form_types must be a list'],
    ['a mistake in the defaults', 'reserve: 1', 'reserve: x', 'x.yaml:5:38: budget.reserve must be a whole number'],
    ['an unknown key in one', 'lake: ./own', 'lakes: x', "x.yaml:14:5: unknown key 'lakes'; did you mean 'lake'?"],
    ['a missing name', 'name: releases\n    ', '', 'x.yaml:10:5: exports[1] needs a name'],
    ['a name twice', 'name: releases', 'name: reports', 'x.yaml:10:11: two exports are named reports'],
    ['a name for all', 'lake: ./common', 'name: x', 'x.yaml:4:1: each of exports has a name of its own'],
    [
      'dates that contradict each other',
      'date_from: 2024-01-01',
      'date_from: 2024-01-01, date_to: 2023-01-01',
      'x.yaml:12:45: select.date_from',
    ],
    ['an unset variable', './own', `\${NOPE}`, 'x.yaml:14:11: the environment variable NOPE is not set'],
  ])('is reported with its place: %s', (_name, from, to, message) => {
    const error = refusal(SEVERAL.replace(from, to));
    expect(error).toBeInstanceOf(DefinitionError);
    expect(error.message).toContain(message);
  });

  it('is not a list of nothing', () => {
    expect(refusal('exports: []').message).toBe('x.yaml:1:10: exports must be a list of at least one export');
    expect(refusal('exports: [a]').message).toBe('x.yaml:1:11: exports[0] must be a mapping');
    expect(refusal('export:\n  - name: x\n').message).toContain("did you mean 'exports'?");
  });
});

describe('a list of accession numbers', () => {
  const numbers = ['0000320193-24-000123', '0000320193-24-000124'];
  const pathOf = (name: string) => `/data/${name}`;
  const reading = (text: string) => (list: { file: string }, kind: ListKind) =>
    Promise.resolve({ ...readValueList(text, { kind, file: list.file }), hash: `hash of ${text.length}` });
  const withFile = async (yaml: string, read: ListReader) =>
    (await withListsRead(parse(yaml, { pathOf })[0]!, read)).definition;
  const yaml = 'select: { accession_numbers: { file: numbers.txt } }\ntables: [filings]\n';

  it('is in the definition, with dashes or without, each once', () => {
    const definition = one(
      `select: { accession_numbers: [${numbers[0]}, "000032019324000124", ${numbers[0]}] }\ntables: [filings]\n`,
    );
    expect(definition.select.accession_numbers).toEqual(numbers);
    expect(firstWindows(definition, '2024-01-01')).toEqual([
      { id: 'n', of: 'numbers', filter: {}, today: '2024-01-01', inexact: null },
    ]);
  });

  it('or in a file, of which the definition keeps the place and what tells that it changed', async () => {
    const definition = await withFile(yaml, reading(`# mine\n${numbers[0]}\n\n 000032019324000124  # the other\r\n`));
    const kept = definition.select.accession_numbers as { file: string; hash: string };
    expect(kept.file).toBe('/data/numbers.txt');
    expect(JSON.stringify(definition)).not.toContain(numbers[0]);
    const changed = await withFile(yaml, reading(numbers[0]!));
    expect(definitionDifference(definition, changed)[0]).toMatch(/^select\.accession_numbers\.hash: /);
    expect(readAnew(definition).select.accession_numbers).toEqual({ file: '/data/numbers.txt' });
    expect(definitionDifference(readAnew(definition), changed)).toEqual([]);
  });

  it.each<[string, ListReader]>([
    [
      '/data/numbers.txt:2:3: no accession number: "0000320193-24-12"',
      reading(`${numbers[0]}\n  0000320193-24-12 # x\n`),
    ],
    ['x.yaml:1:38: numbers.txt holds no accession number', reading('# none\n')],
    [
      "x.yaml:1:38: numbers.txt can't be read: there is no such file",
      () => Promise.reject(Object.assign(new Error('ENOENT'), { code: 'ENOENT' })),
    ],
    ['x.yaml:1:38: numbers.txt: line 7 has 2 cells', () => Promise.reject(new Error('line 7 has 2 cells'))],
  ])('is reported with its place if its file is wrong: %s', async (message, read) => {
    await expect(withFile(yaml, read)).rejects.toThrow(message);
  });

  it.each<[string, string, ParseOptions]>([
    ["x.yaml:1:38: x.yaml names a file, which can't be read here: numbers.txt", yaml, {}],
    [
      'x.yaml:1:31: select.accession_numbers[0] must be an accession number',
      'select: { accession_numbers: [123] }\ntables: [filings]',
      {},
    ],
    [
      "x.yaml:1:32: unknown key 'fil' in select.accession_numbers; did you mean 'file'?",
      'select: { accession_numbers: { fil: x } }\ntables: [filings]',
      {},
    ],
    [
      "x.yaml:1:66: select.accession_numbers can't be combined with form_types",
      `select: { accession_numbers: [${numbers[0]}], form_types: [4] }\ntables: [filings]`,
      {},
    ],
    [
      "x.yaml:1:64: select.accession_numbers can't be combined with fulltext",
      `select: { accession_numbers: [${numbers[0]}], fulltext: { query: x } }\ntables: [filings]`,
      {},
    ],
  ])('is reported with its place if it is wrong: %s', (message, text, options) => {
    expect(refusal(text, options).message).toContain(message);
  });

  it('reads the numbers, whatever is around them', () => {
    const number = fc
      .tuple(fc.nat(9_999_999_999), fc.nat(99), fc.nat(999_999))
      .map(([a, b, c]) => `${String(a).padStart(10, '0')}-${String(b).padStart(2, '0')}-${String(c).padStart(6, '0')}`);
    const dress = fc.record({
      plain: fc.boolean(),
      before: fc.constantFrom('', ' ', '\t', '\n', '# x\n'),
      after: fc.constantFrom('', ' ', ' # note', '#', '\r'),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(number, dress)), (entries) => {
        const text = entries
          .map(([n, { plain, before, after }]) => `${before}${plain ? n.replaceAll('-', '') : n}${after}`)
          .join('\n');
        const read = readValueList(text, { kind: 'accession_numbers', file: 'numbers.txt' });
        expect(read).toEqual({ values: [...new Set(entries.map(([n]) => n))], wrong: null });
      }),
    );
  });
});

describe('entities of a query', () => {
  it('are windows of their own, and with tables of entities only no filing is looked up', () => {
    const definition = one('select: { entities: query, entity_query: { sics: [2834] } }\ntables: [entities]\n');
    expect(definition.tables).toEqual(['entities', 'entity_tickers', 'entity_addresses']);
    expect(firstWindows(definition, '2024-01-01')).toMatchObject([
      { id: 'e', of: 'entities', filter: { entity_query: { sics: ['2834'] } } },
    ]);
  });

  it('are the whole registry if no query narrows them: two filters that complement each other', () => {
    const windows = firstWindows(one('select: { entities: query }\ntables: [entities, filings]\n'), '2024-01-01');
    expect(windows.map(({ id, of, filter }) => [id, of, filter])).toEqual([
      ['e-1', 'entities', { entity_query: { name_includes: ['C'] } }],
      ['e-2', 'entities', { entity_query: { name_excludes: ['C'] } }],
      ['w', undefined, {}],
    ]);
    expect(windowRecord(windows[0]!).filter).toBe('{"entities":{"name_includes":["C"]}}');
  });

  it('are those of the filings by default, and saying so changes nothing', () => {
    const said = one('select: { entities: filers }\ntables: [entities]\n');
    expect(said).toEqual(one('select: {}\ntables: [entities]\n'));
  });

  it('are refused if no tables of them, or only tables of them, are requested', () => {
    expect(refusal('select: { entities: query }\ntables: [filings]\n').message).toBe(
      'x.yaml:1:21: entities: query asks for entities, and tables names no table of them',
    );
    expect(refusal('select: { entities: query, form_types: [4] }\ntables: [entities]\n').message).toBe(
      'x.yaml:1:40: select.form_types selects filings, and tables names tables of entities only',
    );
    expect(refusal('select: { entities: all }\ntables: [entities]\n').message).toContain(
      'must be one of filers, query',
    );
  });
});

describe('a full-text selection', () => {
  it('is one window of hits, within the filters', () => {
    const definition = one(
      'select: { fulltext: { query: "supply chain", query_type: match_phrase, document_types: EX-99* }, form_types: [8-K], date_from: -1y }\ntables: [filings]\n',
    );
    const [window] = firstWindows(definition, '2024-06-30');
    expect(window).toMatchObject({
      id: 't',
      of: 'hits',
      fulltext: { query: 'supply chain', query_type: 'match_phrase', document_types: ['EX-99*'] },
      filter: { form_types: ['8-K'], date_from: '2023-06-30' },
    });
    expect(JSON.parse(windowRecord(window!).filter)).toEqual({ fulltext: window!.fulltext, form_types: ['8-K'] });
  });

  it('needs words to look for', () => {
    expect(refusal('select: { fulltext: { query: "--" } }\ntables: [filings]\n').message).toBe(
      'x.yaml:1:30: select.fulltext.query has no word',
    );
    expect(refusal('select: { fulltext: { query_type: match } }\ntables: [filings]\n').message).toContain(
      'select.fulltext.query is missing',
    );
  });
});

describe('a choice of sections', () => {
  it('is of codes that there are', () => {
    const yaml = 'select: { form_types: [10-K] }\ntables: [sections]\nsections: { codes: [1A, 7] }\n';
    expect(one(yaml).sections).toEqual({ codes: ['1A', '7'] });
    expect(refusal(yaml.replace('1A', 'II-1B')).message).toContain('x.yaml:3:21: sections.codes[0] must be one of');
    expect(refusal(yaml.replace('1A', 'II-1B')).message).toContain("did you mean 'II-1'?");
    expect(parse(yaml.replace('1A, 7', 'I-2'))[0]!.warnings).toEqual([
      expect.stringContaining('form_types leaves out 10-K405'),
      'sections will stay empty: sections.codes names none of those forms',
    ]);
    expect(parse(yaml.replace('[sections]', '[filings]'))[0]!.warnings).toEqual([
      expect.stringContaining('form_types leaves out 10-K405'),
      'sections.codes has no effect: tables has neither sections nor section_contents',
    ]);
  });
});
