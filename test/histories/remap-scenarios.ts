/** What may happen to a remap. Later releases must be able to continue each history. */
import { ApplicationFailure } from '@temporalio/common';
import type { RemapActivities } from '../../activities/index.ts';
import { newStretchReport } from '../../src/export/index.ts';
import type { RemapInput } from '../../src/pipeline/index.ts';

export interface RemapScenario {
  name: string;
  activities: RemapActivities;
  input: RemapInput;
}

const input = (run_id: string): RemapInput => ({
  ...{ lake: '/lake', run_id, mapping_version: 1, tables: ['xbrl_facts'] },
});

function activities(stretches: number, over: Partial<RemapActivities> = {}): RemapActivities {
  let left = 1;
  return {
    planRemap: async () => ({
      ...{ lake_id: 'lake', version: 1, filings: stretches * 10, bytes: stretches * 1000, plan: 'plan', stretches },
    }),
    remapStretch: async ({ stretch }) => {
      const report = { ...newStretchReport(), version: stretch + 2, commits: 1, filings: 10, bytes: 1000, mapped: 10 };
      // The first one meets a worker that is about to end.
      return { whole: left-- < 1, report };
    },
    finishRemap: async () => ({ older: 0, version: stretches + 2 }),
    ...over,
  };
}

export function remapScenarios(): RemapScenario[] {
  return [
    { name: 'remap', activities: activities(9), input: input('remap-1') },
    // Its history is longer than the recording server likes: it continues in new ones.
    { name: 'remap-handed-on', activities: activities(90), input: input('remap-2') },
    {
      name: 'remap-failed',
      activities: activities(9, {
        remapStretch: async () => {
          throw ApplicationFailure.nonRetryable('made to fail: lake-full', 'lake-full');
        },
      }),
      input: input('remap-3'),
    },
  ];
}
