/** The walks of CONTRIBUTING.md work as written: done in a copy, each touches only the files that the page names. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyRegister } from '../../../src/service/accounts/index.ts';
import { pythonReaders } from '../../support/lake/python-readers.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { PLANS } from '../../support/service/running-service.ts';
import { CURRENT, makeSmallCatalog } from '../../support/service/small-catalog.ts';
import { ANSWER_TABLE_WALK } from '../../support/walks/answer-table.ts';
import { FORM_TABLE_WALK } from '../../support/walks/form-table.ts';
import { OPERATION_WALK } from '../../support/walks/operation.ts';
import { STORAGE_WALK } from '../../support/walks/storage.ts';
import { filesOfWalk, type Walk, WalkedCopy } from '../../support/walks/walk.ts';

const ENDED_WELL = { status: 0, output: expect.any(String) };
const WALKS: readonly Walk[] = [ANSWER_TABLE_WALK, FORM_TABLE_WALK, OPERATION_WALK, STORAGE_WALK];

describe('the files of a walk', () => {
  it.each(WALKS.map((walk, i) => [`Walk ${i + 1}`, walk] as const))(
    '%s: are those that the page names',
    (name, walk) => {
      const named = [...filesOfWalk(name)].filter(([file, change]) => change !== 'if needed' || file in walk);
      const touched = Object.entries(walk).map(([file, change]) => [
        file,
        typeof change === 'string' ? 'new' : 'edited',
      ]);
      expect(Object.fromEntries(touched)).toEqual(Object.fromEntries(named));
    },
  );
});

describe('a copy in which each walk was done', () => {
  let copy: WalkedCopy;
  beforeAll(async () => {
    process.env.AZURE_CONTAINERS = temporaryFolder();
    copy = new WalkedCopy(WALKS);
    expect(await copy.run('scripts/docs.ts')).toEqual(ENDED_WELL);
  });
  afterAll(() => copy?.remove());

  it('passes lint and types after `npm run fix`', async () => {
    expect(await copy.run('scripts/fix.ts')).toEqual(ENDED_WELL);
    expect(await copy.run('scripts/check.ts', '--no-tests')).toEqual(ENDED_WELL);
  });

  it('passes the unit tests of tables, forms, operations and pages', async () => {
    const docs = ['reference', 'api', 'links', 'prose'].map((name) => `test/project/unit/docs/${name}`);
    const ofForms = ['forms/descriptors', 'forms/lockup', 'operations'].map((name) => `test/filings/unit/${name}`);
    expect(await copy.tests(...docs, 'test/lake/unit/tables', ...ofForms, 'test/export/unit/json-schema')).toEqual(
      ENDED_WELL,
    );
  });

  it.each([
    ['service/integration/filing-exhibits', 'service/integration/openapi', 'lake/integration/tables/new-table'],
    ['lake/integration/storage-contract', '-t', 'Azure'],
  ])('passes the other tests that the page names: %s', async (...names) => {
    const args = names.map((name) => (name.includes('/') ? `test/${name}.test.ts` : name));
    expect(await copy.tests(...args)).toEqual(ENDED_WELL);
  });

  it('has a service that answers the operation and describes it', async () => {
    const catalog = await makeSmallCatalog();
    const { api_key } = KeyRegister.open(catalog.folder, PLANS).createKey('unlimited');
    const args = ['bin/filinglake.mjs', 'serve', '--catalog', catalog.folder, '--port', '0', '--json'];
    const service = spawn(process.execPath, args, { cwd: copy.folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(service, 'close');
    try {
      const [line] = (await Promise.race([once(service.stdout, 'data'), ended.then(() => ['{}'])])) as [Buffer];
      const { url } = JSON.parse(line.toString()) as { url: string };
      const ask = async (path: string) => (await fetch(new URL(path, url))).text();
      const answer = await ask(`/v2/filing_exhibits?accession_number=${CURRENT}&api_key=${api_key}`);
      const exhibits = [{ document_id: `${CURRENT}-2`, type: 'EX-99.1' }];
      expect(JSON.parse(answer)).toEqual({ accession_number: CURRENT, exhibits });
      expect(await ask('/openapi.json')).toContain('"/v2/filing_exhibits"');
      expect(await ask('/docs')).toContain('<h2 id="filing_exhibits">');
    } finally {
      service.kill();
      await ended;
    }
  });

  it('has lakes in the new storage, which the command and the Python package read, with the new tables', async () => {
    const place = 'az://box/lake';
    const written = `import { openLake } from './src/lake/index.ts';
import { bring, filingRows } from './test/support/lake/small-lake.ts';
const lake = await openLake('${place}', { create: true });
const accession_number = '0000000001-24-000001';
await bring(lake, { batch: 'b' }, { ...filingRows(1), lockups: [{ accession_number, position: 0 }], exhibits: [{ accession_number, document_id: 'd' }] });
await lake.close();`;
    expect(await copy.run('--input-type=module', '-e', written)).toEqual(ENDED_WELL);
    const sql =
      'SELECT count(*) AS n FROM filings JOIN lockups USING (accession_number) JOIN exhibits USING (accession_number)';
    const found = await copy.run('bin/filinglake.mjs', 'sql', sql, '--lake', place, '--format', 'json');
    expect(found).toEqual({ status: 0, output: expect.stringMatching(/"n":\s*"?1\b/) });
    const python = pythonReaders();
    if ('missing' in python) return console.warn(`not read in Python: ${python.missing}`);
    const code = `import filinglake; print(filinglake.open('${place}').sql("${sql}").fetchall())`;
    const PYTHONPATH = [path.join(copy.folder, 'python/src'), python.modules].join(path.delimiter);
    const seen = await copy.runWith(python.command, ['-c', code], { PYTHONPATH });
    expect(seen).toEqual({ status: 0, output: '[(1,)]\n' });
  });
});
