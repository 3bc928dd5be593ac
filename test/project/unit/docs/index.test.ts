/** docs/README.md and its two doors: every page is reached, and who researches meets no word of those who operate. */
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markdownFiles, ROOT, readMarkdown, relativeLinks, withoutCodeBlocks } from './markdown-files.ts';

const INDEX = 'docs/README.md';
const README_LINES_MAX = 90;
/** 12,500, and 65 of who is who: its guide, and its views. */
const DOCS_LINES_MAX = 12_566;
const OF_OPERATORS = /\b(?:Temporal|windows|pass(?:es)?|clusters?|workers?|workflows?)\b/;

const linesOf = (page: string) => readMarkdown(page).split('\n').length - 1;
const pages = markdownFiles().filter((page) => page.startsWith('docs/'));

/** Pages of the documentation that a page links to. */
function linked(page: string): string[] {
  return relativeLinks(readMarkdown(page))
    .map((link) => normalize(join(dirname(page), link.split('#')[0]!)))
    .filter((path) => pages.includes(path) && existsSync(join(ROOT, path)));
}

describe('docs/README.md', () => {
  it('leads to every page', () => {
    const reached = new Set([INDEX]);
    for (const page of reached) for (const other of linked(page)) reached.add(other);
    expect(pages.filter((page) => !reached.has(page))).toEqual([]);
  });

  it('has a door for research, behind which nobody needs the words of operators', () => {
    const table = readMarkdown(INDEX).split('| research | |\n')[1]!.split('\n\n')[0]!;
    const behind = [...relativeLinks(table).map((link) => normalize(join('docs', link))), 'README.md'];
    expect(behind.length).toBeGreaterThan(10);
    const found = behind.flatMap((page) =>
      withoutCodeBlocks(readMarkdown(page))
        .replace(/`[^`\n]*`|\]\([^)]*\)/g, '')
        .split('\n')
        .filter((line) => OF_OPERATORS.test(line))
        .map((line) => `${page}: ${line}`),
    );
    expect(found).toEqual([]);
  });
});

describe('the length', () => {
  it('of README is a page', () => {
    expect(linesOf('README.md')).toBeLessThanOrEqual(README_LINES_MAX);
  });

  it('of the documentation is what a person can know', () => {
    expect(pages.reduce((sum, page) => sum + linesOf(page), 0)).toBeLessThanOrEqual(DOCS_LINES_MAX);
  });
});
