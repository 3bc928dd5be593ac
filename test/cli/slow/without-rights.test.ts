/** Messages to people without permission: which path, what to do, at once, and nothing half written. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openHome } from '../../../src/core/environment/state-folder.ts';
import { openLake } from '../../../src/lake/index.ts';
import { KeyRegister, loadPlans } from '../../../src/service/accounts/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { temporaryFolder as catalogFolder, txtOf, writeFiles } from '../../support/catalog/synthetic-filings.ts';
import { bring, filingRows, together } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { filinglakeWithoutRights, giveAway, WITHOUT_RIGHTS_IMPOSSIBLE, withMode } from '../../support/no-rights.ts';

interface Refusal {
  args: string[];
  /** Whose rights are taken, below the folder of the test */
  path: string;
  mode: number;
  code: number;
  says: string;
  remedy: string;
  env?: Record<string, string>;
}

const LAKE_REMEDY = 'Check the permissions of the lake, and the disk.';
const HOME_REMEDY = 'Set FILINGLAKE_HOME to a folder that you may write to.';
const part = (lake: string) => readdirSync(join(lake, 'filings')).find((name) => name.endsWith('.parquet'))!;

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  const lake = await openLake(join(folder, 'lake'), { create: true });
  await bring(lake, { batch: 'b' }, together(filingRows(1), filingRows(2)));
  await lake.close();
  const files = catalogFolder();
  const documents = [{ content: 'Hello' }];
  const parties = [{ cik: '7', name: 'Seven' }];
  writeFiles(files, {
    '1.txt': txtOf({ accession: '0000000007-24-000001', form: '8-K', date: '2024-05-06', parties, documents }),
  });
  const catalog = join(folder, 'catalog');
  await ingest([files], catalog, { threads: 0 });
  const accounts = KeyRegister.open(catalog, loadPlans());
  accounts.createKey('free');
  accounts.close();
  const home = openHome(join(folder, 'home'));
  for (const file of [home.temporalDatabase, join(home.logs, 'temporal-supervisor.log'), join(home.logs, 'export.log')])
    writeFileSync(file, '');
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(folder, 'out', 'page.html'), 'as it was');
  writeFileSync(join(folder, 'e.yaml'), 'name: e\nselect: {}\ntables: [filings]\n');
  writeFileSync(join(folder, 'n.yaml'), 'select: { accession_numbers: { file: n.txt } }\ntables: [filings]\n');
  writeFileSync(join(folder, 'n.txt'), '0000320193-24-000123\n');
  giveAway(folder);
});

async function refused(refusal: Refusal): Promise<void> {
  const { args, path, mode, code, says, remedy, env } = refusal;
  const own = { FILINGLAKE_HOME: join(folder, 'home'), FILINGLAKE_CACHE: join(folder, 'cache') };
  const ended = await withMode(join(folder, path), mode, () =>
    filinglakeWithoutRights(args, folder, { ...own, ...env }),
  );
  expect([args, ended.code, ended.stdout]).toEqual([args, code, '']);
  expect(ended.stderr).toMatch(/^error: .*\n {7}.*\n$/);
  expect(ended.stderr).toContain(says);
  expect(ended.stderr).toContain(remedy);
}

const impossible = WITHOUT_RIGHTS_IMPOSSIBLE;
describe.skipIf(impossible !== null)(
  `rights that do not suffice${impossible === null ? '' : ` (can't be tried: ${impossible})`}`,
  () => {
    it('for the home: each place in it is named before Temporal is started', async () => {
      const places: [path: string, mode: number, env?: Record<string, string>][] = [
        ['home', 0o000],
        ['home/logs', 0o500],
        ['home/temporal/temporal.db', 0o400],
        ['home/logs/temporal-supervisor.log', 0o400],
      ];
      for (const [path, mode] of places) {
        const named = join(folder, path);
        const says = `can't write to ${named}: you have no permission\n`;
        await refused({ args: ['status'], path, mode, code: 1, says, remedy: HOME_REMEDY });
      }
      const env = { FILINGLAKE_HOME: join(folder, 'out', 'home') };
      const says = `can't write to ${env.FILINGLAKE_HOME}: you have no permission\n`;
      await refused({ args: ['export', 'e.yaml'], path: 'out', mode: 0o555, code: 1, says, remedy: HOME_REMEDY, env });
    });

    it('for a lake: the refused folder or file is named, also if DuckDB opens it', async () => {
      const lake = join(folder, 'lake');
      const reading = ['sql', 'SELECT max(form_type) FROM filings', '--lake', 'lake'];
      const cases: [args: string[], path: string, mode: number, within?: string][] = [
        [reading, `lake/filings/${part(lake)}`, 0o000],
        [['report', '--lake', 'lake', '--output', 'r.html'], `lake/filings/${part(lake)}`, 0o000],
        [reading, 'lake/filings/_delta_log', 0o000, '/_last_checkpoint'],
        [reading, 'lake/lake.json', 0o000],
      ];
      for (const [args, path, mode, within = ''] of cases) {
        const says = `${join(folder, path)}${within} can't be read: you have no permission\n`;
        await refused({ args, path, mode, code: 1, says, remedy: LAKE_REMEDY });
      }
      expect(existsSync(join(folder, 'r.html'))).toBe(false);
      const check = await withMode(join(lake, 'filings', part(lake)), 0o000, () =>
        filinglakeWithoutRights(['lake', 'check', '--lake', 'lake'], folder),
      );
      expect([check.code, check.stdout]).toEqual([
        1,
        expect.stringMatching(/^wrong: .*parquet can't be read: you have no permission$/m),
      ]);
    });

    it('for a lake to write to: doctor reports every folder that commits use', async () => {
      for (const path of ['lake/_staging', 'lake/sections/_delta_log']) {
        mkdirSync(join(folder, path), { recursive: true });
        giveAway(join(folder, path));
        const { code, stdout } = await withMode(join(folder, path), 0o555, () =>
          filinglakeWithoutRights(['doctor', '--lake', 'lake', '--json'], folder, {
            FILINGLAKE_BASE_URL: 'http://127.0.0.1:9',
          }),
        );
        const { checks } = JSON.parse(stdout) as { checks: { name: string; found: string }[] };
        expect(code).toBe(1);
        expect(checks.find(({ name }) => name === 'lake')!.found).toBe(
          `${join(folder, path)} can't be written: you have no permission`,
        );
      }
    });

    it('for inputs: the definition and the list of accession numbers', async () => {
      const one = { mode: 0o000, code: 2 };
      const says = (file: string) => `${file} can't be read: you have no permission\n`;
      await refused({
        ...one,
        args: ['export', 'e.yaml'],
        path: 'e.yaml',
        says: says('e.yaml'),
        remedy: 'as a user who may read it',
      });
      await refused({
        ...one,
        args: ['plan', 'n.yaml'],
        path: 'n.txt',
        says: says('n.txt'),
        remedy: 'Name a file that you may read',
      });
    });

    it('for outputs: nothing is left of them', async () => {
      const says = (file: string) => `${file} can't be written: you have no permission\n`;
      for (const output of ['out/new.html', 'out/page.html']) {
        const args = ['report', '--lake', 'lake', '--output', output];
        const remedy = 'you may write to';
        await refused({ args, path: 'out', mode: 0o555, code: 2, says: says(output), remedy });
      }
      expect(readdirSync(join(folder, 'out'))).toEqual(['page.html']);
      expect(readFileSync(join(folder, 'out', 'page.html'), 'utf8')).toBe('as it was');
    });

    it('for a catalog: its file is named, and a service that can count no request does not start', async () => {
      const catalog = ['--catalog', 'catalog'];
      const read = { mode: 0o000, code: 1, remedy: 'Run the command as a user who may read it' };
      const write = { mode: 0o444, code: 1, remedy: 'Run the command as a user who may write to that folder' };
      for (const args of [
        ['keys', 'list'],
        ['catalog', 'check'],
        ['ingest', 'e.yaml'],
        ['serve', '--port', '0'],
      ]) {
        const says = "catalog/catalog.db can't be read: you have no permission\n";
        await refused({ ...read, args: [...args, ...catalog], path: 'catalog/catalog.db', says });
      }
      for (const args of [
        ['keys', 'create', '--plan', 'free'],
        ['serve', '--port', '0'],
      ]) {
        const says = "catalog/accounts.db can't be written: you have no permission\n";
        await refused({ ...write, args: [...args, ...catalog], path: 'catalog/accounts.db', says });
      }
      const says = "catalog/packs can't be read: you have no permission\n";
      await refused({ ...read, args: ['catalog', 'check', ...catalog], path: 'catalog/packs', says });
    });
  },
);
