/** The rules that must not break (docs/internals/architecture.md): each names its file, and a test that is there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readMarkdown } from './markdown-files.ts';

const RULE = /^\| [\w ]+ \| `([^`]+)` \| [^|]+ \| `([^`]+)`: "([^"]+)" \|$/gm;
const rules = [...readMarkdown('docs/internals/architecture.md').matchAll(RULE)];

it('are twelve', () => {
  expect(rules).toHaveLength(12);
});

it.each(rules.map(([, ...cells]) => cells))('%s: %s, "%s"', (file, test, title) => {
  expect(existsSync(join(ROOT, file!)), `${file} is gone`).toBe(true);
  expect(readMarkdown(test!).includes(title!), `${test} has no test "${title}"`).toBe(true);
});
