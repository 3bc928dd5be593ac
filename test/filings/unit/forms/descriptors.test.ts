import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORM_GROUPS, FORM_TABLES } from '../../../../src/filings/forms/index.ts';

const docs = join(import.meta.dirname, '../../../../docs');

describe('descriptors of forms', () => {
  it('have names and columns of their own, and keys among their columns', () => {
    expect(new Set(FORM_TABLES.map(({ name }) => name)).size).toBe(FORM_TABLES.length);
    for (const { name, key, columns } of FORM_TABLES) {
      const names = columns.map((column) => column.name);
      expect(new Set(names).size, name).toBe(names.length);
      expect(key[0]).toBe('accession_number');
      expect(names).toEqual(expect.arrayContaining([...key]));
      expect(names.at(-1)).toBe('mapping_version');
      for (const column of columns) expect(column.meaning, `${name}.${column.name}`).not.toBe('');
    }
    expect([...FORM_GROUPS.values()].flat().length).toBe(FORM_TABLES.length - 2);
  });

  it("name the form's item or element, unless a rule makes the value or the row itself names the item", () => {
    const made =
      /^(accession_number|mapping_version|form_type|position|holdings|transactions|value_sum|median_price|value_unit(_evidence)?|value_usd|total_(offering|remaining)_indefinite|sequence_number|text|period_of_report|derivative_category|person_name|votes)$/;
    const gaps = FORM_TABLES.filter(
      ({ name }) => !/^(xbrl_|ex27_|form_|f13_text_|beneficial_text_|subsidiaries|atsn_answers)/.test(name),
    ).flatMap(({ name, key, columns }) =>
      columns
        .filter((column) => !column.item && column.paths.length === 0)
        .filter((column) => !key.includes(column.name) && !made.test(column.name))
        .map((column) => `${name}.${column.name}`),
    );
    expect(gaps).toEqual([]);
  });

  it('have their groups in docs/guide/forms.md', () => {
    const text = readFileSync(join(docs, 'guide/forms.md'), 'utf8');
    expect([...FORM_GROUPS.keys()].filter((group) => !text.includes(`\`${group}\``))).toEqual([]);
  });
});
