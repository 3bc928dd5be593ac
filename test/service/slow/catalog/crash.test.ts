import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkCatalog, ingest } from '../../../../src/service/catalog/index.ts';
import { takeIngestLock } from '../../../../src/service/catalog/ingest-lock.ts';
import {
  contentOf,
  type MadeUpSubmission,
  temporaryFolder,
  txtOf,
  writeFiles,
} from '../../../support/catalog/synthetic-filings.ts';

const program = join(import.meta.dirname, 'ingest-process.ts');
const cli = join(import.meta.dirname, '../../../../src/cli/main.ts');

const submissions = Array.from(
  { length: 18 },
  (_, i): MadeUpSubmission => ({
    accession: `0000000007-24-${String(i).padStart(6, '0')}`,
    form: i % 3 ? '10-Q' : '4',
    date: `2024-05-${String((i % 7) + 1).padStart(2, '0')}`,
    parties: [{ cik: String((i % 4) + 1), name: `Company ${i % 4}` }],
    documents: [{ content: `Words of number ${i}. `.repeat(40) }, { content: `More of number ${i}` }],
  }),
);

describe('an ingest that ends in the middle', () => {
  const files = temporaryFolder();
  let undisturbed: ReturnType<typeof contentOf>;

  beforeAll(async () => {
    writeFiles(files, Object.fromEntries(submissions.map((s) => [`${s.accession}.txt`, txtOf(s)])));
    const folder = join(temporaryFolder(), 'catalog');
    await ingest([files], folder, { threads: 0 });
    undisturbed = contentOf(folder);
  });

  const run = (folder: string, moment: string, nth: number) =>
    spawnSync(process.execPath, [program, files, folder, moment, String(nth)], { encoding: 'utf8' });

  it.each([
    ['write', 1],
    ['write', 8],
    ['synced', 2],
    ['begun', 3],
    ['committing', 1],
    ['committing', 3],
    ['committed', 2],
  ])(
    'by SIGKILL (%s, %i) leaves a sound catalog, and the next run makes the same as an undisturbed one',
    async (moment, nth) => {
      const folder = join(temporaryFolder(), 'catalog');
      const killed = run(folder, moment, nth);
      expect(killed.signal, killed.stdout).toBe('SIGKILL');
      if (existsSync(join(folder, 'packs/000001.pack'))) expect(checkCatalog(folder).problems).toEqual([]);
      const summary = await ingest([files], folder, { threads: 0 });
      expect(summary.filings.new + summary.filings.unchanged).toBe(submissions.length);
      expect(contentOf(folder)).toEqual(undisturbed);
      expect(checkCatalog(folder)).toMatchObject({ problems: [], unused_pack_bytes: 0 });
    },
  );

  it.each([
    ['no-space', 7],
    // Two transactions make the tables and the revisions, the third stores the first five filings.
    ['database-full', 4],
  ])(
    'because of a full disk (%s) reports it, keeps what was committed, and continues when there is room',
    async (moment, nth) => {
      const folder = join(temporaryFolder(), 'catalog');
      const failed = run(folder, moment, nth);
      expect(failed.stdout).toBe('catalog-unwritable');
      const report = checkCatalog(folder);
      expect(report.problems).toEqual([]);
      expect(report.filings).toBe(5);
      await ingest([files], folder, { threads: 0 });
      expect(contentOf(folder)).toEqual(undisturbed);
    },
  );
});

describe('two ingests into one catalog', () => {
  const files = temporaryFolder();
  beforeAll(() => writeFiles(files, { '1.txt': txtOf(submissions[0]!) }));

  it('are one at a time: the second names the process that holds the catalog', async () => {
    const folder = join(temporaryFolder(), 'catalog');
    const lock = await takeIngestLock(folder);
    await expect(ingest([files], folder, { threads: 0 })).rejects.toMatchObject({ code: 'catalog-busy' });
    const refused = spawnSync(process.execPath, [cli, 'ingest', files, '--catalog', folder], { encoding: 'utf8' });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(`another ingest (process ${process.pid})`);
    lock[Symbol.dispose]();
    expect((await ingest([files], folder, { threads: 0 })).filings.new).toBe(1);
  });

  it('run one after the other if the second waits', async () => {
    const folder = join(temporaryFolder(), 'catalog');
    const lock = await takeIngestLock(folder);
    const waiting = spawn(process.execPath, [cli, 'ingest', files, '--catalog', folder, '--wait'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => waiting.on('close', resolve));
    let said = '';
    waiting.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(`waiting for another ingest (process ${process.pid})`)) lock[Symbol.dispose]();
    });
    expect(await ended).toBe(0);
    expect(said).toContain('filings: 1 new');
  });
});
