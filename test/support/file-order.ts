/**
 * The order of files. Quick tiers: the longest first, so that no core waits for a last long file. The slow tier, which may be cut
 * short: another group of files first in each run.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { secondsOf } from './durations.ts';
import { rotated, runNumber } from './rotation.ts';
import { QUICK_TIERS, TIERS, tiersOf } from './tiers.ts';

/** Files of one tier run together: those that share modules also share a worker only with the file that is next. */
const TIER_ORDER = ['e2e', 'integration', 'unit', 'slow'];

export default class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const pathOf = (file: TestSpecification) => relative(this.ctx.config.root, file.moduleId).replaceAll('\\', '/');
    const slow = bySize.map(pathOf).filter((path) => !QUICK_TIERS.includes(tierOf(path)));
    const slowPlaces = new Map(rotated(slow, runNumber(process.env, Date.now())).map((path, n) => [path, n]));
    const places = new Map(
      bySize.map((file) => {
        const path = pathOf(file);
        const rank = slowPlaces.get(path) ?? -secondsOf(path);
        return [file, { tier: TIER_ORDER.indexOf(tierOf(path)), project: file.project.name, rank }];
      }),
    );
    return bySize.toSorted((a, b) => {
      const [one, other] = [places.get(a)!, places.get(b)!];
      return one.tier - other.tier || one.project.localeCompare(other.project) || one.rank - other.rank;
    });
  }
}

function tierOf(path: string): string {
  return tiersOf(path)[0] ?? TIERS[0].name;
}
