import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/lake/index.ts';
import { type StataColumn, stataFile } from '../../../src/lake/query/stata.ts';

const COLUMNS: StataColumn[] = [
  { name: 'cik', kind: 'text', bytes: 4, label: 'company' },
  { name: 'year', kind: 'whole' },
  { name: 'day', kind: 'day' },
  { name: 'known', kind: 'time' },
  { name: 'value', kind: 'number' },
];
const ROWS: Cell[][] = [
  ['42', 2024, '1960-01-02', '1960-01-01T00:00:01', 1.5],
  ['Zoë', null, null, null, null],
];

async function written(columns: StataColumn[], rows: number, ...chunks: Cell[][][]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  async function* given() {
    yield* chunks;
  }
  for await (const piece of stataFile(columns, rows, given())) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('a file for Stata', () => {
  it('has a map of the places of its parts', async () => {
    const file = await written(COLUMNS, 2, ROWS.slice(0, 1), ROWS.slice(1));
    const parts = ['stata_dta', 'map', 'variable_types', 'varnames', 'sortlist', 'formats', 'value_label_names'];
    const more = ['variable_labels', 'characteristics', 'data', 'strls', 'value_labels', '/stata_dta'];
    const map = file.indexOf('<map>') + 5;
    const places = Array.from({ length: 14 }, (_, k) => Number(file.readBigUInt64LE(map + 8 * k)));
    expect(places).toEqual([...[...parts, ...more].map((name) => file.indexOf(`<${name}>`)), file.length]);
  });

  it('has texts padded, days and times from 1960, and codes for missing values', async () => {
    const file = await written(COLUMNS, 2, ROWS);
    const data = file.subarray(file.indexOf('<data>') + 6, file.indexOf('</data>'));
    expect(data.length).toBe(2 * (4 + 4 + 4 + 8 + 8));
    expect(data.toString('utf8', 0, 4)).toBe('42\0\0');
    expect([data.readInt32LE(4), data.readInt32LE(8), data.readDoubleLE(12), data.readDoubleLE(20)]).toEqual([
      2024, 1, 1000, 1.5,
    ]);
    expect(data.toString('utf8', 28, 32)).toBe('Zoë');
    expect([data.readInt32LE(32), data.readInt32LE(36)]).toEqual([0x7fffffe5, 0x7fffffe5]);
    expect([data.readBigUInt64LE(40), data.readBigUInt64LE(48)]).toEqual([0x7fe0000000000000n, 0x7fe0000000000000n]);
  });

  it('cuts no character in half, and no name of a column', async () => {
    const file = await written([{ name: 'a'.repeat(32), kind: 'text', bytes: 3 }], 1, [['aaëb']]);
    const data = file.subarray(file.indexOf('<data>') + 6, file.indexOf('</data>'));
    expect(data.toString('utf8')).toBe('aa\0');
    expect(file.includes(Buffer.from('a'.repeat(32)))).toBe(true);
  });

  it('refuses rows that were not announced, and numbers beyond its range', async () => {
    await expect(written(COLUMNS, 1, ROWS)).rejects.toThrow('2 rows came, and 1 were announced');
    await expect(written(COLUMNS, 3, ROWS)).rejects.toThrow(RangeError);
    await expect(written([{ name: 'n', kind: 'whole' }], 1, [[2147483621]])).rejects.toThrow(RangeError);
  });
});
