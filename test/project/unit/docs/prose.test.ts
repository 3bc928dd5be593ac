/** The length of sentences: a page that is read aloud stops nobody. CONTRIBUTING has the rules of style. */
import { describe, expect, it } from 'vitest';
import { BANNED } from './banned-phrases.ts';
import { markdownFiles, readMarkdown, sentences, withoutCodeBlocks } from './markdown-files.ts';

const WORDS_MAX = 40;
const MEAN_MAX = 18;
/** Made from the code, or a list of names. */
const NOT_PROSE = ['docs/reference/commands.md', 'docs/reference/forms-columns.md'];
/** Has sentences in both ways, side by side. */
const WITH_BAD_EXAMPLES = 'CONTRIBUTING.md';
/** Fewer words are a table's cell or a caption. */
const SENTENCE_MIN = 4;

describe('prose', () => {
  it.each(markdownFiles().filter((page) => !NOT_PROSE.includes(page)))('%s: sentences are short', (page) => {
    const found = sentences(readMarkdown(page));
    expect(found.filter((words) => words.length > WORDS_MAX).map((words) => words.join(' '))).toEqual([]);
    const lengths = found.map((words) => words.length).filter((length) => length >= SENTENCE_MIN);
    const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    expect(mean).toBeLessThan(MEAN_MAX);
  });
});

describe('pages', () => {
  it.each(BANNED)('have no %s', (banned, instead) => {
    const found = markdownFiles()
      .filter((page) => !NOT_PROSE.includes(page) && page !== WITH_BAD_EXAMPLES)
      .flatMap((page) =>
        withoutCodeBlocks(readMarkdown(page))
          .replace(/`[^`\n]*`/g, 'it')
          .split('\n')
          .filter((line) => banned.test(line))
          .map((line) => `${page}: ${line}`),
      );
    expect(found, `write: ${instead}`).toEqual([]);
  });
});

describe('what the test takes for a sentence', () => {
  it('is a sentence of a paragraph or list entry, or a cell of a table', () => {
    const text =
      '# Head\nOne two. Three\nfour `a b`, `c`!\n- Five [six](x.md)\n\n| a | b c |\n|---|---|\n```\nno\n```\n';
    expect(sentences(text)).toEqual([['One', 'two.'], ['Three', 'four', 'Code!'], ['Five', 'six'], ['a'], ['b', 'c']]);
  });
});
