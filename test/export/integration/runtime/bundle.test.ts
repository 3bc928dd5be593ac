import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { sourceHash, workflowBundle } from '../../../../src/export/runtime/worker/bundle.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { quickIt as it, slowIt } from '../../../support/tier-cases.ts';

describe('the bundle of the workflows', () => {
  it('is kept for the workers to come', async () => {
    const cache = join(temporaryFolder(), 'cache');
    const bundle = await workflowBundle(cache);
    expect(bundle).toEqual({ codePath: join(cache, readdirSync(cache)[0]!) });
    expect(await workflowBundle(cache)).toEqual(bundle);
  });

  it('holds what workflows decide with, in less than 1 MB: neither zod nor the forms', async () => {
    const bundle = await workflowBundle();
    const text = 'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
    // Sources have such a comment too: the last one is of the bundle.
    const code = text.slice(0, text.lastIndexOf('//# sourceMappingURL='));
    const modules = [...code.matchAll(/"(\.\/(?:node_modules|src|workflows)\/[^"]+)"/g)].map(([, path]) => path!);
    expect(modules).toContain('./src/export/run/progress.ts');
    // Days of the calendar are all that workflows need of core.
    const heavy = modules.filter((path) => /\/(zod|yaml)\/|\/src\/(forms|tables|core)\//.test(path));
    expect(new Set(heavy)).toEqual(new Set(['./src/core/days.ts']));
    expect(code.length).toBeLessThan(1_000_000);
  });

  it('is another one when a source file changes, at any depth', () => {
    const root = temporaryFolder();
    for (const folder of [
      'workflows',
      'src/export/windows',
      'src/core',
      'src/filings/api/operations',
      'src/lake/tables',
      'src/filings/forms',
    ]) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    const hashes = [sourceHash(root)];
    for (const file of [
      'workflows/a.ts',
      'src/export/a.ts',
      'src/export/windows/a.ts',
      'src/filings/api/operations/a.ts',
    ]) {
      writeFileSync(join(root, file), '1');
      hashes.push(sourceHash(root));
    }
    writeFileSync(join(root, 'src/export/windows/a.ts'), '2');
    hashes.push(sourceHash(root));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  slowIt('is given to the worker even if it can’t be cached', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const bundle = await workflowBundle(join(file, 'cache'));
    expect('code' in bundle && bundle.code).toContain('exportWorkflow');
  });
});
