/** Random definitions against a service that changes: `npm run fuzz` plays more seeds. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CURES } from '../../support/fuzz/cures.ts';
import type { Played, Problem } from '../../support/fuzz/fuzz.ts';
import { PLAIN } from '../../support/fuzz/fuzz-service.ts';
import type { Choice, Scenario, Step } from '../../support/fuzz/scenario.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { CHECKOUT } from '../../support/test-stack.ts';

type PlayedSeed = Played & { seed: number };

/** In a process of its own: there the clock skips waits. */
async function played(...args: string[]): Promise<PlayedSeed[]> {
  const fuzz = [join(CHECKOUT, 'scripts/fuzz.ts'), '--json', ...args];
  // Its exit code says that a lake differs: so do the lines.
  const { stdout } = await promisify(execFile)(process.execPath, fuzz, { maxBuffer: 2 ** 26 }).catch(
    (error: Error & { stdout: string }) => error,
  );
  const lines = stdout.trim().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as PlayedSeed);
}

const RUN: Step & { do: 'run' } = {
  do: 'run',
  choice: 0,
  refresh: false,
  faults: [],
  during: [],
  kills: [],
  beside: null,
  other: 0,
  history: null,
  batchMs: 7_000,
  fetchers: 1,
  workers: 1,
};

const SECOND: Step = { ...RUN, choice: 1 };

function scenario(filings: number, choices: Partial<Choice>[], more: Partial<Scenario>): Scenario {
  const plain = { name: 'd0', select: {}, tables: ['filings'], service: { connections: 1 } };
  return {
    seed: 1,
    today: '2026-11-28',
    filings,
    dialect: PLAIN,
    on_temporal: false,
    refresh_at_end: false,
    steps: [RUN],
    choices: choices.map((choice) => ({ ...plain, ...choice })),
    ...more,
  };
}

const SECTIONS = ['filings', 'section_contents'];
const DOCUMENTS = ['filings', 'documents', 'document_contents'];
/** By cure: the smallest scenario that needs it, and what the fuzz says without it. */
const NEED_CURES: Record<string, { of: Scenario; kind: Problem['kind']; says: string }> = {
  'section-codes': {
    of: scenario(8, [{ tables: ['filings', 'section_contents'], sections: { codes: ['1A', 'I-2'] } }], {
      dialect: { ...PLAIN, codes: { info: 'shouted', sections: 'item' } },
    }),
    kind: 'alarm',
    says: 'sections breaks the contract',
  },
  'known-sizes': {
    of: scenario(4, [{ tables: DOCUMENTS, documents: { types: ['all'], xml: 'raw' } }], {
      dialect: { ...PLAIN, measures: 'none' },
      steps: [{ ...RUN, faults: [{ fault: 'cut', n: 3, how: 'cut', times: null }] }],
    }),
    kind: 'rows',
    says: 'has 115 characters that it never had',
  },
  'lookup-failures': {
    of: scenario(6, [{}], { dialect: { ...PLAIN, co_registrants: true }, steps: [RUN, { do: 'retry', choice: 0 }] }),
    kind: 'failures',
    says: 'is gone, and nothing was asked',
  },
  'moved-filings': {
    of: scenario(24, [{ service: { connections: 1, page_size: 4 } }], {
      steps: [
        {
          ...RUN,
          during: [
            { request: 3, change: { change: 'date-old', n: 14, salt: 7 } },
            { request: 3, change: { change: 'date-new', n: 1, salt: 14 } },
          ],
        },
      ],
    }),
    kind: 'rows',
    says: 'filing 14 is missing, and every window is proven',
  },
  'text-formats': {
    of: scenario(8, [{ tables: SECTIONS, text_format: 'markdown' }, { tables: SECTIONS }], {
      dialect: { ...PLAIN, forms: false },
      steps: [RUN, SECOND],
    }),
    kind: 'stale',
    says: 'section_contents.text of',
  },
  'counted-requests': {
    of: scenario(24, [{ tables: DOCUMENTS, service: { connections: 3 } }], {
      steps: [{ ...RUN, fetchers: 4, workers: 2, batchMs: 0 }],
    }),
    kind: 'requests',
    says: 'the run counts',
  },
  'earlier-failures': {
    of: scenario(6, [{ tables: DOCUMENTS, documents: { types: ['all'] } }, { tables: ['filings'] }], {
      steps: [{ ...RUN, faults: [{ fault: 'refuse', operation: 'document', n: 3, how: 'page', times: null }] }, SECOND],
    }),
    kind: 'alarm',
    says: 'document answered 502',
  },
  'annual-20f': {
    of: scenario(24, [{ tables: SECTIONS }], { dialect: { ...PLAIN, annual_20f: 'sections' } }),
    kind: 'rows',
    says: '16K: missing',
  },
  'failures-of-others': {
    of: scenario(
      8,
      [
        { tables: ['filings', 'sections'], sections: { codes: ['1A'] } },
        { name: 'd1', tables: DOCUMENTS },
      ],
      {
        dialect: { ...PLAIN, codes: { info: 'named', sections: 'named' } },
        steps: [RUN, SECOND],
      },
    ),
    kind: 'alarm',
    says: 'sections breaks the contract',
  },
};

describe('the fuzz', () => {
  it('has a scenario for each cure that it must miss', () => {
    expect(Object.keys(NEED_CURES)).toEqual(Object.keys(CURES));
  });

  it.each(Object.entries(NEED_CURES))(
    'finds the fault if the cure of %s is taken out',
    async (name, { of, kind, says }) => {
      const file = join(temporaryFolder(), 'scenario.json');
      writeFileSync(file, JSON.stringify(of));
      const [whole] = await played('--scenario', file);
      expect(whole!.problems).toEqual([]);
      const [without] = await played('--scenario', file, '--without', name);
      expect(without!.problems).toContainEqual({
        step: expect.anything(),
        kind,
        message: expect.stringContaining(says),
      });
    },
  );
});

describe.skipIf(!temporalExecutable)('exports from a service that changes at random', () => {
  // Two minutes on a quiet machine.
  it.each([1, 11])('leave the lake of a fresh export: ten seeds from %i', { timeout: 1_200_000 }, async (seed) => {
    const seeds = await played('--seed', String(seed), '--seeds', '10');
    expect(seeds).toHaveLength(10);
    for (const { seed: number, problems } of seeds) expect(problems, `seed ${number}`).toEqual([]);
    expect(seeds.reduce((sum, { killed }) => sum + killed, 0)).toBeGreaterThan(0);
  });

  it('are the same if a seed is played again', async () => {
    const [[one], [other]] = [await played('--seed', '3'), await played('--seed', '3')];
    const { seconds: _one, cpu_seconds: _cpu, ...first } = one!;
    const { seconds: _other, cpu_seconds: _cpus, ...second } = other!;
    expect(second).toEqual(first);
  });
});
