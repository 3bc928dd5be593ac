/** Passages that are found in UTF-8 are those of the decoded text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PassageFinder } from '../../../../src/service/catalog/fulltext/passages.ts';
import { parseQuery } from '../../../../src/service/catalog/fulltext/query.ts';
import { foldInPlace, hasCombiningMarks } from '../../../../src/service/catalog/fulltext/words.ts';
import { runs } from '../../../support/property-runs.ts';

const finder = (query: string) => new PassageFinder(parseQuery(query, 'query_string').marked);

function expectEqual(query: string, text: string): void {
  // Halves of surrogate pairs have no UTF-8.
  const whole = text.toWellFormed();
  expect(finder(query).passagesOfBytes(Buffer.from(whole)), query).toEqual(finder(query).passages(whole));
}

const WORDS = [
  'risk',
  'RISK',
  'Rísk',
  'r\u0130sk',
  'ri\u0301sk',
  'ris\u212a',
  'loss',
  'LÖSS',
  'lo\u017f\u017f',
  'ÀB',
  'ab',
];
const BETWEEN = [
  ' ',
  '  ',
  '-',
  '’',
  '“',
  ' ☐ ',
  '\u00a0',
  '×',
  '\u037e',
  '²',
  'ª',
  'é',
  'Ж',
  '字',
  '𝔘',
  '\u0591',
  '<',
  '&',
  '\n',
];
const LONG = [
  ' '.repeat(3_000),
  'x'.repeat(5_000),
  '’ '.repeat(9_000),
  'the ☐ '.repeat(4_000),
  'risk '.repeat(150),
  'loss ’ '.repeat(120),
];
const QUERIES = [
  'risk',
  'loss OR risk',
  'risk OR risk',
  'ab loss risk',
  '"risk loss"',
  'ri*',
  'rísk',
  'losſ',
  'Ж',
  'risk OR zzz',
];

describe('passages of UTF-8', () => {
  it('are those of the decoded text', () => {
    const piece = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 8, arbitrary: fc.constantFrom(...BETWEEN) },
      { weight: 1, arbitrary: fc.constantFrom(...LONG) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
    );
    fc.assert(
      fc.property(fc.constantFrom(...QUERIES), fc.array(piece, { maxLength: 60 }), (query, pieces) =>
        expectEqual(query, pieces.join('')),
      ),
      { numRuns: runs(300) },
    );
  });

  it('are those of texts in common scripts, without combining marks', () => {
    const piece = fc.oneof(fc.constantFrom('risk', 'Rísk', 'loss', ' ', '’', '☐', 'é', 'Ж', '字', '𝔘', '²', '\u00a0'));
    fc.assert(
      fc.property(fc.constantFrom('risk', 'loss risk'), fc.array(piece, { maxLength: 80 }), (query, pieces) =>
        expectEqual(query, pieces.join('')),
      ),
      { numRuns: runs(300) },
    );
  });

  it('are the same for each character beside and within a word', () => {
    // By the word that the character makes. A combining mark would hide the others of its text.
    const texts = new Map<string, string[]>();
    for (let code = 0; code <= 0xffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCharCode(code);
      const folded = foldInPlace(`a${character}b`);
      const word = /^[a-z0-9]+$/.test(folded) ? folded : 'ab';
      const key = `${word} ${hasCombiningMarks(character)}`;
      const text = ` ab${character} ${character}ab a${character}b ${character} ab`;
      const others = texts.get(key);
      if (others) others.push(text);
      else texts.set(key, [text]);
    }
    for (const [key, all] of texts) {
      const word = key.split(' ')[0]!;
      const found = new PassageFinder([{ written: [word], words: [word], prefix: false }]);
      // Few enough that each passage is shown.
      for (let at = 0; at < all.length; at += 8) {
        const text = all.slice(at, at + 8).join('');
        expect(found.passagesOfBytes(Buffer.from(text))).toEqual(found.passages(text));
      }
    }
  });

  it('are the same wherever a word lies', () => {
    for (const border of [16_384, 65_536]) {
      for (let at = border - 8; at <= border + 2; at++) {
        for (const filler of ['a ', '’ ']) {
          const before = filler.repeat(at).slice(0, at);
          expectEqual('risk', `${before.slice(0, -1)} risk factors ${filler.repeat(300)} risk`);
        }
      }
    }
  });

  it('need no valid UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from([0xc3, 0xff, 0x80]), Buffer.from(' risk é '), Buffer.from([0xe2, 0x80])]);
    expect(finder('risk').passagesOfBytes(bytes)).toEqual(finder('risk').passages(bytes.toString()));
  });
});
