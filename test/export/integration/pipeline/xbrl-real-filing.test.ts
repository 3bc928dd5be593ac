/** A real 10-Q with all its documents, fetched into a lake: its requests, facts and checks; skipped without the files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lake } from '../../../../src/lake/index.ts';
import { closeSound } from '../../../support/pipeline/activity-harness.ts';
import {
  type FormService,
  fetchForms,
  formFiling,
  openForms,
  type ServedDocument,
} from '../../../support/pipeline/form-service.ts';
import type { LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';
import { sharedFolder } from '../../../support/shared.ts';

const folder = sharedFolder === null ? null : join(sharedFolder, 'xbrl');
const isGiven = folder !== null && existsSync(join(folder, 'split')) && spawnSync('xz', ['--version']).status === 0;

const TYPES: [RegExp, string][] = [
  [/^aapl-\d+\.htm$/, '10-Q'],
  [/exhibit311|exhibit312/, 'EX-31'],
  [/exhibit321/, 'EX-32'],
  [/\.xsd$/, 'EX-101.SCH'],
  [/_lab\.xml$/, 'EX-101.LAB'],
  [/_pre\.xml$/, 'EX-101.PRE'],
  [/_cal\.xml$/, 'EX-101.CAL'],
  [/_def\.xml$/, 'EX-101.DEF'],
  [/\.json$/, 'JSON'],
];
const typeOf = (name: string) => TYPES.find(([pattern]) => pattern.test(name))?.[1] ?? 'XML';
const textOf = (file: string) =>
  execFileSync('xz', ['-dc', join(folder!, file)], { maxBuffer: 1 << 28 }).toString('utf8');
const served = (file: string, type?: string): ServedDocument => {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.xz$/, '');
  return { name, type: type ?? typeOf(name), content: textOf(file) };
};

describe.skipIf(!isGiven)('a 10-Q of 2025', () => {
  let lake: Lake;
  let runs: LakeOfRuns;
  let service: FormService;

  beforeEach(async () => {
    ({ lake, runs, service } = await openForms());
  });
  afterEach(() => closeSound(lake));

  async function run(tables: string, documents: ServedDocument[]): Promise<string[]> {
    const filing = service.add(formFiling(1, '10-Q', documents), documents);
    await fetchForms(runs, tables, [filing], service.client);
    return service.asked.map((id) => documents[Number(id.slice(21)) - 1]!.name!).sort();
  }

  it('costs seven requests, has all its facts, and agrees with EDGAR', async () => {
    const own = readdirSync(join(folder!, 'filings/aapl-20250329')).map((name) => `filings/aapl-20250329/${name}`);
    const files = ['inline/aapl-20250329.htm.xz', ...own, 'extracted/aapl-20250329_htm.xml.xz'];
    expect(
      await run(
        'xbrl',
        files.map((file) => served(file)),
      ),
    ).toEqual([
      'aapl-20250329.htm',
      'aapl-20250329.xsd',
      'aapl-20250329_cal.xml',
      'aapl-20250329_def.xml',
      'aapl-20250329_htm.xml',
      'aapl-20250329_lab.xml',
      'aapl-20250329_pre.xml',
    ]);
    expect(await runs.rows('SELECT facts, extracted, equal, differ FROM xbrl_checks')).toEqual([
      { facts: 760, extracted: 760, equal: 760, differ: 0 },
    ]);
    const counts = await runs.rows(
      'SELECT (SELECT count(*)::INT FROM xbrl_facts) AS facts, (SELECT count(*)::INT FROM xbrl_labels) AS labels, (SELECT count(*)::INT FROM form_problems) AS problems',
    );
    expect(counts).toEqual([{ facts: 760, labels: 955, problems: 0 }]);
    // Apple's total assets at the end of the quarter: 331,233 million dollars.
    expect(
      await runs.rows(`SELECT value FROM num WHERE tag = 'Assets' AND ddate = 20250331 AND segments IS NULL`),
    ).toEqual([{ value: 331_233_000_000 }]);
    const [sheet] = await runs.rows(
      `SELECT label, shown FROM statements WHERE concept = 'us-gaap:Assets' AND role_definition LIKE '%BALANCE SHEETS%' AND period_end = DATE '2025-03-29'`,
    );
    expect(sheet).toEqual({ label: 'Total assets', shown: 331_233_000_000 });
  });

  it('cut into two documents that share contexts has the same facts', async () => {
    const [first, second] = readdirSync(join(folder!, 'split')).filter((name) => name.endsWith('.htm.xz'));
    const documents = [
      served(`split/${first}`, '10-Q'),
      served(`split/${second}`, 'EX-99.1'),
      served('filings/aapl-20250329/aapl-20250329.xsd.xz'),
    ];
    await run('xbrl_facts', documents);
    expect(
      await runs.rows(
        'SELECT count(*)::INT AS facts, count(period_end)::INT AS dated, count(DISTINCT file)::INT AS files FROM xbrl_facts',
      ),
    ).toEqual([{ facts: 760, dated: 760, files: 2 }]);
  });
});
