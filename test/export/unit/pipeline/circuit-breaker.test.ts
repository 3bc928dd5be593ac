import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuotaExceededError, RecordNotFoundError, ServiceFailedError } from '../../../../src/export/client/index.ts';
import {
  CircuitBreaker,
  OperationFailingError,
  type Question,
} from '../../../../src/export/pipeline/failures/circuit-breaker.ts';
import type { RowBatch } from '../../../../src/export/pipeline/staging/segment-sink.ts';
import { runs } from '../../../support/property-runs.ts';

const failure = new ServiceFailedError('it failed', 500);
const fails = () => Promise.reject(failure);
const answers = () => Promise.resolve({});
const batch = (name: string): RowBatch => ({ rows: {}, done: [name], replace: [], failures: 1 });

function breaker(
  options: { pending?: Question; probes?: Question[]; cheap?: Question; recordsRefusals?: boolean } = {},
) {
  const recorded: string[] = [];
  const made = new CircuitBreaker({
    record: async ({ done }) => void recorded.push(...done),
    pending: async () => options.pending ?? null,
    probes: async () => options.probes ?? [],
    cheap: options.cheap ?? answers,
    recordsRefusals: options.recordsRefusals ?? false,
  });
  const suspects = async (n: number, from = 0) => {
    for (let i = from; i < from + n; i++) await made.suspect('filing_info', { batch: batch(`f${i}`), error: failure });
  };
  return { made, recorded, suspects };
}

describe('failures that may be the fault of the service', () => {
  it('are recorded as soon as the same operation has answered another', async () => {
    const { made, recorded, suspects } = breaker();
    await suspects(3);
    await made.succeeded('document', answers);
    expect(recorded).toEqual([]);
    await made.succeeded('filing_info', answers);
    expect(recorded).toEqual(['f0', 'f1', 'f2']);
  });

  it('are recorded, eight of them, if a request that worked before works again', async () => {
    const { made, recorded, suspects } = breaker();
    let asked = 0;
    await made.succeeded('filing_info', async () => void asked++);
    await suspects(20);
    expect(asked).toBe(2);
    expect(recorded).toHaveLength(16);
  });

  it('open the circuit, eight of them, if a request that worked before fails now', async () => {
    const { made, recorded, suspects } = breaker();
    await made.succeeded('filing_info', fails);
    await suspects(7);
    await expect(suspects(1, 7)).rejects.toThrow(OperationFailingError);
    expect(recorded).toEqual([]);
  });

  it('are probed with an unrequested filing, if nothing was answered yet', async () => {
    const well = breaker({ pending: () => Promise.reject(new RecordNotFoundError('there is none')) });
    await well.suspects(8);
    expect(well.recorded).toHaveLength(8);
    const unwell = breaker({ pending: fails });
    await expect(unwell.suspects(8)).rejects.toThrow('filing_info failed 8 times in a row: it failed');
  });

  it('end all work if the lookup is not answered either', async () => {
    const { made, suspects } = breaker({ pending: fails, cheap: fails });
    await suspects(7);
    await expect(suspects(1, 7)).rejects.toBe(failure);
    const few = breaker({ cheap: fails });
    await few.suspects(2);
    await expect(few.made.settle()).rejects.toBe(failure);
    await made.forget();
    await made.settle();
  });

  it('are recorded at the end, if they are a few, nothing else was requested, and the service is well', async () => {
    const { made, recorded, suspects } = breaker();
    await suspects(3);
    await made.settle();
    expect(recorded).toHaveLength(3);
  });

  it('lead to one question of all lanes together', async () => {
    const { made, recorded } = breaker();
    let asked = 0;
    await made.succeeded('filing_info', () => new Promise((settle) => setImmediate(settle, asked++)));
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => made.suspect('filing_info', { batch: batch(`f${i}`), error: failure })),
    );
    expect(asked).toBe(1);
    expect(recorded).toHaveLength(12);
  });

  it('cause no probe of earlier runs’ requests, and open the circuit in any case', async () => {
    const { recorded, suspects } = breaker({ pending: fails, probes: [answers], recordsRefusals: true });
    await suspects(7);
    await expect(suspects(1, 7)).rejects.toThrow(OperationFailingError);
    expect(recorded).toEqual([]);
  });

  it('leave the errors of a question to those who know them', async () => {
    const { suspects } = breaker({
      pending: () => Promise.reject(new QuotaExceededError('over', 'requests', new Date(0))),
    });
    await expect(suspects(8)).rejects.toThrow(QuotaExceededError);
  });
});

describe('failures of the records themselves', () => {
  it('open the circuit only after fifty in a row', async () => {
    const { made } = breaker({ pending: fails });
    for (let i = 0; i < 49; i++) await made.failed('document', failure);
    await expect(made.failed('document', failure)).rejects.toThrow('document failed 50 times in a row');
  });

  it('are all recorded if the caller insists', async () => {
    const { made } = breaker({ pending: fails, recordsRefusals: true });
    for (let i = 0; i < 200; i++) await made.failed('document', failure);
  });

  it('are skipped if others are answered in between', async () => {
    const { made } = breaker({ pending: fails });
    for (let i = 0; i < 200; i++) {
      await made.failed('document', failure);
      if (i % 40 === 0) await made.succeeded('document', answers);
    }
  });
});

describe('answers of 404 that explain nothing', () => {
  const unexplained = new RecordNotFoundError('filing_sections answered 404', false);
  const absent = (made: CircuitBreaker, n: number, isKnown = false) =>
    made.suspect('filing_sections', {
      batch: batch(`absent${n}`),
      unproven: batch(`failed${n}`),
      error: unexplained,
      isKnown,
    });
  const isAway = () => Promise.reject(unexplained);

  it('open the circuit after twenty in a row, if nothing was ever answered otherwise, and record nothing', async () => {
    const { made, recorded } = breaker({ pending: () => Promise.reject(unexplained) });
    for (let n = 1; n < 20; n++) await absent(made, n);
    await expect(absent(made, 20)).rejects.toThrow('filing_sections failed 20 times in a row');
    expect(recorded).toEqual([]);
  });

  it('are absences as soon as the operation has answered another, with contents or with an explanation', async () => {
    const { made, recorded } = breaker();
    await absent(made, 1);
    await made.succeeded('filing_sections', answers);
    expect(recorded).toEqual(['absent1']);
    const asked = breaker({ pending: () => Promise.reject(new RecordNotFoundError('form 4 has no sections')) });
    for (let n = 1; n <= 20; n++) await absent(asked.made, n);
    expect(asked.recorded).toHaveLength(20);
    expect(asked.recorded).toContain('absent20');
  });

  it('open it too if earlier answers are not there any more', async () => {
    const { made } = breaker();
    await made.succeeded('filing_sections', () => Promise.reject(unexplained));
    for (let n = 1; n < 20; n++) await absent(made, n);
    await expect(absent(made, 20)).rejects.toThrow(OperationFailingError);
  });

  it('are failures, a few at the end, if no other request of the operation is possible', async () => {
    const { made, recorded } = breaker();
    for (let n = 1; n <= 3; n++) await absent(made, n);
    await made.settle();
    expect(recorded).toEqual(['failed1', 'failed2', 'failed3']);
  });

  it('are absences if the operation answers requests of earlier runs, one of three at least', async () => {
    const { made, recorded } = breaker({ pending: isAway, probes: [isAway, isAway, answers] });
    for (let n = 1; n <= 45; n++) await absent(made, n);
    await made.settle();
    expect(recorded).toHaveLength(45);
    expect(new Set(recorded.map((name) => name.replace(/\d+/, '')))).toEqual(new Set(['absent']));
  });

  it('open the circuit if no request of earlier runs is answered any more', async () => {
    const { made, recorded } = breaker({ probes: [isAway, isAway] });
    for (let n = 1; n < 20; n++) await absent(made, n);
    await expect(absent(made, 20)).rejects.toThrow(OperationFailingError);
    expect(recorded).toEqual([]);
  });

  it('that are known lead to no question, however many there are, and are recorded at the end', async () => {
    const { made, recorded } = breaker({ pending: fails, probes: [fails], cheap: fails });
    for (let n = 1; n <= 200; n++) await absent(made, n, true);
    const one = batch('document');
    await made.suspect('document', { batch: one, error: unexplained, isKnown: true });
    await made.settle();
    expect(recorded).toHaveLength(201);
    expect(recorded[0]).toBe('document');
    expect(recorded.at(-1)).toBe('failed200');
  });

  it('that are new count among known ones', async () => {
    const { made } = breaker();
    for (let n = 1; n < 39; n++) await absent(made, n, n % 2 === 0);
    await expect(absent(made, 39)).rejects.toThrow('filing_sections failed 20 times in a row');
  });

  it('are failures if the caller insists and nothing is answered: the operation is given up, and gets no more requests', async () => {
    const { made, recorded } = breaker({ pending: isAway, probes: [isAway], recordsRefusals: true });
    for (let n = 1; n < 20; n++) await absent(made, n);
    made.requireHope('filing_sections');
    await absent(made, 20);
    expect(recorded).toHaveLength(20);
    expect(recorded).toContain('failed20');
    expect(() => made.requireHope('filing_sections')).toThrow('not requested: filing_sections answered only 404');
    made.requireHope('document');
    await made.suspect('filing_sections', { batch: batch('pending'), error: failure });
    expect(recorded.at(-1)).toBe('pending');
    const few = breaker({ pending: isAway, recordsRefusals: true });
    await absent(few.made, 1);
    await few.made.settle();
    expect(few.recorded).toEqual(['failed1']);
  });

  it('are not failures, even if the caller insists, if the service is unreachable', async () => {
    const { made, recorded } = breaker({ pending: isAway, cheap: fails, recordsRefusals: true });
    for (let n = 1; n < 20; n++) await absent(made, n);
    await expect(absent(made, 20)).rejects.toBe(failure);
    expect(recorded).toEqual([]);
  });
});

describe('a circuit, whatever happens in whatever order', () => {
  const EVENTS = ['fault', 'absent', 'known', 'refused', 'answered'] as const;
  const ANSWERS = ['answered', 'fault', 'absent', 'quota'] as const;
  const errors = {
    fault: failure,
    absent: new RecordNotFoundError('it answered 404', false),
    quota: new QuotaExceededError('over', 'requests', new Date(0)),
  };

  it('records each failure once, unless an error says that the steps stay pending', async () => {
    const lanes = fc.array(fc.array(fc.constantFrom(...EVENTS), { minLength: 1, maxLength: 4 }), { maxLength: 60 });
    const answersGiven = fc.array(fc.constantFrom(...ANSWERS), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lanes, answersGiven, fc.boolean(), fc.boolean(), async (groups, given, insists, isPending) => {
        let asked = 0;
        const question = async () => {
          await new Promise((settle) => setImmediate(settle));
          const answer = given[asked++ % given.length]!;
          if (answer !== 'answered') throw errors[answer];
        };
        const { made, recorded } = breaker({
          ...(isPending ? { pending: question } : {}),
          probes: [question],
          cheap: question,
          recordsRefusals: insists,
        });
        const sent: string[] = [];
        const happen = (event: (typeof EVENTS)[number]): Promise<void> => {
          if (event === 'answered') return made.succeeded('document', question);
          if (event === 'refused') return made.failed('document', failure);
          const name = `f${sent.push(event)}`;
          const unproven = event === 'fault' ? {} : { unproven: batch(name) };
          const error = errors[event === 'known' ? 'absent' : event];
          return made.suspect('document', { batch: batch(name), ...unproven, error, isKnown: event === 'known' });
        };
        let isEnded = false;
        for (const group of groups) {
          const ends = await Promise.allSettled(group.map(happen));
          isEnded ||= ends.some(({ status }) => status === 'rejected');
          if (isEnded) break;
        }
        if (!isEnded)
          await made.settle().catch(() => {
            isEnded = true;
          });
        expect(new Set(recorded).size).toBe(recorded.length);
        if (!isEnded) expect(recorded).toHaveLength(sent.length);
      }),
      { numRuns: runs(200) },
    );
  });
});
