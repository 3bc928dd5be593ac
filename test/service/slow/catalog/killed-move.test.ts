import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCatalog, ingest, movePacks } from '../../../../src/service/catalog/index.ts';
import { startPack } from '../../../support/catalog/full-packs.ts';
import { contentOf, temporaryFolder, txtOf, writeFiles } from '../../../support/catalog/synthetic-filings.ts';
import { s3Server } from '../../../support/lake/s3-server.ts';

const program = join(import.meta.dirname, 'move-process.ts');
const s3 = s3Server();
if ('missing' in s3) console.warn(`packs in a bucket are not tested: ${s3.missing}`);

describe.skipIf('missing' in s3)('a move of packs into a bucket', () => {
  it('loses nothing, at whichever call SIGKILL ends it, and the next one continues', async () => {
    if ('missing' in s3) return;
    const server = await s3.start();
    Object.assign(process.env, server.env());
    const folder = temporaryFolder();
    const catalog = join(folder, 'catalog');
    mkdirSync(join(folder, 'files'));
    const ingestOne = async (n: number) => {
      const accession = `0000000001-24-${String(n).padStart(6, '0')}`;
      const documents = [{ content: `Words of ${n}. `.repeat(500) }];
      const filing = { accession, form: '8-K', date: '2024-03-01', parties: [{ cik: '1', name: 'Acme' }], documents };
      writeFiles(join(folder, 'files'), { [`${n}.txt`]: txtOf(filing) });
      await ingest([join(folder, 'files')], catalog, { threads: 0 });
    };
    for (const n of [1, 2, 3]) {
      await ingestOne(n);
      if (n === 3) break;
      startPack(catalog, n + 1);
    }
    const before = contentOf(catalog);
    const packs = [1, 2].map((n) => join(catalog, 'packs', `00000${n}.pack`));
    const whole = packs.map((pack) => readFileSync(pack));
    let killed = 0;
    for (let nth = 1; ; nth++) {
      const place = `s3://${await server.makeBucket()}/packs`;
      const ended = spawnSync(process.execPath, [program, catalog, place, String(nth)], { encoding: 'utf8' });
      expect(checkCatalog(catalog).problems).toEqual([]);
      expect(contentOf(catalog)).toEqual(before);
      if (ended.signal !== 'SIGKILL') {
        expect([ended.status, ended.stderr]).toEqual([0, '']);
        break;
      }
      killed++;
      expect(await movePacks(catalog, place)).toMatchObject({ in_bucket: 2 });
      expect(packs.map((pack) => existsSync(pack))).toEqual([false, false]);
      expect(checkCatalog(catalog).problems).toEqual([]);
      for (const [i, pack] of packs.entries()) {
        writeFileSync(pack, whole[i]!);
        rmSync(pack.replace('.pack', '.moved'));
      }
    }
    expect(killed).toBeGreaterThan(20);
  });
});
