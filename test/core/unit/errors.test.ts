/** The table of errors, the code that uses it, and the page made from it. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ERROR_AREAS,
  ERRORS,
  type ErrorCode,
  EXIT,
  errorsOf,
  FilinglakeError,
  HTTP_ERRORS,
} from '../../../src/core/index.ts';

const checkout = dirname(dirname(dirname(import.meta.dirname)));
const read = (file: string) => readFileSync(join(checkout, file), 'utf8');
const sources = globSync(['src/**/*.ts', 'activities/*.ts', 'workflows/*.ts'], { cwd: checkout })
  .filter((file) => !file.startsWith('src/core/errors/'))
  .map((file) => ({ file, text: read(file) }));
const entries = Object.entries(ERRORS);

/** What a code ends with. A new code needs a good reason to add to them. */
const STATES = [
  'ambiguous',
  'binary',
  'blocked',
  'broken',
  'busy',
  'cancelled',
  'changed',
  'damaged',
  'declared',
  'differs',
  'ended',
  'exceeded',
  'exists',
  'failed',
  'failing',
  'full',
  'invalid',
  'incomplete',
  'interrupted',
  'stopped',
  'limited',
  'malformed',
  'missing',
  'newer',
  'not-found',
  'outdated',
  'reached',
  'refused',
  'replaced',
  'running',
  'taken',
  'too-deep',
  'too-large',
  'too-long',
  'too-many',
  'too-wide',
  'truncated',
  'unexpected',
  'unfollowed',
  'unknown',
  'unnamed',
  'unprocessable',
  'unreachable',
  'unreadable',
  'unfit',
  'unrecognised',
  'unstorable',
  'unsupported',
  'unusable',
  'unwritable',
  'vacuumed',
  'vanished',
];

describe('the table of errors', () => {
  it('has no code twice', () => {
    const codes = Object.values(ERROR_AREAS)
      .flatMap(errorsOf)
      .map(([code]) => code);
    expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([]);
  });

  it('names each code by a subject and its state', () => {
    const pattern = new RegExp(`^[a-z]+(-[a-z]+)*-(${STATES.join('|')})$`);
    expect(entries.map(([code]) => code).filter((code) => !pattern.test(code))).toEqual([]);
  });

  it('has only codes that the code uses', () => {
    const unused = entries
      .map(([code]) => code)
      .filter((code) => !sources.some(({ text }) => text.includes(`'${code}'`) || madeUp(text).includes(code)));
    expect(unused).toEqual([]);
  });

  it('has a meaning and a remedy for each, in whole sentences', () => {
    const wrong = [
      ...entries,
      ...Object.entries(HTTP_ERRORS).map(([status, [meaning, remedy]]) => [status, { meaning, remedy }] as const),
    ]
      .flatMap(([code, { meaning, remedy }]) => [`${code}: ${meaning}`, `${code}: ${remedy}`])
      .filter((line) => !isSentence(line.slice(line.indexOf(': ') + 2)));
    expect(wrong).toEqual([]);
  });

  it('gives an error its exit code and its remedy, unless the place has a better one', () => {
    const code: ErrorCode = 'table-unknown';
    expect(new FilinglakeError(code, 'm')).toMatchObject({ exitCode: EXIT.usage, remedy: ERRORS[code].remedy });
    expect(new FilinglakeError(code, 'm', { remedy: 'Do so.' })).toMatchObject({ exitCode: 2, remedy: 'Do so.' });
  });

  it('has the exit codes of docs/reference/json-output.md', () => {
    const section = read('docs/reference/json-output.md').split('\n## Exit codes\n')[1]!.split('\n## ')[0]!;
    const documented = [...section.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
    expect(documented).toEqual(Object.values(EXIT));
  });

  it('has every HTTP status of docs/api.md', () => {
    const section = read('docs/api.md').split('\n## Errors\n')[1]!.split('\n## ')[0]!;
    const documented = [...section.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => status);
    expect(documented).toEqual(Object.keys(HTTP_ERRORS));
    const answered = entries.flatMap(([, { httpStatus }]) => (httpStatus === null ? [] : [String(httpStatus)]));
    expect(answered.filter((status) => !documented.includes(status))).toEqual([]);
  });
});

describe('the remedies of the places that throw', () => {
  it('are sentences as those of the table', () => {
    const wrong = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/\bremedy: (['"`])((?:(?!\1)[^\\]|\\.)*)\1/g)]
        .map(([, , remedy]) => `${file}: ${remedy!.replaceAll('\\`', '`').replaceAll("\\'", "'")}`)
        .filter((line) => !isSentence(line.slice(line.indexOf(': ') + 2))),
    );
    expect(wrong).toEqual([]);
  });
});

/** A capital letter, a name in the text or a command first; a full stop, or a value that ends the line, last. */
function isSentence(text: string): boolean {
  return /^([A-Z`]|\$\{)/.test(text) && /([.?]|\})$/.test(text);
}

/** Codes that are put together: `lake-un${…}`. */
function madeUp(text: string): string {
  return text.includes('`lake-un${') ? 'lake-unreadable lake-unwritable' : '';
}
