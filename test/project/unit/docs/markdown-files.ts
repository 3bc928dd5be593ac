/** The Markdown files of the project, and what a reader of them follows: links, headings, prose. */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Root folder of the project. */
export const ROOT = join(import.meta.dirname, '../../../..');

/** Paths of all Markdown files, relative to the root. */
export function markdownFiles(): string[] {
  return ['*.md', 'docs/**/*.md', 'python/*.md']
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .map((path) => relative(ROOT, join(ROOT, path)))
    .sort();
}

/** The text of a Markdown file. */
export function readMarkdown(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** `text` without fenced code blocks. */
export function withoutCodeBlocks(text: string): string {
  return text.replace(/^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2[ \t]*$/gm, '');
}

/** Code blocks of one language, each with the heading above it. */
export function codeBlocks(text: string, language: string): { heading: string; code: string }[] {
  const blocks: { heading: string; code: string }[] = [];
  let heading = '';
  for (const [, title, code] of text.matchAll(
    new RegExp(`^#+ (.+)$|^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
  )) {
    if (title !== undefined) heading = title;
    else if (code !== undefined) blocks.push({ heading, code });
  }
  return blocks;
}

/** Anchors that GitHub makes of the headings of a page. */
export function anchors(text: string): Set<string> {
  const seen = new Map<string, number>();
  const found = new Set<string>();
  for (const [, heading] of withoutCodeBlocks(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    found.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return found;
}

/** Targets of the inline links and pictures of a page that are not on another host. */
export function relativeLinks(text: string): string[] {
  return [
    ...withoutCodeBlocks(text)
      .replace(/`[^`\n]*`/g, '``')
      .matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g),
  ]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/**
 * The sentences of a page, as words: of paragraphs, list entries and table cells. Code blocks, headings and the targets of links
 * are left out; inline code, or a list of it, is one word.
 */
export function sentences(text: string): string[][] {
  const blocks: string[] = [];
  let block = '';
  const end = () => {
    if (block.trim() !== '') blocks.push(block);
    block = '';
  };
  for (const line of withoutCodeBlocks(text).split('\n')) {
    if (/^\s*$|^#{1,6} |^<!--/.test(line)) end();
    else if (/^\s*\|/.test(line)) {
      end();
      blocks.push(...line.split(/(?<!\\)\|/).filter((cell) => !/^[\s:-]*$/.test(cell)));
    } else {
      if (/^\s*([-*]|\d+\.) /.test(line)) end();
      block += ` ${line.replace(/^\s*([-*]|\d+\.) /, '')}`;
    }
  }
  end();
  return blocks
    .flatMap((part) =>
      part
        .replace(/`[^`]*`((,| and| or|:|;)? `[^`]*`)*/g, 'Code')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/\*\*/g, '')
        .split(/(?<=[.!?])\s+(?=[^a-z])| · /),
    )
    .map((sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)))
    .filter((words) => words.length > 0);
}
