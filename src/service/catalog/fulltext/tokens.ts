/**
 * The words of a text exactly as FTS5's `unicode61 remove_diacritics 2` has them, for another engine that shall find the same. SQLite's
 * tables of letters are those of an older Unicode than JavaScript's: so SQLite itself says what each character is, once.
 */
import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { prepareWrite } from '../rows/statements.ts';
import { isAsciiWord } from './words.ts';

/** Longer words are cut to this many characters, and get a hash of the whole. Engines refuse or split very long words. */
export const TOKEN_CHARACTERS_MAX = 100;
/** FTS5 cuts words there. */
const FTS5_TOKEN_BYTES = 32_768;
/** Not part of any word */
const CUT = '…';

const LONG = new RegExp(`[^ ]{${TOKEN_CHARACTERS_MAX + 1},}`, 'gu');
const NOT_ASCII = /[\u0080-\uffff]/;
const ALL_NOT_ASCII = /[\u0080-\u{10ffff}]/gu;
const SPACE = 0x20;
/** Stands for a character that continues a word and is left out: an accent. */
const DROPPED = '\u0001';
/** What a byte of a folded text becomes; 0: a separator, 1: as `DROPPED`. */
const BECOMES = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || isAsciiWord(byte) ? (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte) : byte === 1 ? 1 : 0,
);

const known = new Map<string, string>();
let asked: ((text: string) => string[]) | null = null;

/** The words of a text, separated by single spaces. */
export function tokenText(text: string): string {
  const plain = text.includes(DROPPED) ? text.replaceAll(DROPPED, ' ') : text;
  const folded = NOT_ASCII.test(plain) ? plain.replace(ALL_NOT_ASCII, ofCharacter) : plain;
  // By bytes: a pattern that splits at each space needs ten times as long.
  const bytes = Buffer.from(folded);
  const words = Buffer.allocUnsafe(bytes.length);
  let [length, begin, isInside, hasLong] = [0, 0, false, false];
  for (const byte of bytes) {
    const becomes = BECOMES[byte]!;
    if (becomes > 1) {
      if (!isInside) {
        if (length > 0) words[length++] = SPACE;
        begin = length;
        isInside = true;
      }
      words[length++] = becomes;
      hasLong ||= length - begin > TOKEN_CHARACTERS_MAX;
    } else if (becomes === 0) isInside = false;
  }
  const tokens = words.toString('utf8', 0, length);
  return hasLong ? tokens.replace(LONG, cut) : tokens;
}

export function tokensOf(text: string): string[] {
  const tokens = tokenText(text);
  return tokens === '' ? [] : tokens.split(' ');
}

function cut(token: string): string {
  const bytes = Buffer.from(token).subarray(0, FTS5_TOKEN_BYTES);
  return [...token].slice(0, TOKEN_CHARACTERS_MAX).join('') + CUT + hash('sha256', bytes, 'base64url').slice(0, 22);
}

/** What a character beyond ASCII becomes: folded, a space, or `DROPPED`. */
function ofCharacter(character: string): string {
  let becomes = known.get(character);
  if (becomes === undefined) {
    asked ??= askSqlite();
    const [inside, ...others] = asked(`x${character}y ${character}z`);
    // `x y z`: a separator. `xFy Fz`: a letter. `xy z`: an accent, which begins no word.
    becomes = others.length > 1 ? ' ' : others[0] === 'z' ? DROPPED : inside!.slice(1, -1);
    known.set(character, becomes);
  }
  return becomes;
}

function askSqlite(): (text: string) => string[] {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE VIRTUAL TABLE texts USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance)`);
  const write = prepareWrite(db, 'INSERT OR REPLACE INTO texts (rowid, text) VALUES (1, ?)');
  const read = db.prepare('SELECT term FROM words ORDER BY offset');
  return (text) => {
    write.run(text);
    return read.all().map(({ term }) => term as string);
  };
}
