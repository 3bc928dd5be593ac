/** The commands that the demo's last words suggest find filings in the demo's catalog, without service or key. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const DEMO = readFileSync(new URL('../../../scripts/demo.ts', import.meta.url), 'utf8');

it('has filings for the definition that the demo suggests', { timeout: 120_000 }, async () => {
  const example = /npx filinglake init (\S+)/.exec(DEMO)?.[1];
  expect(DEMO).toContain(`npx filinglake export ${example}.yaml --set service.catalog=`);
  const folder = temporaryFolder();
  const [files, catalog, definition] = ['files', 'catalog', 'definition.yaml'].map((name) => join(folder, name));
  const seed = /SAMPLE_SEED = (\S+?);/.exec(DEMO)![1]!;
  for (const args of [
    ['sample', '--filings', '120', '--seed', seed, '--out', files!],
    ['ingest', files!, '--catalog', catalog!],
    ['init', example!, '--output', definition!],
  ]) {
    const { status, stderr } = await commandLine(args);
    expect(status, `${args[0]}: ${stderr}`).toBe(0);
  }
  const lake = join(folder, 'lake');
  const plan = await commandLine(['plan', definition!, '--set', `service.catalog=${catalog}`, '--lake', lake]);
  expect(plan.status, plan.stderr).toBe(0);
  expect(Number(/^filings +([\d,]+);/m.exec(plan.stdout)?.[1]?.replaceAll(',', ''))).toBeGreaterThan(0);
});
