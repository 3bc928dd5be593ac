/** zstd frames: unpacked at once, if their header gives their size. */
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compress, contentSize, decompress } from '../../../../src/service/catalog/packs/frames.ts';

const CONTENT = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * i) % 251));
const content = (bytes: number) => CONTENT.subarray(0, bytes);

describe('a frame', () => {
  it('unpacks to its content, of any size', () => {
    for (const bytes of [0, 1, 63, 64, 255, 256, 257, 4_096, 65_535, 65_791, 65_792, 70_000, 200_000]) {
      const frame = compress(content(bytes));
      expect(decompress(frame).equals(content(bytes)), String(bytes)).toBe(true);
      if (frame.length >= 18) expect(contentSize(frame), String(bytes)).toBe(bytes);
    }
  });

  it('needs no size in its header', () => {
    const frame = zstdCompressSync(content(100_000));
    expect(decompress(frame).equals(content(100_000))).toBe(true);
  });

  it('that is damaged is an error, and never other bytes', () => {
    const frame = compress(content(3_000));
    fc.assert(
      fc.property(fc.nat({ max: frame.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(frame);
        damaged[at] = damaged[at]! ^ change;
        let unpacked: Buffer | null = null;
        try {
          unpacked = decompress(damaged);
        } catch (error) {
          expect((error as Error).message).not.toBe('');
        }
        // Some bits of a header change nothing.
        if (unpacked !== null) expect(unpacked.equals(content(3_000))).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(() => decompress(frame.subarray(0, frame.length - 1))).toThrow();
    expect(() => decompress(frame.subarray(0, 30))).toThrow();
  });
});
