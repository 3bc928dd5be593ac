import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workflowBundle } from '../../../src/runtime/worker/bundle.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

describe('the bundle of the workflows', () => {
  it('is kept for the workers to come', async () => {
    const cache = join(temporaryFolder(), 'cache');
    const bundle = await workflowBundle(cache);
    expect(bundle).toEqual({ codePath: join(cache, readdirSync(cache)[0]!) });
    expect(await workflowBundle(cache)).toEqual(bundle);
  }, 60_000);

  it('is given to the worker all the same where it can’t be kept', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const bundle = await workflowBundle(join(file, 'cache'));
    expect('code' in bundle && bundle.code).toContain('exportWorkflow');
  }, 60_000);
});
