/** The fuzz runs the export workflow on a stand-in for Temporal's library: it must have all that the workflow imports. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const CHECKOUT = join(import.meta.dirname, '../../../..');
/** Workflows of their own, which no export loads. */
const OTHERS = new Set(['budget.ts', 'follow.ts', 'index.ts']);

describe("the fuzz's stand-in for Temporal", () => {
  it('exports every value that the export workflow imports', () => {
    const shim = readFileSync(join(CHECKOUT, 'test/support/fuzz/workflow-shim.ts'), 'utf8');
    const files = globSync('*.ts', { cwd: join(CHECKOUT, 'workflows') }).filter((file) => !OTHERS.has(file));
    for (const file of files) {
      const code = readFileSync(join(CHECKOUT, 'workflows', file), 'utf8');
      const [, names = ''] = /import \{([^}]*)\} from '@temporalio\/workflow'/.exec(code) ?? [];
      const values = names.split(',').map((name) => name.trim());
      for (const name of values.filter((one) => one !== '' && !one.startsWith('type ')))
        expect(shim, `${file} imports ${name}`).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });
});
