/** Divides the filings of a lake that have stored documents into stretches, and stages a list of each. */
import { randomUUID } from 'node:crypto';
import type { WorkerDependencies } from '../dependencies.ts';
import type { JobContext } from '../job-context.ts';
import { refuseOtherMapping } from './mapping-version.ts';
import { storedFilings } from './stored-filings.ts';
import type { PlanRemapRequest, RemapPlanned, StretchLimits, StretchList } from './types.ts';

/** Not small, since a commit rewrites each file with a replaced row. Not large, since a killed worker loses a stretch. */
const LIMITS: StretchLimits = { filings: 2_000, bytes: 256 * 2 ** 20 };
/** Maximum number of parts that a stretch reads: an uncompacted lake may have thousands. */
const PARTS_A_STRETCH = 64;
const WRITES_AT_ONCE = 8;

/** Each attempt stages lists of its own: the lake may have changed since the last one. */
export async function planRemap(
  { lakes, signal, heartbeat }: Pick<WorkerDependencies, 'lakes'> & Pick<JobContext, 'signal' | 'heartbeat'>,
  request: PlanRemapRequest,
): Promise<RemapPlanned> {
  refuseOtherMapping(request.mapping_version);
  const lake = await lakes.at(request);
  await lake.proveWritable();
  const plan = `plan-${randomUUID().slice(0, 8)}`;
  const planned: RemapPlanned = { lake_id: lake.id, version: -1, filings: 0, bytes: 0, plan, stretches: 0 };
  heartbeat.report(() => ({ bytes: 0, of: planned.bytes }));
  const writes = new Set<Promise<unknown>>();
  const put = async (list: StretchList) => {
    signal.throwIfAborted();
    const write: Promise<unknown> = lake
      .putStaged(request.run_id, stretchName(plan, planned.stretches++), JSON.stringify(list))
      .finally(() => writes.delete(write));
    writes.add(write);
    if (writes.size >= WRITES_AT_ONCE) await Promise.race(writes);
  };
  const stored = await storedFilings(lake);
  planned.version = stored.version;
  await lake.putStaged(request.run_id, partsName(plan), JSON.stringify(stored.parts));
  const limits = { ...LIMITS, ...request.limits };
  let list: StretchList = { filings: [], parts: [] };
  let parts = new Set<string>();
  let bytes = 0;
  for await (const filing of stored.filings) {
    const joined = new Set([...parts, ...filing.parts]);
    const isFull = list.filings.length >= limits.filings || bytes + filing.bytes > limits.bytes;
    if (list.filings.length > 0 && (isFull || joined.size > Math.max(PARTS_A_STRETCH, filing.parts.length))) {
      await put({ ...list, parts: [...parts] });
      list = { filings: [], parts: [] };
      parts = new Set(filing.parts);
      bytes = 0;
    } else parts = joined;
    list.filings.push({ accession_number: filing.accession_number, bytes: filing.bytes });
    bytes += filing.bytes;
    planned.filings++;
    planned.bytes += filing.bytes;
  }
  if (list.filings.length > 0) await put({ ...list, parts: [...parts] });
  await Promise.all(writes);
  return planned;
}

/** Name of the staged list of the parts that a plan has read. */
export function partsName(plan: string): string {
  return `${plan}-parts`;
}

/** Name of the staged list of a stretch. */
export function stretchName(plan: string, stretch: number): string {
  return `${plan}-${stretch}`;
}
