/** Bodies of several zstd frames, and bodies that are damaged or too long. Node's own functions end after the first frame. */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unpackContent } from '../../../../src/export/client/unpack-content.ts';
import { runs } from '../../../support/property-runs.ts';

const LIMIT = 1_000_000;
const SKIPPABLE = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

describe('a body of zstd frames', () => {
  const parts = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      // Longer than what is unpacked inline, and hard to compress.
      fc
        .tuple(fc.integer({ min: 1, max: 40_000 }), fc.integer({ min: 3, max: 251 }))
        .map(([length, step]) => Buffer.from(Array.from({ length }, (_, i) => (i * i * step) >> 3))),
    ),
    { minLength: 1, maxLength: 5 },
  );

  it('has the contents of all of them', async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.boolean(), async (contents, skips) => {
        const frames = contents.flatMap((part) => [...(skips ? [SKIPPABLE] : []), zstdCompressSync(part)]);
        const content = await unpackContent(Buffer.concat(frames), 'zstd', LIMIT);
        expect(content.equals(Buffer.concat(contents))).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });

  it('is refused if it ends within a frame, or with other bytes', async () => {
    const frame = zstdCompressSync(Buffer.from('some content that is compressed'));
    for (const end of [frame.subarray(0, -1), frame.subarray(0, 3), Buffer.from('xyz'), Buffer.alloc(4)]) {
      await expect(unpackContent(Buffer.concat([frame, end]), 'zstd', LIMIT)).rejects.toThrow();
    }
  });

  it('is too long if its frames together are', async () => {
    const frame = zstdCompressSync(Buffer.alloc(600));
    const tooLong = { code: 'ERR_BUFFER_TOO_LARGE' };
    expect(await unpackContent(Buffer.concat([frame, frame]), 'zstd', 1_200)).toHaveLength(1_200);
    await expect(unpackContent(Buffer.concat([frame, frame]), 'zstd', 1_199)).rejects.toMatchObject(tooLong);
    const byte = zstdCompressSync(Buffer.alloc(1));
    await expect(unpackContent(Buffer.concat([frame, byte]), 'zstd', 600)).rejects.toMatchObject(tooLong);
  });
});

it('a gzip body of several members has the contents of all of them', async () => {
  const members = Buffer.concat([gzipSync('first '), gzipSync('second')]);
  expect((await unpackContent(members, 'gzip', LIMIT)).toString()).toBe('first second');
});
