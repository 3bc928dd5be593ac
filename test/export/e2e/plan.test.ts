/** A plan, compared with the run that follows it. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlannedExport } from '../../../src/export/runtime/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';
import { buildRoad, type Road } from '../../support/test-stack.ts';
import { casesOfTier, quickIt } from '../../support/tier-cases.ts';

const FILINGS = 30;
const CHOICES = [
  ['primary', ''],
  ['all', 'documents: { types: [all], graphics: true }'],
] as const;
let road: Road;
let env: Record<string, string>;
beforeAll(async () => {
  road = await buildRoad(FILINGS);
  env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited'), TEMPORAL_ADDRESS: '' };
});
afterAll(() => road.stop());

async function planned(
  file: string,
  lake: string,
  key = env.FILINGLAKE_API_KEY!,
  more: readonly string[] = [],
): Promise<PlannedExport> {
  const args = ['plan', file, '--lake', lake, '--json', ...more];
  const { status, stderr, events } = await commandLine(args, { env: { ...env, FILINGLAKE_API_KEY: key } });
  expect(status, stderr).toBe(0);
  return events[0] as unknown as PlannedExport;
}

describe('a plan', () => {
  quickIt('asks one request, makes no lake, and tells months by the quota of the key', async () => {
    const asked = road.proxy.requests;
    const lake = join(road.folder, 'not-made');
    const plan = await planned(road.definition('small'), lake, road.createKey('small'));
    expect(road.proxy.requests - asked).toBe(1);
    expect(plan.spent.requests).toBe(1);
    expect(plan).toMatchObject({
      filings: FILINGS,
      whole: true,
      known: 0,
      quota: { requests_left: 39, requests_limit: 40 },
    });
    expect(plan.months).toBe(1 + Math.ceil((plan.requests - 39) / 40));
    expect(existsSync(lake)).toBe(false);
  });

  it.skipIf(!temporalExecutable)(
    'states the exact number of requests of the export, for the first run, the next one, and a refresh',
    async () => {
      const lake = join(road.folder, 'lake');
      Object.assign(env, await temporalNamespace());
      for (const [name, more] of casesOfTier(CHOICES, ([of]) => of === 'primary')) {
        const file = road.definition(name, more);
        for (const time of ['first', 'again', 'refreshed']) {
          const more = time === 'refreshed' ? ['--refresh'] : [];
          const plan = await planned(file, lake, undefined, more);
          const asked = road.proxy.requests;
          const run = await commandLine(['export', file, '--lake', lake, '--json', ...more], { env });
          expect(run.status, run.stderr).toBe(0);
          expect(road.proxy.requests - asked, `${name}, ${time}`).toBe(plan.requests);
          const { bytes, steps_refreshed } = run.events.at(-1) as { bytes: number; steps_refreshed?: number };
          if (time === 'first') {
            expect(plan.known).toBeLessThan(FILINGS);
            expect(plan.bytes! / bytes).toBeGreaterThan(0.2);
            expect(plan.bytes! / bytes).toBeLessThan(5);
          } else if (time === 'again') expect(plan).toMatchObject({ known: FILINGS, requests: 1 });
          else {
            expect(plan.known).toBe(FILINGS);
            // All but the lookup and the request of the companies ask again for what the lake has of filings.
            expect(steps_refreshed).toBe(plan.requests - 2);
            expect(plan.notes.join()).toContain(`${plan.requests - 2} requests of these ask again`);
          }
        }
      }
      const { seconds, requests_per_second } = await planned(road.definition('rate'), lake);
      expect(requests_per_second).toBeGreaterThan(0);
      expect(seconds).toBeGreaterThan(0);
    },
  );

  quickIt('names what to check if the service is unreachable, and mentions no run', async () => {
    const file = join(road.folder, 'away.yaml');
    writeFileSync(file, 'service: { base_url: http://127.0.0.1:9 }\nselect: {}\ntables: [filings]\n');
    const { status, stderr } = await commandLine(['plan', file], { env });
    expect(status).toBe(5);
    expect(stderr).toMatch(/can't be reached: nothing listens there \(ECONNREFUSED\)\n +Check service.base_url/);
    expect(stderr).not.toContain('resume');
  });

  quickIt('refuses a sample that is not a number of filings', async () => {
    const { status, stderr } = await commandLine(['plan', road.definition('wrong'), '--sample', '0'], { env });
    expect(status).toBe(2);
    expect(stderr).toContain('--sample must be a whole number from 1 to 10,000, not "0"');
  });
});
