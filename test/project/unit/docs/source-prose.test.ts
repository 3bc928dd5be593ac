/** The language of the sources: comments, messages and titles of tests. CONTRIBUTING.md, "Style", has the rules and examples. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BANNED } from './banned-phrases.ts';
import { ROOT } from './markdown-files.ts';
import { type Prose, proseOf, sentencesOf, wordsOf } from './source-prose.ts';

const WORDS_MAX = 40;
const MEAN_MAX = 14;
/** Shorter ones are labels. */
const SENTENCE_MIN = 4;
const ROOMS = ['src/*', 'activities', 'workflows', 'scripts', 'bench', 'test/*'];
/** Words of invented reports, and lists of names: only their comments are prose. */
const NO_MESSAGES =
  /^src\/(?:cli\/sample\/|filings\/api\/(?:form-types|states)\.ts|filings\/api\/character-references\.ts|filings\/forms\/subsidiaries\/places\.ts)|\/made-filings\.ts$/;

const prose = globSync('{src,activities,workflows,scripts,bench,test}/**/*.{ts,mjs}', { cwd: ROOT })
  .filter((path) => !/banned-phrases\.ts$|source-prose\.test\.ts$/.test(path))
  .flatMap((path) =>
    proseOf(readFileSync(join(ROOT, path), 'utf8'))
      .filter(({ kind }) => kind === 'comment' || !NO_MESSAGES.test(path))
      .map((one) => ({ ...one, path, plain: one.text.replace(/`[^`\n]*`/g, 'it').replace(/\s+/g, ' ') })),
  );
const placeOf = ({ path, line, kind }: Prose & { path: string }) => `${path}:${line} (${kind})`;

describe('comments, messages and test titles', () => {
  it.each(BANNED)('have no %s', (banned, instead) => {
    const found = prose.filter(({ plain }) => banned.test(plain));
    expect(
      found.map((one) => `${placeOf(one)}: ${one.text.slice(0, 200)}`),
      `write: ${instead}`,
    ).toEqual([]);
  });

  it(`have no sentence with more than ${WORDS_MAX} words`, () => {
    const long = prose.flatMap((one) =>
      sentencesOf(one.text)
        .filter((sentence) => wordsOf(sentence).length > WORDS_MAX)
        .map((sentence) => `${placeOf(one)}: ${sentence}`),
    );
    expect(long, 'divide each; a `;` does not end a sentence').toEqual([]);
  });

  it.each(ROOMS.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).filter((path) => !/\./.test(path))))(
    '%s: sentences are short on average',
    (room) => {
      const lengths = prose
        .filter(({ path }) => path.startsWith(`${room}/`))
        .flatMap(({ text }) => sentencesOf(text).map((sentence) => wordsOf(sentence).length))
        .filter((length) => length >= SENTENCE_MIN);
      const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
      expect(mean).toBeLessThan(MEAN_MAX);
    },
  );
});

describe('names in the code', () => {
  it('are the words of the glossary: pending and covered, not owed and had', () => {
    const declared =
      /\b(?:const|let|function\*?|class|interface|type)\s+(?:[\w$]*(?:Owed|Owing|Had)|(?:owed|owing|owes|had)[\w$]*)\b/g;
    const found = globSync('{src,activities,workflows}/**/*.ts', { cwd: ROOT }).flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(declared)].map(([name]) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });
});

describe('the reader of sources', () => {
  it('finds comments, messages and titles, and no code', () => {
    const source = [
      '// One.',
      '// Two `a b`.',
      "const pattern = /'[/]'/g; // not a string",
      '/** Block',
      ' * of two lines. */',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
      "it('keeps rows', () => fail(`no ${kind({ a: '}' })} was found in it`));",
      'const sql = `SELECT a FROM b WHERE c`;',
    ].join('\n');
    expect(proseOf(source).map(({ kind, line, text }) => [kind, line, text])).toEqual([
      ['comment', 1, 'One.\nTwo `a b`.'],
      ['comment', 3, 'not a string'],
      ['comment', 4, 'Block\nof two lines.'],
      ['title', 6, 'keeps rows'],
      ['message', 6, ' was found in it'],
    ]);
  });

  it('splits a text into sentences', () => {
    expect(sentencesOf('One `a. b` two. Three\nfour!\n@returns five\n- six')).toEqual([
      'One Code two.',
      'Three four!',
      '@returns five',
      '- six',
    ]);
  });
});
