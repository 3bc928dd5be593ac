/** Links between the pages of the documentation: a reader who follows one arrives. */
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors, markdownFiles, ROOT, readMarkdown, relativeLinks } from './markdown-files.ts';

describe('links of the documentation', () => {
  it.each(markdownFiles())('%s: each leads to a file and a heading that exist', (page) => {
    const text = readMarkdown(page);
    const broken = relativeLinks(text).filter((link) => {
      const [path, anchor] = link.split('#') as [string, string | undefined];
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchors(path === '' ? text : readMarkdown(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('headings and links in the test', () => {
  it('anchors are as GitHub makes them', () => {
    expect([...anchors('# A `b_c` (d), e: f?\n## Same\n## Same\n```\n# code\n```\n')]).toEqual([
      'a-b_c-d-e-f',
      'same',
      'same-1',
    ]);
  });

  it('links to other hosts and in code are left alone', () => {
    expect(relativeLinks('[a](b.md#c) ![p](d.svg) [x](https://e.example) `[y](f.md)`\n```\n[z](g.md)\n```\n')).toEqual([
      'b.md#c',
      'd.svg',
    ]);
  });
});
