import { describe, expect, it } from 'vitest';
import { joinMetas, type RowBatch, SegmentSink } from '../../../../src/export/pipeline/staging/segment-sink.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { nodeFileOperations } from '../../../../src/lake/storage/local/file-operations.ts';
import { LocalStorage } from '../../../../src/lake/storage/local/local-storage.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const delivery = (cik: string, characters = 2_000_000): RowBatch => ({
  rows: { entities: [{ cik, name: 'x'.repeat(characters) }] },
  done: [cik],
  replace: [{ table: 'export_failures', columns: ['export', 'step', 'subject'], values: [['e', 'entity', cik]] }],
  failures: 1,
});

const doneOf = (lake: Lake) =>
  lake
    .takeUpSegments('run', 'batch', joinMetas)
    .then((segments) => segments.flatMap(({ meta }) => (meta as { done: string[] }).done));

describe('a sink', () => {
  it('leaves taken rows that are not sealed to the next attempt', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    const sink = new SegmentSink(lake.openStaging('run', 'batch', 1));
    await sink.take(delivery('1'));
    await sink.seal();
    await sink.take(delivery('2'));
    await sink.take(delivery('3'));
    await sink.close();
    expect(await lake.sealedSegments('run', 'batch')).toHaveLength(1);
    const metas = (await lake.takeUpSegments('run', 'batch', joinMetas)).map(({ meta }) => meta);
    expect(metas).toMatchObject([
      { done: ['1'], failures: 1 },
      {
        done: ['2', '3'],
        failures: 2,
        replace: [
          {
            values: [
              ['e', 'entity', '2'],
              ['e', 'entity', '3'],
            ],
          },
        ],
      },
    ]);
  });

  it('takes more while it seals, however long the disk takes', async () => {
    const folder = temporaryFolder();
    await (await openLake(folder, { create: true })).close();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = {
      ...nodeFileOperations,
      sync: async (file: string) => {
        if (file.endsWith('.ndjson')) await held;
        await nodeFileOperations.sync(file);
      },
    };
    await using lake = await openLake(folder, { storage: new LocalStorage(folder, slow) });
    const sink = new SegmentSink(lake.openStaging('run', 'batch', 1));
    // The first eight fill a segment; the next are taken while it waits for the disk.
    for (let n = 0; n < 12; n++) await sink.take(delivery(String(n)));
    expect(sink.sealed).toEqual([]);
    release();
    await sink.seal();
    await sink.close();
    expect(sink.sealed).toHaveLength(2);
    expect(await doneOf(lake)).toEqual(Array.from({ length: 12 }, (_, n) => String(n)));
  });

  it('takes nothing more after a seal has failed, and reports why', async () => {
    const folder = temporaryFolder();
    await (await openLake(folder, { create: true })).close();
    const failing = {
      ...nodeFileOperations,
      sync: async (file: string) => {
        if (file.endsWith('.ndjson')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        await nodeFileOperations.sync(file);
      },
    };
    await using lake = await openLake(folder, { storage: new LocalStorage(folder, failing) });
    const sink = new SegmentSink(lake.openStaging('run', 'batch', 1));
    const takeAll = async () => {
      for (let n = 0; n < 40; n++) await sink.take(delivery(String(n)));
    };
    await expect(takeAll()).rejects.toMatchObject({ code: 'lake-full' });
    await expect(sink.seal()).rejects.toMatchObject({ code: 'lake-full' });
    await sink.close();
  });
});
