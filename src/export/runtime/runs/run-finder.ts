/** Finds the runs of an export. An export is a name and a lake: one name in two lakes makes two exports. */
import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { FilinglakeError } from '../../../core/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import type { ExportProgress } from '../../run/index.ts';
import {
  exportNameOf,
  ID_PREFIX,
  isScheduledId,
  markedIdOf,
  unscheduledId,
  workflowIdOf,
} from '../temporal/run-names.ts';
import { isSameLake, type NamedLake, realPlace } from './same-lake.ts';

export const WORKFLOW_TYPE = 'exportWorkflow';

/** The memo of a run, for lists of runs: readable without a worker. */
export interface RunMemo extends NamedLake {
  definition: ExportDefinition;
  progress?: ExportProgress;
  /** Set once it has begun. */
  run_id?: string;
  /** A retry of failures. */
  only?: 'failures';
}

type ListedRun = Pick<WorkflowExecutionInfo, 'workflowId' | 'status' | 'startTime' | 'memo'>;

interface OpenRun {
  id: string;
  memo: RunMemo;
}

export class RunFinder {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Ids of the newest run of every export. */
  async newest(): Promise<string[]> {
    const newest = new Map<string, ListedRun>();
    const listed: ListedRun[] = await Array.fromAsync(this.#list(''));
    const lakeOf = await lakesOf(listed);
    for (const run of listed) {
      const key = `${exportNameOf(run.workflowId)} in ${lakeOf(run)}`;
      const other = newest.get(key);
      if (other === undefined || isNewer(run, other)) newest.set(key, run);
    }
    return idsOf(newest.values());
  }

  /** Ids of the newest runs of a name, one for each lake, or of an id. An id of one firing of a schedule means that run. */
  async newestOf(nameOrId: string): Promise<string[]> {
    const id = workflowIdOf(nameOrId);
    if (isScheduledId(id)) return [id];
    const byLake = await this.#byLake(id);
    // If several lakes have the name, the printed id distinguishes them.
    const ofId = [...byLake].filter(([, { ids }]) => ids.has(id));
    const meant = nameOrId.startsWith(ID_PREFIX) && ofId.length > 0 ? ofId : [...byLake];
    return meant.length === 0 ? [id] : idsOf(meant.map(([, { newest }]) => newest));
  }

  /** The run of a name or an id; of several lakes, the only active one. @throws FilinglakeError `run-ambiguous` */
  async oneOf(nameOrId: string): Promise<string> {
    const ids = await this.newestOf(nameOrId);
    if (ids.length === 1) return ids[0]!;
    const found = await Promise.all(ids.map((id) => this.describedOrNull(id)));
    const open = found.filter((one) => one?.status.name === 'RUNNING');
    if (open.length === 1) return open[0]!.workflowId;
    const lakes = found.flatMap((one) => (one ? [`${one.workflowId} in ${memoOf(one).lake}`] : []));
    throw new FilinglakeError('run-ambiguous', `several lakes have an export ${exportNameOf(nameOrId)}`, {
      remedy: `Give the id of the run that you mean: ${lakes.join(', ')}.`,
    });
  }

  /** The active run of a name and a lake; null if no run is active. */
  async openOf(name: string, lake: NamedLake): Promise<string | null> {
    for await (const { workflowId, memo } of this.#list(`${named(name)} AND ExecutionStatus = 'Running'`)) {
      if (!(await isOfLake(memo, lake))) continue;
      if ((await this.describedOrNull(workflowId))?.status.name === 'RUNNING') return workflowId;
    }
    return null;
  }

  async openIn(lake: NamedLake): Promise<OpenRun[]> {
    const open: OpenRun[] = [];
    for await (const { workflowId: id, memo } of this.#list(` AND ExecutionStatus = 'Running'`)) {
      const kept = memo as Partial<RunMemo> | undefined;
      if (kept?.definition && (await isOfLake(memo, lake))) open.push({ id, memo: kept as RunMemo });
    }
    return open;
  }

  /** The id for a run of a name and a lake: the name's, unless an export into another lake uses it. */
  async idFor(name: string, lake: NamedLake): Promise<string> {
    const plain = workflowIdOf(name);
    const taken = await this.describedOrNull(plain);
    if (taken !== null && (await isSameLake(memoOf(taken), lake))) return plain;
    const marked = markedIdOf(name, await realPlace(lake.lake));
    if (taken !== null) return marked;
    const ofMark = await this.describedOrNull(marked);
    return ofMark !== null && (await isSameLake(memoOf(ofMark), lake)) ? marked : plain;
  }

  async describedOrNull(id: string): Promise<WorkflowExecutionDescription | null> {
    try {
      return await this.#client.workflow.getHandle(id).describe();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  async #byLake(id: string): Promise<Map<number, { newest: ListedRun; ids: Set<string> }>> {
    const byLake = new Map<number, { newest: ListedRun; ids: Set<string> }>();
    // Lists lag behind by a moment, so the run with the plain id is looked up directly.
    const itself = await this.describedOrNull(id);
    const ofName = await Array.fromAsync(this.#list(named(exportNameOf(id))));
    const listed: ListedRun[] = itself === null ? ofName : [itself, ...ofName];
    const lakeOf = await lakesOf(listed);
    for (const run of listed) {
      const lake = lakeOf(run);
      const found = byLake.get(lake) ?? { newest: run, ids: new Set<string>() };
      if (isNewer(run, found.newest)) found.newest = run;
      byLake.set(lake, { newest: found.newest, ids: found.ids.add(unscheduledId(run.workflowId)) });
    }
    return byLake;
  }

  #list(more: string): AsyncIterable<WorkflowExecutionInfo> {
    return this.#client.workflow.list({ query: `WorkflowType = '${WORKFLOW_TYPE}'${more}` });
  }
}

/** Each once: if a lake was replaced by another one in its place, the runs of both have one id. */
function idsOf(runs: Iterable<ListedRun>): string[] {
  return [...new Set([...runs].map(({ workflowId }) => workflowId))];
}

function named(name: string): string {
  return ` AND ExportName = '${name.replaceAll("'", "''")}'`;
}

/** A number for each lake of some runs. A run that ended before it opened its lake has only the place. */
async function lakesOf(runs: readonly ListedRun[]): Promise<(run: ListedRun) => number> {
  const nameOf = ({ memo }: ListedRun) => {
    const { lake = '', lake_id } = (memo ?? {}) as Partial<RunMemo>;
    return lake_id === undefined ? { lake } : { lake, lake_id };
  };
  const names = new Map(runs.map(nameOf).map((name) => [JSON.stringify(name), name]));
  const numbers = new Map<string, number>();
  const lakes: NamedLake[] = [];
  // Lakes with an identity come first. The others are compared with them by place.
  const inOrder = [...names].sort(([, one], [, other]) => Number('lake_id' in other) - Number('lake_id' in one));
  for (const [text, name] of inOrder) {
    let number = 0;
    while (number < lakes.length && !(await isSameLake(lakes[number]!, name))) number++;
    if (number === lakes.length) lakes.push(name);
    numbers.set(text, number);
  }
  return (run) => numbers.get(JSON.stringify(nameOf(run)))!;
}

async function isOfLake(memo: Record<string, unknown> | undefined, lake: NamedLake): Promise<boolean> {
  const kept = memo as Partial<RunMemo> | undefined;
  return kept?.lake !== undefined && isSameLake(kept as RunMemo, lake);
}

/** Whether to show a run rather than another of the same export: active ones first. */
function isNewer(one: ListedRun, other: ListedRun): boolean {
  const goesOn = (run: ListedRun) => run.status.name === 'RUNNING';
  return goesOn(one) !== goesOn(other) ? goesOn(one) : one.startTime > other.startTime;
}

/** @throws FilinglakeError `run-unknown` */
export function memoOf(description: { memo?: Record<string, unknown> | undefined; workflowId: string }): RunMemo {
  const memo = description.memo as Partial<RunMemo> | undefined;
  if (!memo?.definition || memo.lake === undefined) {
    throw new FilinglakeError('run-unknown', `${description.workflowId} was not started by filinglake export`);
  }
  return memo as RunMemo;
}
