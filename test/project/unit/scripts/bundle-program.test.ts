import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../../../scripts/bundle-program.ts';

/** Files that the sources start by their path: as threads of the service, and beside the file that starts them. */
function startedByPath(): string[] {
  return globSync('src/**/*.ts').flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const threads = [...source.matchAll(/\bthreadFile\('([^']+)'\)/g)].map(([, name]) => `src/service/${name}`);
    const beside = [...source.matchAll(/new URL\(`\.\/([\w-]+)\$\{extname\(/g)].map(([, name]) =>
      posix.join(posix.dirname(file.replaceAll('\\', '/')), name!),
    );
    return [...threads, ...beside];
  });
}

describe('the published program', () => {
  it('has a file for each that the sources start by its path', () => {
    expect(new Set(PROGRAMS)).toEqual(new Set(['src/cli/main', ...startedByPath()]));
  });
});
