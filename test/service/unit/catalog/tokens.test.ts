/** Words for another engine are those of FTS5, for every kind of character. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { TOKEN_CHARACTERS_MAX, tokensOf, tokenText } from '../../../../src/service/catalog/fulltext/tokens.ts';
import { prepareWrite } from '../../../../src/service/catalog/rows/statements.ts';
import { runs } from '../../../support/property-runs.ts';
import { seeded } from '../../../support/seeded-chance.ts';

const db = new DatabaseSync(':memory:');
db.exec(`CREATE VIRTUAL TABLE t USING fts5(x, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
  CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)`);
const write = prepareWrite(db, 'INSERT OR REPLACE INTO t (rowid, x) VALUES (1, ?)');

function fts5WordsOf(text: string): string[] {
  write.run(Buffer.from(text));
  return db
    .prepare('SELECT term FROM v ORDER BY offset')
    .all()
    .map(({ term }) => term as string);
}

/** Letters, signs and marks of most scripts, and some of each further plane. */
const RANGES = [
  [0, 0x2fff],
  [0xa4d0, 0xabff],
  [0xe000, 0xe010],
  [0xf900, 0xffff],
  [0x10000, 0x107ff],
  [0x1d400, 0x1d7ff],
  [0x1e900, 0x1e95f],
  [0x1f100, 0x1f1ff],
] as const;

it('are equal for characters of all kinds, at the begin of words, inside them and alone', () => {
  const random = seeded(5);
  const pick = (count: number) => Math.floor(random() * count);
  const characters = RANGES.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
  for (let i = 0; i < runs(3_000); i++) characters.push(0x3000 + pick(0x10ffff - 0x3000));
  // A text has no half pairs: they are replaced when it is stored.
  const texts = characters.filter((code) => code < 0xd800 || code > 0xdfff).map((code) => String.fromCodePoint(code));
  for (let at = 0; at < texts.length; at += 50) {
    const some = texts.slice(at, at + 50);
    const text = some
      .map(
        (c) =>
          `${c} ab${c}Cd ${c}ef gh${c} ${some[pick(some.length)]}${c}${some[pick(some.length)]}${'aZ9\u0301'[pick(4)]}${c}`,
      )
      .join('\n');
    expect(tokensOf(text), `from ${some[0]!.codePointAt(0)!.toString(16)}`).toEqual(fts5WordsOf(text));
  }
});

it('are cut where they are very long, and stay different, and equal for equal words', () => {
  const long = 'é'.repeat(TOKEN_CHARACTERS_MAX + 1);
  const [one, other, same] = tokensOf(`${long}a ${long}b ${long.toUpperCase()}A`);
  expect([one === other, one === same]).toEqual([false, true]);
  expect([...one!].slice(0, TOKEN_CHARACTERS_MAX).join('')).toBe('e'.repeat(TOKEN_CHARACTERS_MAX));
  const whole = 'x'.repeat(TOKEN_CHARACTERS_MAX);
  expect(tokensOf(whole)).toEqual([whole]);
  // FTS5 compares 32,768 bytes of a word.
  const huge = 'z'.repeat(32_768);
  expect(tokensOf(`${huge}1`)).toEqual(tokensOf(`${huge}2`));
  expect(fts5WordsOf(`${huge}1`)).toEqual(fts5WordsOf(`${huge}2`));
});

it('of a text without words are none', () => {
  expect([tokenText(''), tokenText(' — \u0301 '), tokensOf('…')]).toEqual(['', '', []]);
});
