/** Every expected row and value of the real files; skipped if they are not available. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORM_TABLES, type Row } from '../../../../src/filings/forms/index.ts';
import { rowsOf } from '../../../support/forms/mapped.ts';
import { filingOf, formFiles, formsFolder } from '../../../support/forms/real-files.ts';
import { jsonRows } from '../../../support/shared.ts';

interface Expected {
  file: string;
  table: string;
  row: Row;
}

describe.skipIf(formsFolder === null)('real structured forms', () => {
  const truth = formsFolder === null ? [] : jsonRows<Expected>(join(formsFolder, 'truth.jsonl.gz'));
  const byFile = Map.groupBy(truth, ({ file }) => file);

  it.each(formsFolder === null ? [] : formFiles())('%s gives the expected rows, and no problem', (file) => {
    const rows = rowsOf(filingOf(file));
    const expected = Map.groupBy(byFile.get(file) ?? [], ({ table }) => table);
    expect(rows.form_problems).toBeUndefined();
    expect(rows.form_unknown_elements).toBeUndefined();
    expect(
      Object.keys(rows)
        .filter((table) => !table.startsWith('f13_text_'))
        .sort(),
    ).toEqual([...expected.keys()].sort());
    for (const [table, lines] of expected) {
      expect(sorted(table, rows[table]!)).toEqual(
        sorted(
          table,
          lines.map(({ row }) => row),
        ),
      );
    }
  });

  it('have the columns of the design, in its order', () => {
    const tables = JSON.parse(readFileSync(join(formsFolder!, 'tables.json'), 'utf8')) as {
      name: string;
      key: string[];
      columns: { name: string; type: string }[];
    }[];
    for (const { name, key, columns } of tables) {
      const ours = FORM_TABLES.find((table) => table.name === name)!;
      expect(ours.key, name).toEqual(key);
      const ourColumns = ours.columns.map((column) => ({ name: column.name, type: column.type }));
      const theirs = columns.map((column) => ({ name: column.name, type: column.type }));
      expect(ourColumns, name).toEqual([...theirs, { name: 'mapping_version', type: 'INTEGER' }]);
    }
  });
});

/** Rows by key, decimals without zeros at their end. */
function sorted(table: string, rows: readonly Row[]): Row[] {
  const { key, columns } = FORM_TABLES.find(({ name }) => name === table)!;
  const plain = rows.map((row) =>
    Object.fromEntries(
      columns
        .filter(({ name }) => name !== 'mapping_version')
        .map(({ name, type }) => [name, type === 'DECIMAL(38,12)' ? decimal(row[name]!) : row[name]!]),
    ),
  );
  const keyOf = (row: Row) => JSON.stringify(key.map((name) => row[name]));
  const byKey = plain.map((row) => [keyOf(row), row] as const).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  expect(new Set(byKey.map(([each]) => each)).size).toBe(rows.length);
  return byKey.map(([, row]) => row);
}

function decimal(value: Row[string]): Row[string] {
  if (typeof value !== 'string') return value;
  const trimmed = value.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  return trimmed.includes('.') ? trimmed.replace(/\.?0+$/, '').replace(/^-0$/, '0') : trimmed;
}
