import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MadePdfs } from '../../../src/service/pdf/made-pdfs.ts';
import { runs } from '../../support/property-runs.ts';

const leave = (bytes: Uint8Array) => structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] });
const pdf = (size: number, fill = 1) => ({ bytes: new Uint8Array(size).fill(fill), pages: size });

describe('PDFs that were made before', () => {
  it('are found by their name, with their pages', () => {
    const made = new MadePdfs({ fileBytes: 10, totalBytes: 20 });
    made.add('a', pdf(3));
    expect(made.find('a')).toEqual(pdf(3));
    expect(made.find('b')).toBeNull();
  });

  it('survive that an answer takes its memory to another thread', () => {
    const made = new MadePdfs({ fileBytes: 10, totalBytes: 20 });
    const given = pdf(3);
    made.add('a', given);
    leave(given.bytes);
    leave(made.find('a')!.bytes);
    expect(made.find('a')).toEqual(pdf(3));
  });

  it('make room for new ones: the least recently requested goes first', () => {
    const made = new MadePdfs({ fileBytes: 10, totalBytes: 20 });
    for (const name of ['a', 'b']) made.add(name, pdf(10));
    made.find('a');
    made.add('c', pdf(5));
    expect([made.find('a'), made.find('b'), made.find('c')].map((found) => found !== null)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('are not kept if they are large, and then push out nothing', () => {
    const made = new MadePdfs({ fileBytes: 10, totalBytes: 20 });
    made.add('a', pdf(10));
    made.add('large', pdf(11));
    expect([made.find('a') !== null, made.find('large')]).toEqual([true, null]);
  });

  it('never take more than the limit, and each is the last one of its name', () => {
    const step = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), size: fc.integer({ min: 0, max: 12 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const made = new MadePdfs({ fileBytes: 10, totalBytes: 20 });
        const last = new Map<string, number>();
        for (const { name, size } of steps) {
          made.add(name, pdf(size));
          if (size <= 10) last.set(name, size);
          expect(made.bytes).toBeLessThanOrEqual(20);
        }
        const found = [...last].flatMap(([name, size]) => {
          const known = made.find(name);
          if (known) expect(known.pages).toBe(size);
          return known ? [known.bytes.byteLength] : [];
        });
        expect(found.reduce((sum, size) => sum + size, 0)).toBe(made.bytes);
      }),
      { numRuns: runs(100) },
    );
  });
});
