/** What a model reads before its first call: short, and with the sharp edges. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INSTRUCTIONS, inputSchema, TOOLS } from '../../../src/agents/index.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../..');

describe('the tools', () => {
  it('are fourteen, each described in its file', () => {
    expect(TOOLS.map(({ name }) => name)).toEqual([
      'find_companies',
      'find_filings',
      'outline',
      'read',
      'search_text',
      'facts',
      'statements',
      'ownership',
      'events',
      'compare',
      'sql',
      'plan_export',
      'start_export',
      'verify',
    ]);
  });

  it('have a file and a test each', () => {
    const files = TOOLS.map(({ name }) => name.replaceAll('_', '-'));
    for (const file of files) {
      expect(existsSync(join(CHECKOUT, `src/agents/tools/${file}.ts`)), file).toBe(true);
      const text = readFileSync(join(CHECKOUT, `test/agents/integration/tools/${file}.test.ts`), 'utf8');
      expect(text).toContain('keepsLaws(agents, ');
    }
  });

  it('have descriptions of 12,000 characters together at most, those of arguments included', () => {
    const arguments_ = TOOLS.flatMap((tool) =>
      [...JSON.stringify(inputSchema(tool)).matchAll(/"description":"([^"]*)"/g)].map(([, text]) => text!),
    );
    const own = TOOLS.map(({ description }) => description);
    expect([...own, ...arguments_, INSTRUCTIONS].join('').length).toBeLessThanOrEqual(12_000);
  });

  it('name the sharp edges where a model reads them', () => {
    const text = TOOLS.map(({ description }) => description).join(' ');
    for (const edge of [
      /thousands until 2022/,
      /fiscal 2024 may end/,
      /10-K\/A/,
      /co-filers/,
      /Eastern time/,
      /pointer_exhibit/,
      /never add it up/,
    ])
      expect(text).toMatch(edge);
  });

  it('take no argument that they do not know', () => {
    for (const tool of TOOLS) {
      expect(inputSchema(tool)).toMatchObject({ type: 'object', additionalProperties: false });
      expect(Object.keys(inputSchema(tool).properties as object)).toContain('budget');
    }
  });

  it('take as_of if they answer about the past', () => {
    const without = TOOLS.filter((tool) => !('as_of' in (inputSchema(tool).properties as object))).map(
      ({ name }) => name,
    );
    expect(without).toEqual(['sql', 'plan_export', 'start_export', 'verify']);
  });
});
