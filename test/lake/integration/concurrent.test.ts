import { execFile, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { FEW_TABLES } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { quickIt as it, slowIt } from '../../support/tier-cases.ts';

const COMMITS = 6;

it('processes that commit at the same time lose nothing and add nothing twice', async () => {
  const folder = temporaryFolder();
  const lake = await openLake(folder, { create: true, tables: FEW_TABLES });
  const committer = new URL('committer.ts', import.meta.url).pathname;
  const run = promisify(execFile);
  const outputs = await Promise.all(
    ['0', '1', '2'].map((name) => run(process.execPath, [committer, folder, name, String(COMMITS)])),
  );
  const versions = outputs.flatMap(({ stdout }) => (JSON.parse(stdout) as { versions: number[] }).versions);
  expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 3 * COMMITS }, (_, i) => i));
  const report = await checkLake(lake);
  expect(report.problems).toEqual([]);
  // Each run's own filings, and those that all three wrote, once.
  expect(report.tables.filings!.rows).toBe(3 * COMMITS + COMMITS / 2);
  expect(report.tables.documents!.rows).toBe(2 * report.tables.filings!.rows);
  expect(report.tables.entities!.rows).toBe(1);
  expect(report.unnamed).toEqual({ files: 0, bytes: 0 });
  await lake.close();
});

slowIt(
  'processes that compact without end take nothing from those that commit, nor from each other',
  {
    timeout: 120_000,
  },
  async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    const script = (name: string) => new URL(name, import.meta.url).pathname;
    const compactors = [1, 2].map(() =>
      spawn(process.execPath, [script('compactor.ts'), folder], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const outputs = compactors.map((one) => text(one.stdout));
    const run = promisify(execFile);
    const names = ['0', '1'];
    await Promise.all(
      names.map((name) => run(process.execPath, [script('committer.ts'), folder, name, String(COMMITS)])),
    );
    for (const one of compactors) one.stdin.end();
    const compacted = (await Promise.all(outputs)).map((output) => JSON.parse(output) as { commits: number });
    const commits = compacted.reduce((sum, one) => sum + one.commits, 0);
    expect(commits).toBeGreaterThan(0);
    expect(await lake.currentVersion()).toBe(names.length * COMMITS + commits - 1);
    const report = await checkLake(lake);
    expect(report.problems).toEqual([]);
    expect(report.tables.filings!.rows).toBe(names.length * COMMITS + COMMITS / 2);
    expect(report.tables.documents!.rows).toBe(2 * report.tables.filings!.rows);
    expect(report.tables.entities!.rows).toBe(1);
    expect(report.unnamed).toEqual({ files: 0, bytes: 0 });
  },
);
