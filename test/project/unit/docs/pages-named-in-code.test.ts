/** Pages and headings of the documentation that code, tests and settings name: they are there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors, ROOT, readMarkdown } from './markdown-files.ts';

const files = ['src', 'activities', 'workflows', 'test', 'bench', 'scripts', 'bin', 'config', 'python']
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,mts,mjs,py,yaml,sh}`, { cwd: ROOT }))
  .concat('docker-compose.yml', 'Dockerfile', 'package.json');

const named = files.flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) => ({
    file,
    link,
  })),
);

describe('pages that code names', () => {
  it('are found by the test', () => {
    expect(named.length).toBeGreaterThan(30);
  });

  it('exist, with their headings', () => {
    const broken = named.filter(({ link }) => {
      const [path, anchor] = link.split('#') as [string, string | undefined];
      if (!existsSync(join(ROOT, path))) return true;
      return anchor !== undefined && !anchors(readMarkdown(path)).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});
