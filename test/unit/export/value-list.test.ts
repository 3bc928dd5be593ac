/** Lists of CIKs, tickers and accession numbers in files; families of forms. */
import { describe, expect, it } from 'vitest';
import { formsOfFamily } from '../../../src/api/index.ts';
import { firstWindows, parseExportDefinition, readValueList } from '../../../src/export/index.ts';

const values = (
  text: string,
  kind: 'ciks' | 'tickers' | 'accession_numbers' = 'ciks',
  file = 'a.txt',
  column?: string,
) => readValueList(text, { kind, file, column }).values;

describe('a file of values', () => {
  it('has one a line, with comments, padding and Windows line ends', () => {
    expect(values('\ufeff# my firms\r\n0000320193\r\n320193  # again\r\n\r\n789019')).toEqual(['320193', '789019']);
    expect(values('aapl\nBRK.B\n', 'tickers')).toEqual(['AAPL', 'BRK.B']);
  });

  it('refuses a Parquet file, and says how to write its column as CSV', () => {
    expect(() => values('PAR1\u0015\u0000', 'ciks', 'firms.parquet')).toThrow(
      'pandas.read_parquet("firms.parquet")[["cik"]].to_csv("firms.csv", index=False)',
    );
    expect(() => values('PAR1', 'tickers', 'firms.parquet', 'tic')).toThrow('[["tic"]]');
  });

  it('may be a CSV file: its column is named, or has a usual name', () => {
    const csv = 'gvkey,conm,cik\n001690,"APPLE INC, ""THE""\nCo",0000320193\n,"x",\n012141,MICROSOFT,789019.0\n';
    expect(values(csv, 'ciks', 'a.csv')).toEqual(['320193', '789019']);
    expect(values(csv, 'ciks', 'a.dat', 'CIK')).toEqual(['320193', '789019']);
    expect(values('tic;x\n', 'tickers', 'a.csv')).toEqual([]);
    expect(() => values(csv, 'tickers', 'a.csv')).toThrow(
      'no column of tickers is named so; the file has gvkey, conm, cik',
    );
    expect(() => values(csv, 'ciks', 'a.csv', 'ceek')).toThrow(
      'there is no column ceek; the file has gvkey, conm, cik',
    );
  });

  it('names the first line that holds something else', () => {
    expect(readValueList('1\nx y\n', { kind: 'ciks', file: 'a' }).wrong).toEqual({ line: 2, column: 1, text: 'x y' });
    expect(readValueList('cik\n1\n"a\nb",\nq\n', { kind: 'ciks', file: 'a.csv' }).wrong).toMatchObject({ line: 3 });
  });
});

describe('a definition with a file of entities', () => {
  const parse = (select: string, text = '320193\n') =>
    parseExportDefinition(
      `select: ${select}\ntables: [filings]\n`,
      'x.yaml',
      {},
      { readFile: () => ({ path: '/l/ciks.txt', text }) },
    );

  it('keeps the other filters, and holds the file, not its values', () => {
    const { definition, warnings } = parse(
      '{ entity_query: { ciks: { file: ciks.txt }, sics: [2834] }, form_types: [8-K] }',
    );
    expect(warnings).toEqual([]);
    const { select } = definition;
    expect(select).toMatchObject({ entity_query: { sics: ['2834'] }, entity_lists: { ciks: { file: '/l/ciks.txt' } } });
    expect(firstWindows(definition, '2024-01-01')).toMatchObject([
      { id: 'w', of: 'list', parts: 'filings', filter: { entity_query: { sics: ['2834'] }, form_types: ['8-K'] } },
    ]);
  });

  it('is refused with the place of a wrong line, without values, and with two files', () => {
    const query = '{ entity_query: { ciks: { file: c }, tickers: { file: t } } }';
    expect(() => parse('{ entity_query: { ciks: { file: c } } }', '1\nApple\n')).toThrow(
      '/l/ciks.txt:2:1: no CIK: "Apple"',
    );
    expect(() => parse('{ entity_query: { ciks: { file: c } } }', '# none\n')).toThrow('c holds no CIK');
    expect(() => parse(query)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('only one of ciks and tickers can be in a file') as string,
        remedy: expect.stringContaining('write two exports with the same lake') as string,
      }),
    );
    expect(() => parse('{ entity_query: {} }')).toThrow('select.entity_query has no filter');
  });
});

describe('a family of forms', () => {
  const forms = (select: string) => parseExportDefinition(`select: ${select}\ntables: [filings]\n`, 'x.yaml', {});

  it('is all its forms and their amendments', () => {
    expect(formsOfFamily('10-k*')).toEqual(
      ['10-K', '10-K405', '10-KSB', '10-KSB40', '10-KT', '10-KT405', '10KSB', '10KSB40', '10KT405'].flatMap((form) => [
        form,
        `${form}/A`,
      ]),
    );
    expect(forms('{ form_types: [10-K*, 10-K, 8-K] }').definition.select.form_types).toEqual([
      ...formsOfFamily('10-K*'),
      '8-K',
    ]);
    expect(() => forms('{ form_types: [10-X*] }')).toThrow('10-X* is not a family of forms');
    expect(() => forms('{ form_types: ["*"] }')).toThrow('* is not a family of forms');
  });

  it('is warned of if a form is named without its kin, in years that had them', () => {
    const [warning] = forms('{ form_types: [10-K] }').warnings;
    expect(warning).toContain('form_types leaves out 10-K405, 10-KSB, 10-KT');
    expect(warning).toContain('10-K* names all');
    for (const select of [
      '{ form_types: [10-K], date_from: 2010-01-01 }',
      '{ form_types: [10-K], date_from: -1y }',
      '{ form_types: [10-K*] }',
      '{ form_types: [10-K, 10-K405] }',
    ])
      expect(forms(select).warnings).toEqual([]);
  });
});
