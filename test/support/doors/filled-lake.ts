/** A lake with rows of every type in every table, beside those of the recipes. */
import type { Lake, Row } from '../../../src/lake/index.ts';
import { TABLES } from '../../../src/tables/index.ts';
import { recipeLake } from '../docs/recipe-lake.ts';
import { bring } from '../lake/small-lake.ts';

/** A value of each type. JSON in a text, since some columns hold it. */
const VALUES: Row = {
  ...{ BOOLEAN: true, INTEGER: 7, BIGINT: 2 ** 40, DOUBLE: 0.1, VARCHAR: '{}', BLOB: 'AP8=' },
  ...{ DATE: '2024-02-29', TIMESTAMP: '1999-12-31T23:59:59', TIMESTAMPTZ: '2024-05-06T07:08:09.123456Z' },
};
/** Columns of JSON lists. */
const LISTS: Row = { footnotes: '["{}"]', headings: '[]' };
/** Texts that readers may stumble over, in columns that nothing reads as JSON. */
const ODD = 'é 😀 "quoted", \\N\n\'1\'; "" ';
const FREE = /^(entity_)?name$|^heading$|^title$|^message$/;

function rowOf(columns: readonly { name: string; type: string }[], n: number): Row {
  return Object.fromEntries(
    columns.map(({ name, type }) => {
      if (n > 0 && FREE.test(name)) return [name, ODD];
      return [name, LISTS[name] ?? VALUES[type] ?? ['0.5', '-99999999999999999999999999.999999999999'][n]];
    }),
  );
}

export async function filledLake(folder: string): Promise<void> {
  const lake: Lake = await recipeLake(folder);
  await bring(
    lake,
    { batch: 'everywhere' },
    Object.fromEntries(TABLES.map(({ name, columns }) => [name, [rowOf(columns, 0)]])),
  );
  await lake.close();
}
