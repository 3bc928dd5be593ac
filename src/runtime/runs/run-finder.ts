/** Finds the runs of an export. An export is a name and a lake: one name in two lakes makes two exports. */
import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { FilinglakeError } from '../../core/index.ts';
import type { ExportDefinition, ExportProgress } from '../../export/index.ts';
import { exportNameOf, ID_PREFIX, isScheduledId, markedIdOf, unscheduledId, workflowIdOf } from './run-names.ts';

export const WORKFLOW_TYPE = 'exportWorkflow';

/** The memo of a run, for lists of runs: readable without a worker. */
export interface RunMemo {
  definition: ExportDefinition;
  lake: string;
  progress?: ExportProgress;
  /** Set once it has begun. */
  run_id?: string;
  /** A retry of failures. */
  only?: 'failures';
}

type ListedRun = Pick<WorkflowExecutionInfo, 'workflowId' | 'status' | 'startTime' | 'memo'>;

/** An active run. */
export interface OpenRun {
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
    for await (const execution of this.#list('')) take(newest, `${exportNameOf(execution.workflowId)} in`, execution);
    return [...newest.values()].map(({ workflowId }) => workflowId);
  }

  /** Ids of the newest runs of a name, one for each lake, or of an id. An id of one firing of a schedule means that run. */
  async newestOf(nameOrId: string): Promise<string[]> {
    const id = workflowIdOf(nameOrId);
    if (isScheduledId(id)) return [id];
    const byLake = await this.#byLake(id);
    // If several lakes have the name, the printed id distinguishes them.
    const ofId = [...byLake].filter(([, { ids }]) => ids.has(id));
    const meant = nameOrId.startsWith(ID_PREFIX) && ofId.length > 0 ? ofId : [...byLake];
    return meant.length === 0 ? [id] : meant.map(([, { newest }]) => newest.workflowId);
  }

  /**
   * Id of the one run: of several lakes', the active one.
   * @throws FilinglakeError `run-ambiguous` (exit 2)
   */
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

  /** The active run of a name and a lake; null: none. */
  async openOf(name: string, lake: string): Promise<string | null> {
    for await (const { workflowId, memo } of this.#list(`${named(name)} AND ExecutionStatus = 'Running'`)) {
      if ((memo as Partial<RunMemo> | undefined)?.lake !== lake) continue;
      if ((await this.describedOrNull(workflowId))?.status.name === 'RUNNING') return workflowId;
    }
    return null;
  }

  /** All active runs that write to a lake. */
  async openIn(lake: string): Promise<OpenRun[]> {
    const open: OpenRun[] = [];
    for await (const { workflowId: id, memo } of this.#list(` AND ExecutionStatus = 'Running'`)) {
      const kept = memo as Partial<RunMemo> | undefined;
      if (kept?.lake === lake && kept.definition) open.push({ id, memo: kept as RunMemo });
    }
    return open;
  }

  /** The id for a run of a name and a lake: the name's, unless an export into another lake uses it. */
  async idFor(name: string, lake: string): Promise<string> {
    const plain = workflowIdOf(name);
    const lakeOf = async (id: string) => {
      const described = await this.describedOrNull(id);
      return described === null ? null : memoOf(described).lake;
    };
    const taken = await lakeOf(plain);
    if (taken === lake) return plain;
    const marked = markedIdOf(name, lake);
    return taken !== null || (await lakeOf(marked)) === lake ? marked : plain;
  }

  async describedOrNull(id: string): Promise<WorkflowExecutionDescription | null> {
    try {
      return await this.#client.workflow.getHandle(id).describe();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  async #byLake(id: string): Promise<Map<string, { newest: ListedRun; ids: Set<string> }>> {
    const byLake = new Map<string, { newest: ListedRun; ids: Set<string> }>();
    const add = (run: ListedRun) => {
      const lake = (run.memo as Partial<RunMemo> | undefined)?.lake ?? '';
      const found = byLake.get(lake) ?? { newest: run, ids: new Set<string>() };
      if (isNewer(run, found.newest)) found.newest = run;
      byLake.set(lake, { newest: found.newest, ids: found.ids.add(unscheduledId(run.workflowId)) });
    };
    // Lists lag behind by a moment, so the run with the plain id is looked up directly.
    const itself = await this.describedOrNull(id);
    if (itself !== null) add(itself);
    for await (const execution of this.#list(named(exportNameOf(id)))) add(execution);
    return byLake;
  }

  #list(more: string): AsyncIterable<WorkflowExecutionInfo> {
    return this.#client.workflow.list({ query: `WorkflowType = '${WORKFLOW_TYPE}'${more}` });
  }
}

function named(name: string): string {
  return ` AND ExportName = '${name.replaceAll("'", "''")}'`;
}

function take(newest: Map<string, ListedRun>, name: string, run: ListedRun): void {
  const key = `${name} ${(run.memo as Partial<RunMemo> | undefined)?.lake ?? ''}`;
  const other = newest.get(key);
  if (other === undefined || isNewer(run, other)) newest.set(key, run);
}

/** Whether to show a run rather than another of the same export: active ones first. */
function isNewer(one: ListedRun, other: ListedRun): boolean {
  const goesOn = (run: ListedRun) => run.status.name === 'RUNNING';
  return goesOn(one) !== goesOn(other) ? goesOn(one) : one.startTime > other.startTime;
}

/** @throws FilinglakeError `run-unreadable` */
export function memoOf(description: { memo?: Record<string, unknown> | undefined; workflowId: string }): RunMemo {
  const memo = description.memo as Partial<RunMemo> | undefined;
  if (!memo?.definition || memo.lake === undefined) {
    throw new FilinglakeError('run-unreadable', `${description.workflowId} was not started by filinglake export`);
  }
  return memo as RunMemo;
}
