/** Damaged documents: no crash, nothing invented. Made-up documents always, real ones if available. */
import { describe, expect, it } from 'vitest';
import { form4, form13f, informationTable, nportOf } from '../../../../bench/forms-documents/made.ts';
import { type Filing, FORM_TABLES, type Row } from '../../../../src/filings/forms/index.ts';
import { rowsOf } from '../../../support/forms/mapped.ts';
import { bytesOf, filingOf, formFiles, formsFolder } from '../../../support/forms/real-files.ts';
import { seeded } from '../../../support/seeded-chance.ts';

/** Another seed does other damage, to all files: `FILINGLAKE_DAMAGE_SEED=7`. */
const seed = Number(process.env.FILINGLAKE_DAMAGE_SEED ?? 0);
const MAX_BYTES = seed === 0 ? 40_000 : 2_000_000;

const made: [string, string[]][] = [
  ['a Form 4', [form4(7)]],
  ['a 13F', [form13f, informationTable(20)]],
  ['an N-PORT', [nportOf(10)]],
];
const real: [string, string[]][] =
  formsFolder === null
    ? []
    : formFiles()
        .filter((file) => bytesOf(file).length < MAX_BYTES)
        .map((file) => [file, filingOf(file).documents.map((document) => document.text())]);
const subjects = [...made, ...real];

function filing(texts: readonly string[]): Filing {
  const documents = texts.map((text, k) => ({ name: `d${k}.xml`, type: null, text: () => text }));
  return { accessionNumber: '0000000000-24-000001', filingDate: '2024-05-01', formType: null, documents };
}

/** Every row has all columns of its table, in its types, and a key of its own. */
function expectSound(rows: Record<string, Row[]>): void {
  for (const [name, list] of Object.entries(rows)) {
    const table = FORM_TABLES.find((each) => each.name === name)!;
    const keys = new Set<string>();
    for (const row of list) {
      expect(Object.keys(row)).toEqual(table.columns.map((column) => column.name));
      for (const { name: column, type } of table.columns)
        expect(fits(type, row[column]!), `${name}.${column} ${row[column]}`).toBe(true);
      keys.add(JSON.stringify(table.key.map((column) => row[column])));
    }
    expect(keys.size, name).toBe(list.length);
  }
}

function fits(type: string, value: Row[string]): boolean {
  if (value === null) return true;
  if (type === 'BOOLEAN') return typeof value === 'boolean';
  if (type === 'INTEGER' || type === 'BIGINT')
    return typeof value === 'number' ? Number.isSafeInteger(value) : /^-?\d+$/.test(value as string);
  if (typeof value !== 'string' || value === '') return false;
  return type === 'DATE'
    ? /^\d{4}-\d\d-\d\d$/.test(value)
    : type === 'VARCHAR' || /^-?\d{1,26}(\.\d{1,12})?$/.test(value);
}

/** What no damage may add: texts that the document doesn't have. */
function expectNothingInvented(rows: Record<string, Row[]>, texts: readonly string[]): void {
  const whole = texts
    .join('\n')
    .replace(/&#13;\n?/g, '\n')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  for (const [name, list] of Object.entries(rows)) {
    if (name.startsWith('form_')) continue;
    const table = FORM_TABLES.find((each) => each.name === name)!;
    const read = table.columns.filter((column) => column.type === 'VARCHAR' && column.paths.length > 0 && !column.cik);
    for (const row of list)
      for (const { name: column } of read) {
        const value = row[column] as string | null;
        if (value !== null && !/[&"']/.test(value))
          expect(whole.includes(value) || value.includes('\n'), `${name}.${column}: ${value}`).toBe(true);
      }
  }
}

describe.each(subjects)('%s', (_name, texts) => {
  it('cut anywhere gives no row of the document that is cut', () => {
    const next = seeded(texts[0]!.length + seed);
    const whole = rowsOf(filing(texts));
    for (let k = 0; k < 6; k++) {
      const which = Math.floor(next() * texts.length);
      const text = texts[which]!;
      const end = text.lastIndexOf('</');
      if (end <= 0) continue;
      const cut = texts.with(which, text.slice(0, Math.floor(next() * end)));
      const rows = rowsOf(filing(cut));
      expectSound(rows);
      for (const [table, list] of Object.entries(rows)) {
        if (!table.startsWith('form_')) expect(list.length).toBeLessThanOrEqual(whole[table]?.length ?? 0);
      }
      if (texts.length === 1) expect(Object.keys(rows).filter((table) => table !== 'form_problems')).toEqual([]);
    }
  });

  it('with every tag renamed gives no value, and is named if it is XML', () => {
    const renamed = texts.map((text) => text.replace(/<(\/?(?:\w+:)?)([\w.-]+)/g, '<$1x$2'));
    const { form_problems = [], form_values: _, ...values } = rowsOf(filing(renamed));
    expect(values).toEqual({});
    // Old texts, which the name of the document calls XML.
    const named = new Set(form_problems.flatMap(({ reason, document }) => (reason === 'no_mapping' ? [document] : [])));
    const others = form_problems.filter(({ reason, document }) => !(reason === 'malformed' && named.has(document)));
    expect(others.filter(({ reason }) => reason !== 'no_mapping')).toEqual([]);
    if (texts.some((text) => /<(?:[\w-]+:)?(?:edgarSubmission|ownershipDocument|informationTable|xbrl)\b/.test(text)))
      expect(form_problems).not.toEqual([]);
    const below = texts.map((text) =>
      text.replace(/<(\/?)([\w.:-]+)/g, (tag, slash: string, name: string) =>
        isFrame(name) ? tag : `<${slash}${name}x`,
      ),
    );
    const rows = rowsOf(filing(below));
    expectSound(rows);
    for (const [table, list] of Object.entries(rows)) {
      if (table.startsWith('form_') || table === 'beneficial_items') continue;
      const read = FORM_TABLES.find((each) => each.name === table)!.columns.filter((column) => column.paths.length > 0);
      for (const row of list)
        for (const { name } of read) if (name !== 'form_type') expect(row[name], `${table}.${name}`).toBeNull();
    }
  });

  it('with every number replaced by words gives null there, and names each', () => {
    const broken = texts.map((text) => text.replace(/>\s*[-+]?[\d.,]+\s*</g, '>about ten<'));
    const rows = rowsOf(filing(broken));
    expectSound(rows);
    expectNothingInvented(rows, broken);
    const counts = (reason: string) =>
      (rows.form_problems ?? []).filter((row) => row.reason === reason && row.value !== 'about ten').length;
    expect(counts('not_a_number')).toBe(0);
  });

  it('with digits changed anywhere stays sound', () => {
    const next = seeded(texts[0]!.length + 1 + seed);
    for (let k = 0; k < 2; k++) {
      const changed = texts.map((text) =>
        text.replace(/[\w<>&"/=]/g, (character) => (next() < 0.002 ? 'x<>&"/='[Math.floor(next() * 7)]! : character)),
      );
      const rows = rowsOf(filing(changed));
      expectSound(rows);
    }
    const digits = texts.map((text) =>
      text.replace(/\d/g, (digit) => (next() < 0.2 ? String(Math.floor(next() * 10)) : digit)),
    );
    const rows = rowsOf(filing(digits));
    expectSound(rows);
    expectNothingInvented(rows, digits);
  });
});

/** Elements by which a form is recognised: without them it is not a form at all. */
function isFrame(name: string): boolean {
  return /^(?:\w+:)?(edgarSubmission|ownershipDocument|informationTable|headerData|submissionType|infoTable)$/.test(
    name,
  );
}
