/** Lists of CIKs, tickers and accession numbers in files; families of forms. */
import { describe, expect, it } from 'vitest';
import { readValueList, valuesOfColumn } from '../../../src/export/definition/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import { type ListKind, withListsRead } from '../../../src/export/index.ts';
import { companiesOfName, firstWindows, searchTexts } from '../../../src/export/windows/index.ts';
import { formsOfFamily } from '../../../src/filings/api/index.ts';

const values = (text: string, kind: ListKind = 'ciks', file = 'a.txt', column?: string) =>
  readValueList(text, { kind, file, column }).values;

describe('a file of values', () => {
  it('has one a line, with comments, padding and Windows line ends', () => {
    expect(values('\ufeff# my firms\r\n0000320193\r\n320193  # again\r\n\r\n789019')).toEqual(['320193', '789019']);
    expect(values('aapl\nBRK.B\n', 'tickers')).toEqual(['AAPL', 'BRK.B']);
  });

  it('may be a CSV file: its column is named, or has a usual name', () => {
    const csv = 'gvkey,conm,cik\n001690,"APPLE INC, ""THE""\nCo",0000320193\n,"x",\n012141,MICROSOFT,789019.0\n';
    expect(values(csv, 'ciks', 'a.csv')).toEqual(['320193', '789019']);
    expect(values(csv, 'ciks', 'a.dat', 'CIK')).toEqual(['320193', '789019']);
    expect(values('tic;x\n', 'tickers', 'a.csv')).toEqual([]);
    expect(values('conm,x\n"APPLE  INC, ""A""",1\n', 'names', 'a.csv')).toEqual(['APPLE INC, "A"']);
    expect(() => values(csv, 'tickers', 'a.csv')).toThrow(
      'no column of tickers is named so; the file has gvkey, conm, cik',
    );
    expect(() => values(csv, 'ciks', 'a.csv', 'ceek')).toThrow(
      'there is no column ceek; the file has gvkey, conm, cik',
    );
  });

  it.each([
    ['a comma without quotes', 'name,tic,x\nAPPLE, INC,AAPL,1\n', 'line 2 has 4 cells, and the header 3'],
    ['a file that was cut', 'name,tic,x\nA,AAPL,1\nB', 'line 3 has 1 cells, and the header 3'],
    ['a quote without an end', 'name,tic,x\nA,AAPL,1\n"B,MSFT,1\nC,IBM,1\n', 'the quote in line 3 has no end'],
    ['a list without a header', 'AAPL\nMSFT\n', 'its first line, AAPL, may be a ticker'],
  ])('loses no value of a CSV file to %s', (_, csv, message) => {
    expect(() => values(csv, 'tickers', 'a.csv')).toThrow(message);
  });

  it('may be a column of cells, of which empty ones are skipped', () => {
    const cells = ['0000320193', null, '320193.0', '', ' 789019 '];
    expect(valuesOfColumn(cells, 'ciks')).toEqual({ values: ['320193', '789019'], wrong: null });
    expect(valuesOfColumn([null, '1', 'x'], 'ciks').wrong).toEqual({ line: 3, column: 1, text: 'x' });
  });

  it('may have names of companies, in UTF-8', () => {
    expect(values('Nestl\u00e9 S.A.\nApple  Inc.\n', 'names')).toEqual(['Nestl\u00e9 S.A.', 'Apple Inc.']);
    expect(readValueList('Nestl\ufffd', { kind: 'names', file: 'a' }).wrong).toMatchObject({ line: 1 });
  });

  it('names the first line that holds something else', () => {
    expect(readValueList('1\nx y\n', { kind: 'ciks', file: 'a' }).wrong).toEqual({ line: 2, column: 1, text: 'x y' });
    expect(readValueList('cik,x\n1,\n"a\nb",\nq,\n', { kind: 'ciks', file: 'a.csv' }).wrong).toMatchObject({ line: 3 });
  });
});

describe('a definition with a file of entities', () => {
  const parse = async (select: string, text = '320193\n') => {
    const parsed = parseExportDefinition(
      `select: ${select}\ntables: [filings]\n`,
      'x.yaml',
      {},
      { pathOf: () => '/l/ciks.txt' },
    );
    return withListsRead(parsed, async ({ file }, kind) => ({ ...readValueList(text, { kind, file }), hash: text }));
  };

  it('keeps the other filters, and holds the file, not its values', async () => {
    const { definition, warnings } = await parse(
      '{ entity_query: { ciks: { file: ciks.txt }, sics: [2834] }, form_types: [8-K] }',
    );
    expect(warnings).toEqual([]);
    const { select } = definition;
    expect(select).toMatchObject({ entity_query: { sics: ['2834'] }, entity_lists: { ciks: { file: '/l/ciks.txt' } } });
    expect(firstWindows(definition, '2024-01-01')).toMatchObject([
      { id: 'w', of: 'list', parts: 'filings', filter: { entity_query: { sics: ['2834'] }, form_types: ['8-K'] } },
    ]);
  });

  it('is refused with the place of a wrong line, without values, and with two files', async () => {
    const query = '{ entity_query: { ciks: { file: c }, tickers: { file: t } } }';
    await expect(parse('{ entity_query: { ciks: { file: c } } }', '1\nApple\n')).rejects.toThrow(
      '/l/ciks.txt:2:1: no CIK: "Apple"',
    );
    await expect(parse('{ entity_query: { ciks: { file: c } } }', '# none\n')).rejects.toThrow('c holds no CIK');
    await expect(parse(query)).rejects.toThrow(
      expect.objectContaining({
        message: expect.stringContaining('only one of ciks, tickers and names can be in a file') as string,
        remedy: expect.stringContaining('write two exports with the same lake') as string,
      }),
    );
    await expect(parse('{ entity_query: { names: { file: n }, ciks: [1] } }')).rejects.toThrow(
      "names in a file can't be combined with ciks",
    );
    const edgar = '{ entity_query: { names: { file: n } } }\nservice: { catalog: c, edgar: {} }';
    await expect(parse(edgar)).rejects.toThrow("names in a file can't be combined with service.edgar");
    await expect(parse('{ entity_query: { name_includes: { file: n } } }')).rejects.toThrow(
      expect.objectContaining({ remedy: expect.stringContaining('names: { file: names.txt }') as string }),
    );
    await expect(parse('{ entity_query: {} }')).rejects.toThrow('select.entity_query has no filter');
  });
});

describe('the company of a name', () => {
  const found = (name: string, ...names: string[]) =>
    companiesOfName(
      name,
      names.map((one) => ({ name: one })),
    ).map((one) => one.name);

  it.each([
    ['Apple Inc.', 'APPLE INC'],
    ['Apple', 'APPLE INC'],
    ['The Coca-Cola Company', 'COCA COLA CO'],
    ["O'Reilly Automotive", 'O REILLY AUTOMOTIVE INC'],
    ['Johnson and Johnson', 'JOHNSON & JOHNSON'],
    ['Bank of America Corporation', 'BANK OF AMERICA CORP /DE/'],
    ['AT&T Inc', 'AT&T INC.'],
    ['Nestl\u00e9 S.A.', 'NESTL\u00c9 SA'],
    ['Company', 'COMPANY'],
  ])('%s is %s, however it is spelled', (name, company) => {
    expect(found(name, company, 'SOMETHING ELSE INC', `HOLDINGS ${company}`)).toEqual([company]);
    for (const text of searchTexts(name)) expect(company).toContain(text.toUpperCase());
  });

  it('is the one with the same legal form, never one with another', () => {
    expect(found('Apple Inc', 'APPLE CORP', 'APPLE INC')).toEqual(['APPLE INC']);
    expect(found('Apple Ltd', 'APPLE CORP', 'APPLE INC')).toEqual([]);
    expect(found('Apple', 'APPLE CORP', 'APPLE INC')).toEqual(['APPLE CORP', 'APPLE INC']);
    expect(found('Apple Hospitality', 'APPLE INC')).toEqual([]);
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
