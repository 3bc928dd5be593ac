/** Queries of docs/recipes.md over real annual reports, against values read by hand in the printed statements; skipped without them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapFiling } from '../../../../src/filings/forms/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import type { Row } from '../../../../src/lake/tables/index.ts';
import { codeBlocks, readMarkdown } from '../../../project/unit/docs/markdown-files.ts';
import { accession, bring } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';

interface Label {
  readonly file: string;
  readonly cik: string;
  readonly form: string;
  readonly item: string;
  readonly fiscal_year: number;
  readonly fiscal_period: string;
  readonly period_end: string;
  /** Without one the filing does not state the item: `absent`. */
  readonly value?: string;
  readonly absent?: boolean;
  /** Other values that are right. */
  readonly accept?: readonly (string | null)[];
}

const place = (...names: string[]) => (sharedFolder === null ? '' : join(sharedFolder, ...names));
const given = spawnSync('xz', ['--version']).status === 0 && existsSync(place('fundamentals', 'labels.jsonl'));
const labels = given ? jsonRows<Label>(place('fundamentals', 'labels.jsonl')) : [];
const queries = new Map(codeBlocks(readMarkdown('docs/recipes.md'), 'sql').map(({ heading, code }) => [heading, code]));

/** A lake of all labelled filings, quarterly ones among them. They are filed in the order of the days that their reports end on. */
async function lakeOfReports(): Promise<Lake> {
  const lake = await openLake(temporaryFolder(), { create: true });
  const rows: Record<'filings' | 'xbrl_facts', Row[]> = { filings: [], xbrl_facts: [] };
  const ofFile = [...Map.groupBy(labels, ({ file }) => file)].map(([, [first, ...more]]) => {
    const balance = [first!, ...more].filter(({ item, absent }) => item === 'total_assets' || absent);
    return {
      ...first!,
      report_date: balance
        .map(({ period_end }) => period_end)
        .sort()
        .at(-1)!,
    };
  });
  ofFile.sort((a, b) => (a.report_date < b.report_date ? -1 : 1));
  for (const [n, { file, cik, form, report_date }] of ofFile.entries()) {
    const text = () =>
      execFileSync('xz', ['-dc', place('xbrl', 'inline', `${file}.xz`)], { maxBuffer: 1 << 28 }).toString('utf8');
    const about = { accessionNumber: accession(n), filingDate: report_date, formType: form };
    for (const { row } of mapFiling(
      { ...about, documents: [{ name: file, type: form, text }] },
      new Set(['xbrl_facts']),
    ))
      if ('concept' in row) rows.xbrl_facts.push(row);
    rows.filings.push({ accession_number: accession(n), cik, form_type: form, filing_date: report_date, report_date });
  }
  await bring(lake, { batch: 'b' }, rows);
  return lake;
}

/** Labels of one item, by what became of them. @param answer of the query; null: it has none */
function compared(item: string, answer: (cik: string, fiscal_year: number) => number | null) {
  const result = { right: 0, wrong: [] as string[], missing: [] as string[], invented: [] as string[] };
  for (const { file, cik, fiscal_year, value, accept = [] } of labels.filter(
    (label) => label.item === item && label.form === '10-K',
  )) {
    const found = answer(cik, fiscal_year);
    const name = `${file} ${fiscal_year}: ${found}, not ${value}`;
    if (value === undefined) {
      if (found !== null) result.invented.push(name);
    } else if (found === null) result.missing.push(name);
    else if ([value, ...accept].some((right) => right !== null && Number(right) === found)) result.right++;
    else result.wrong.push(name);
  }
  return result;
}

describe.skipIf(!given)('values by fiscal year of real annual reports, as read by hand', () => {
  let lake: Lake;
  beforeAll(async () => {
    lake = await lakeOfReports();
  });
  afterAll(() => lake?.close());

  const isAllRight = { right: expect.any(Number), wrong: [], missing: [], invented: [] };

  it.each([
    ['assets', 'total_assets', 32],
    ['net income', 'net_income', 47],
  ])('are right: %s', async (asked, item, stated) => {
    const rows = await lake.query(queries.get('Financial values by year')!);
    const result = compared(item, (cik, year) => {
      const row = rows.find((one) => one.cik === cik && one.fiscal_year === year && one.item === asked);
      return row === undefined || row.value === null ? null : Number(row.value);
    });
    expect(result).toEqual(isAllRight);
    expect(result.right).toBe(stated);
  });

  it.each(['first_reported', 'latest'])('are right: revenue, %s', async (column) => {
    const rows = await lake.query(queries.get('Revenue as first reported and as revised')!);
    const result = compared('revenue', (cik, year) => {
      const row = rows.find((one) => one.cik === cik && one.fiscal_year === year);
      return row === undefined || row[column] === null ? null : Number(row[column]);
    });
    expect(result).toEqual(isAllRight);
    expect(result.right).toBe(47);
  });
});
