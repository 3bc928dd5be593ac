/** `filinglake init`: definitions to start from. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseExportDefinitions } from '../../../src/export/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const EXAMPLES = readdirSync(new URL('../../../config/exports', import.meta.url)).map((file) =>
  file.replace('.yaml', ''),
);

describe('filinglake init', () => {
  it.each(EXAMPLES)('writes %s, which can be run', async (name) => {
    const file = join(temporaryFolder(), 'my file.yaml');
    const { status, stdout } = await commandLine(['init', name, '--output', file]);
    expect([status, stdout]).toEqual([0, expect.stringContaining(`filinglake plan '${file}'`)]);
    const parsed = parseExportDefinitions(readFileSync(file, 'utf8'), 'x.yaml', {}, { pathOf: (name) => name });
    expect(parsed.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it('never overwrites a file, and lists what there is', async () => {
    const file = join(temporaryFolder(), 'a.yaml');
    writeFileSync(file, 'mine');
    const refused = await commandLine(['init', 'annual-reports', '-o', file]);
    expect([refused.status, readFileSync(file, 'utf8')]).toEqual([2, 'mine']);
    expect((await commandLine(['init', '--list'])).stdout).toContain('mda-panel');
    expect((await commandLine(['init', 'anual-reports', '-o', `${file}x`])).stderr).toContain(
      "did you mean 'annual-reports'?",
    );
  });
});
