/** Every fact, context, unit and footnote of the given XBRL documents, by the given scorer; skipped if they are not available. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Filing, mapFiling, type Row } from '../../../../src/filings/forms/index.ts';
import { rowsOf } from '../../../support/forms/mapped.ts';
import { filingOf as submissionOf } from '../../../support/forms/real-files.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';

const folder = sharedFolder === null ? null : join(sharedFolder, 'xbrl');
const tools = ['xz', 'python3'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const given = tools && folder !== null && existsSync(join(folder, 'facts.jsonl.gz'));

/** @param files `inline/aapl-20250329.htm`, packed with xz */
function filingOf(files: readonly string[], accessionNumber: string | null = null): Filing {
  const documents = files.map((file) => ({
    name: file.slice(file.lastIndexOf('/') + 1),
    type: null,
    text: () => execFileSync('xz', ['-dc', join(folder!, `${file}.xz`)], { maxBuffer: 1 << 28 }).toString('utf8'),
  }));
  return { accessionNumber, filingDate: null, formType: null, documents };
}

const filesIn = (name: string) =>
  readdirSync(join(folder!, name))
    .filter((file) => file.endsWith('.xz'))
    .map((file) => `${name}/${file.slice(0, -3)}`);

/** @param truth file of the facts. @returns the scorer's report */
function scored(filings: readonly Filing[], truth: string): Record<string, unknown> {
  const lines: string[] = [];
  for (const filing of filings)
    for (const { table, row } of mapFiling(filing)) {
      if (table === 'form_problems') throw new Error(`${row.document}: ${row.reason}: ${row.value}`);
      if (table === 'xbrl_facts') lines.push(JSON.stringify({ file: row.file, table, row }));
    }
  const scorer = [join(folder!, 'score_facts.py'), '--json', '--pred', '-', '--truth', join(folder!, truth)];
  const { stdout } = spawnSync('python3', scorer, { input: lines.join('\n'), maxBuffer: 1 << 28, encoding: 'utf8' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

const lines = (file: string): Row[] => jsonRows(join(folder!, file));

const withoutSpace = (text: unknown) => String(text).replace(/\s+/g, '');

describe.skipIf(!given)('real XBRL documents', () => {
  it('give every fact, each column right, numbers written as EDGAR writes them', () => {
    const filings = [...filesIn('inline'), ...filesIn('instances')].map((file) => filingOf([file]));
    const result = scored(filings, 'facts.jsonl.gz');
    expect(result).toMatchObject({ recall: 1, precision: 1, values: 1, kinds: {}, files_missing: [] });
    expect(result.numbers_same_text).toBe(result.numbers);
    for (const [column, [equal, all]] of Object.entries(result.columns as Record<string, [number, number]>))
      expect(equal, column).toBe(all);
  });

  it('that share contexts give the same facts as one document', () => {
    const files = ['split/aapl-split-1.htm', 'split/aapl-split-2.htm'];
    expect(scored([filingOf(files, '0000320193-25-000057')], 'split/facts.jsonl.gz')).toMatchObject({
      recall: 1,
      precision: 1,
      values: 1,
    });
  });

  it('have the expected footnotes', () => {
    const truth = Map.groupBy(lines('footnotes.jsonl.gz'), ({ file }) => file as string);
    for (const [file, notes] of truth) {
      const path = `${file.endsWith('.xml') ? 'instances' : 'inline'}/${file}`;
      const rows = rowsOf(filingOf([path])).xbrl_footnotes!;
      const said = (row: Row) => [row.footnote_id, row.language, withoutSpace(row.text)].join(' ');
      expect(rows.map(said).sort(), file).toEqual(notes.map(said).sort());
    }
  });

  it('have the expected labels and presentation', () => {
    const folders = readdirSync(join(folder!, 'filings')).map((name) =>
      rowsOf(filingOf(filesIn(`filings/${name}`), name)),
    );
    const rows = (table: string) => folders.flatMap((filing) => filing[table] ?? []);
    const said = (columns: readonly string[]) => (row: Row) => JSON.stringify(columns.map((column) => row[column]));
    const labels = said(['file', 'concept', 'role', 'language', 'label']);
    expect(rows('xbrl_labels').map(labels).sort()).toEqual(lines('labels.jsonl.gz').map(labels).sort());
    const shown = ['file', 'role', 'role_definition', 'parent', 'concept', 'preferred_label'];
    expect(
      rows('xbrl_presentation')
        .map(said([...shown, 'arc_order']))
        .sort(),
    ).toEqual(
      lines('presentation.jsonl.gz')
        .map(said([...shown, 'order']))
        .sort(),
    );
    expect(rows('xbrl_presentation').filter(({ line }) => line === null)).toEqual([]);
  });

  it('are what EDGAR extracted, where its extraction lies beside them', () => {
    for (const extraction of filesIn('extracted')) {
      const document = `inline/${extraction.slice('extracted/'.length).replace('_htm.xml', '.htm')}`;
      const [check, ...more] = rowsOf(filingOf([document, extraction], 'x')).xbrl_checks!;
      expect(more).toEqual([]);
      expect(check, document).toMatchObject({ equal: check!.facts, extracted: check!.facts, differ: 0 });
    }
  });
});

const submissions = sharedFolder === null ? null : join(sharedFolder, 'edgar/full-submissions');

describe.skipIf(submissions === null)('XBRL of whole submissions', () => {
  it('is what EDGAR extracted, and schedules of the nineties are read', () => {
    let checks = 0;
    let schedules = 0;
    for (const file of readdirSync(submissions!)) {
      if (!/\.txt(?:\.gz)?$/.test(file)) continue;
      const path = `edgar/full-submissions/${file.replace(/\.gz$/, '')}`;
      const rows = [...mapFiling(submissionOf(path), new Set(['xbrl_checks', 'ex27_facts']))];
      expect(rows.filter(({ table }) => table === 'form_problems')).toEqual([]);
      for (const { table, row } of rows) {
        if (table === 'ex27_facts') schedules++;
        else {
          checks++;
          expect(row, file).toMatchObject({ equal: row.facts, extracted: row.facts, differ: 0 });
        }
      }
    }
    expect(checks).toBeGreaterThan(20);
    expect(schedules).toBeGreaterThan(400);
  });
});
