/**
 * The order of files. Quick tiers: the longest first, so that no core waits for a last long file. The slow tier, which may be cut
 * short: the shortest first, so that most of it runs.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { secondsOf } from './durations.ts';
import { QUICK_TIERS, TIERS, tiersOf } from './tiers.ts';

/** Files of one tier run together: those that share modules also share a worker only with the file that is next. */
const TIER_ORDER = ['e2e', 'integration', 'unit', 'slow'];

/** Files that measure the memory of a process: last, since a machine that is overloaded frees memory late. */
const MEASURING_MEMORY = ['test/slow/large-document.test.ts'];

export default class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const places = new Map(bySize.map((file) => [file, placeOf(file, this.ctx.config.root)]));
    return bySize.toSorted((a, b) => {
      const [one, other] = [places.get(a)!, places.get(b)!];
      return one.tier - other.tier || one.project.localeCompare(other.project) || one.rank - other.rank;
    });
  }
}

function placeOf({ moduleId, project }: TestSpecification, root: string) {
  const file = relative(root, moduleId).replaceAll('\\', '/');
  const tier = tiersOf(file)[0] ?? TIERS[0].name;
  const seconds = secondsOf(file);
  return {
    tier: TIER_ORDER.indexOf(tier),
    project: project.name,
    rank: MEASURING_MEMORY.includes(file) ? Number.MAX_SAFE_INTEGER : QUICK_TIERS.includes(tier) ? -seconds : seconds,
  };
}
