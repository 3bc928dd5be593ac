import { describe, expect, it } from 'vitest';
import { TABLES } from '../../../../src/lake/tables/index.ts';

describe('the definitions of the tables', () => {
  it.for(TABLES.map((table) => [table.name, table] as const))('hold together: %s', ([, table]) => {
    const names = table.columns.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const named = [
      ...table.key,
      ...(table.unit ?? []),
      ...table.wide,
      ...table.references.flatMap(({ columns }) => columns),
    ];
    expect(names).toEqual(expect.arrayContaining([...named]));
    for (const { table: parent, columns: referred } of table.references) {
      const columns = TABLES.find(({ name }) => name === parent)?.columns.map(({ name }) => name);
      expect(columns).toEqual(expect.arrayContaining([...referred]));
    }
    // A wide row is written value by value, and the value of a computed column can't name its neighbours there.
    if (table.wide.length > 0) expect(table.columns.filter(({ computed }) => computed !== undefined)).toEqual([]);
    expect(table.key.filter((name) => table.columns.find((column) => column.name === name)?.computed)).toEqual([]);
    // Names that SQL, parts and segments have for themselves.
    expect(names.filter((name) => name.startsWith('_'))).toEqual([]);
  });
});
