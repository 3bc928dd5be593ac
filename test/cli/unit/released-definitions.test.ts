/** The definitions of a release, as a rebuild runs them: over the days that the original saw. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rebuildExports } from '../../../src/cli/terminal/released-definitions.ts';
import type { ReleaseManifest } from '../../../src/lake/report/index.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

async function lastDayOf(select: object, newest: unknown): Promise<unknown> {
  const definition = { name: 'all', tables: ['filings'], service: { base_url: 'https://a.example' }, select };
  const manifest = {
    name: 'v1',
    released_at: '2026-07-11T00:00:00Z',
    coverage: { filings: { last: newest } },
    exports: [{ export: 'all', definition, started_at: '2026-07-10T22:00:00Z', first_started_at: null }],
  };
  vi.stubEnv('FILINGLAKE_API_KEY', 'a key');
  const places = { service: 'https://b.example', lake: '/lake' };
  const [made] = await rebuildExports(manifest as unknown as ReleaseManifest, places);
  return made!.definition.select.date_to;
}

describe('a rebuild of an export without an end', () => {
  it('ends with the newest filing of the release: filings of an evening are dated to the next business day', async () => {
    expect(await lastDayOf({}, '2026-07-13')).toBe('2026-07-13');
    expect(await lastDayOf({}, '2026-07-09')).toBe('2026-07-10');
    for (const unknown of [null, undefined, 'tomorrow']) expect(await lastDayOf({}, unknown)).toBe('2026-07-10');
  });

  it('keeps the end that the definition states', async () => {
    expect(await lastDayOf({ date_to: '2026-07-01' }, '2026-07-13')).toBe('2026-07-01');
    expect(await lastDayOf({ date_to: '-1d' }, '2026-07-13')).toBe('2026-07-09');
  });
});
