/** Damaged XBRL: no crash, nothing invented. Made-up documents always, real ones where they are at hand. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inlineReport, instanceReport } from '../../../../bench/forms-documents/xbrl.ts';
import { FORM_TABLES, type Row } from '../../../../src/filings/forms/index.ts';
import { rowsOf } from '../../../support/forms/mapped.ts';
import { seeded } from '../../../support/seeded-chance.ts';
import { sharedFolder } from '../../../support/shared.ts';

const folder = sharedFolder === null ? null : join(sharedFolder, 'xbrl');
const given =
  folder !== null && existsSync(join(folder, 'facts.jsonl.gz')) && spawnSync('xz', ['--version']).status === 0;

/** Another seed does other damage, to other files: `FILINGLAKE_DAMAGE_SEED=7`. */
const seed = Number(process.env.FILINGLAKE_DAMAGE_SEED ?? 0);
const read = (path: string) => execFileSync('xz', ['-dc', path], { maxBuffer: 1 << 28 }).toString('utf8');
const subjects: [string, () => string][] = [
  ['made.htm', () => inlineReport(120)],
  ['made.xml', () => instanceReport(120)],
];
if (given)
  for (const name of ['inline', 'instances'])
    for (const file of readdirSync(join(folder!, name)).filter((_, k) => k % 7 === seed % 7))
      subjects.push([file.slice(0, -3), () => read(join(folder!, name, file))]);

function mapped(name: string, text: string): Record<string, Row[]> {
  const documents = [{ name, type: null, text: () => text }];
  return rowsOf({ accessionNumber: '0000000000-25-000001', filingDate: null, formType: null, documents });
}

const TYPES: Record<string, (value: Exclude<Row[string], null>) => boolean> = {
  BOOLEAN: (value) => typeof value === 'boolean',
  INTEGER: Number.isSafeInteger,
  BIGINT: Number.isSafeInteger,
  DOUBLE: Number.isFinite,
  DATE: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  VARCHAR: (value) => typeof value === 'string' && value !== '',
};

/** Every row has all columns of its table, in its types, and a key of its own; JSON is JSON; places cut elements out. */
function expectSound(rows: Record<string, Row[]>, text: string): void {
  for (const [name, list] of Object.entries(rows)) {
    const table = FORM_TABLES.find((each) => each.name === name)!;
    const columns = table.columns.map((column) => column.name);
    const keys = new Set(list.map((row) => JSON.stringify(table.key.map((column) => row[column]))));
    expect(keys.size, name).toBe(list.length);
    for (const row of list) {
      const fits =
        Object.keys(row).join() === columns.join() &&
        table.columns.every(({ name: column, type }) => row[column] === null || TYPES[type]!(row[column]!));
      if (!fits) expect.fail(`${name}: ${JSON.stringify(row).slice(0, 1000)}`);
    }
  }
  for (const row of rows.xbrl_facts ?? []) {
    if (row.dimensions !== null) JSON.parse(row.dimensions as string);
    JSON.parse(row.footnotes as string);
    const element = text.slice(row.start_index as number, row.end_index as number);
    if (!element.startsWith('<') || !element.endsWith('>')) expect.fail(`no element: ${element.slice(0, 200)}`);
    if (
      row.unit !== null &&
      row.value !== null &&
      !/^-?(?:\d+(?:\.\d+)?|INF)$|^NaN$/.test(row.value as string) &&
      row.is_hidden !== null
    )
      expect.fail(`no number: ${row.value}`);
  }
}

describe.each(subjects)('%s', (name, textOf) => {
  const text = textOf();
  const whole = mapped(name, text);

  it('is sound as it is', () => {
    expect(whole.form_problems).toBeUndefined();
    expect(whole.xbrl_facts!.length).toBeGreaterThan(0);
    expectSound(whole, text);
  });

  it('cut anywhere gives no row but that it is malformed', () => {
    const next = seeded(text.length + seed);
    const end = text.lastIndexOf('</');
    for (let k = 0; k < 8; k++) {
      const rows = mapped(name, text.slice(0, Math.floor(next() * end)));
      expect(Object.keys(rows).filter((table) => table !== 'form_problems')).toEqual([]);
    }
  });

  it('with every tag renamed gives no value, and is named if it is XML', () => {
    const {
      form_problems = [],
      form_values: _,
      ...values
    } = mapped(name, text.replace(/<(\/?(?:[\w-]+:)?)([A-Za-z_][\w.-]*)/g, '<$1x$2'));
    expect(values).toEqual({});
    expect(form_problems.map(({ reason }) => reason)).toEqual(name.endsWith('.xml') ? ['no_mapping'] : []);
  });

  it('with every number replaced by words has no value there, and names each', () => {
    const broken = text.replace(/(<ix:nonFraction\b[^<>]*>)\s*[\d.,]+\s*(?=<)/g, '$1about ten');
    const rows = mapped(name, broken);
    expectSound(rows, broken);
    const left = (rows.xbrl_facts ?? []).filter(({ value, unit }) => unit !== null && value === 'about ten');
    expect(left).toEqual([]);
    const count = broken.split('>about ten').length - 1;
    const said = (rows.form_problems ?? []).filter(({ value }) => value === 'about ten').length;
    const fixed = (rows.xbrl_facts ?? []).filter(({ start_index, end_index, value }) => {
      const element = broken.slice(start_index as number, end_index as number);
      return value !== null && /^<ix:nonFraction\b[^<>]*>about ten/.test(element);
    });
    // Transformations that take any text give a zero; a number inside another is named for both.
    expect(said + fixed.length).toBeGreaterThanOrEqual(count);
  });

  it('with characters changed anywhere stays sound, and has no fact more', () => {
    const next = seeded(text.length + 1 + seed);
    for (const share of [0.0000005, 0.00001, 0.001]) {
      const changed = text.replace(/[\w<>&"/=:]/g, (character) =>
        next() < share ? 'x<>&"/=:1'[Math.floor(next() * 9)]! : character,
      );
      const rows = mapped(name, changed);
      expectSound(rows, changed);
    }
    const digits = text.replace(/\d/g, (digit) => (next() < 0.001 ? String(Math.floor(next() * 10)) : digit));
    const rows = mapped(name, digits);
    expectSound(rows, digits);
    expect(rows.xbrl_facts?.length ?? 0).toBeLessThanOrEqual(whole.xbrl_facts!.length);
  });
});
