import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Sink } from '../../activities/export/sink.ts';
import { openLake } from '../../src/lake/index.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('a sink that is closed', () => {
  it('leaves no file of what was not sealed, and all of what was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'filinglake-test-'));
    folders.push(folder);
    const lake = await openLake(folder, { create: true });
    const sink = new Sink(lake.openStaging('run', 'batch', 1));
    const delivery = (cik: string) => ({
      rows: { entities: [{ cik, name: 'x'.repeat(2_000_000) }] },
      done: [cik],
      replace: [],
      failures: 0,
    });
    await sink.take(delivery('1'));
    await sink.seal();
    await sink.take(delivery('2'));
    expect(readdirSync(join(folder, '_scratch'))).toHaveLength(1);
    await sink.close();
    expect(readdirSync(join(folder, '_scratch'))).toEqual([]);
    const sealed = await lake.sealedSegments('run', 'batch');
    expect(sealed.map((segment) => segment.meta)).toEqual([{ done: ['1'], replace: [], failures: 0 }]);
    await lake.close();
  });
});
