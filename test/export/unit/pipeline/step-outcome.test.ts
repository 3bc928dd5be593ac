/** What becomes of a step whose request failed: every case. */
import { describe, expect, it } from 'vitest';
import { decideFailedStep, type FailedRequest } from '../../../../src/export/pipeline/fetch/step-outcome.ts';

const DOCUMENT = 'document:0000000001-24-000001-1' as const;
const PLAIN = { isUnexplained: false, isOfSize: false, isReported: false };

type Case = [string, FailedRequest, ReturnType<typeof decideFailedStep>];

const CASES: Case[] = [
  [
    'sections that the filing does not have',
    { step: 'sections', verdict: 'absent', ...PLAIN },
    { kind: 'absent', as: 'absent', breaker: 'answered' },
  ],
  [
    'a document that is missing',
    { step: DOCUMENT, verdict: 'absent', ...PLAIN },
    { kind: 'failed', as: 'failed', breaker: 'answered' },
  ],
  [
    'a filing that is missing',
    { step: 'info', verdict: 'absent', ...PLAIN },
    { kind: 'failed', as: 'failed', breaker: 'answered' },
  ],
  [
    'a 404 of sections that explains nothing',
    { step: 'sections', verdict: 'absent', ...PLAIN, isUnexplained: true },
    { kind: 'held', as: 'absent', breaker: null },
  ],
  [
    'a 404 of a document that explains nothing',
    { step: DOCUMENT, verdict: 'absent', ...PLAIN, isUnexplained: true },
    { kind: 'held', as: 'failed', breaker: null },
  ],
  [
    'a fault of the service',
    { step: 'info', verdict: 'suspect', ...PLAIN },
    { kind: 'held', as: 'failed', breaker: null },
  ],
  [
    'a fault of the service with sections',
    { step: 'sections', verdict: 'suspect', ...PLAIN },
    { kind: 'held', as: 'failed', breaker: null },
  ],
  [
    'a record that cannot be given',
    { step: 'info', verdict: 'failed', ...PLAIN },
    { kind: 'failed', as: 'failed', breaker: 'failed' },
  ],
  [
    'the same, reported by a run before',
    { step: 'info', verdict: 'failed', ...PLAIN, isReported: true },
    { kind: 'failed', as: 'failed', breaker: null },
  ],
  [
    'a document that is too large',
    { step: DOCUMENT, verdict: 'failed', ...PLAIN, isOfSize: true },
    { kind: 'failed', as: 'failed', breaker: null },
  ],
];

describe('a step whose request failed', () => {
  it.each(CASES)('%s', (_, request, decision) => {
    expect(decideFailedStep(request)).toEqual(decision);
  });

  it('is never final unless the service stated that there are no sections', () => {
    for (const step of ['info', 'sections', DOCUMENT] as const) {
      for (const verdict of ['absent', 'failed', 'suspect'] as const) {
        for (const flags of [0, 1, 2, 3, 4, 5, 6, 7]) {
          const [isUnexplained, isOfSize, isReported] = [1, 2, 4].map((bit) => (flags & bit) > 0) as [
            boolean,
            boolean,
            boolean,
          ];
          const { kind } = decideFailedStep({ step, verdict, isUnexplained, isOfSize, isReported });
          if (kind === 'absent')
            expect({ step, verdict, isUnexplained }).toEqual({
              step: 'sections',
              verdict: 'absent',
              isUnexplained: false,
            });
        }
      }
    }
  });
});
