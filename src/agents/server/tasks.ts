/** The protocol's extension for tasks: what a client that knows it gets in place of an answer, and asks for afterwards. */
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { textResult } from '../answers/json-text.ts';
import type { Exports, RunProgress } from '../tools/exports.ts';
import { runJson } from '../tools/start-export.ts';

export const TASKS = 'io.modelcontextprotocol/tasks';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
/** A task is asked for no more often. */
const POLL_MS = 5_000;

/** A task as the protocol tells it. A tool that ended with an error has completed: `failed` is for faults of the server. */
export interface TaskState {
  readonly taskId: string;
  readonly status: 'working' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Of a completed task: the answer of the tool. */
  readonly result?: object;
  /** Of a failed one. */
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Tasks {
  /** Null: there is no such task. */
  get(taskId: string): Promise<TaskState | null>;
  cancel(taskId: string): Promise<TaskState | null>;
}

/** Whether the client of this request said that it knows tasks. */
export function knowsTasks({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Record<string, { extensions?: Record<string, unknown> }> | undefined;
  return envelope?.[CAPABILITIES_KEY]?.extensions?.[TASKS] !== undefined;
}

/** The answer to a call that began a task. */
export function createdTask({ result: _, error: __, ...task }: TaskState): object {
  return { ...task, ...LASTING, resultType: 'task', status: 'working' };
}

const LASTING = { ttlMs: null, pollIntervalMs: POLL_MS } as const;

/** Answers `tasks/get`, `tasks/update` and `tasks/cancel`. No task here asks its client for input, so an update changes nothing. */
export function addTasks(server: Server, tasks: Tasks): void {
  const methods = {
    'tasks/get': async (taskId: string) => ({ ...found(await tasks.get(taskId)), ...LASTING }),
    'tasks/update': async (taskId: string) => {
      found(await tasks.get(taskId));
      return {};
    },
    'tasks/cancel': async (taskId: string) => {
      found(await tasks.cancel(taskId));
      return {};
    },
  };
  const params = z.looseObject({ taskId: z.string().max(200) });
  for (const [method, answer] of Object.entries(methods))
    server.setRequestHandler(method, { params, result: z.looseObject({}) }, async ({ taskId }, context) => {
      if (!knowsTasks(context))
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
      return answer(taskId);
    });
}

function found(task: TaskState | null): TaskState {
  if (task !== null) return task;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'there is no such task');
}

/** Exports as tasks. */
export function exportTasks(exports: Exports): Tasks {
  const of = (run: RunProgress | null) => run && taskOf(run);
  return {
    get: async (taskId) => of(await exports.progress(taskId)),
    cancel: async (taskId) => of(await exports.cancel(taskId)),
  };
}

export function taskOf(run: RunProgress): TaskState {
  const done = `${run.filingsDone} of ${run.filingsFound ?? '?'} filings, ${run.requests} requests`;
  const task = {
    taskId: run.task,
    createdAt: run.startedAt,
    lastUpdatedAt: run.updatedAt,
    statusMessage: `${run.detail}: ${done}${run.waitsUntil === null ? '' : `; continues at ${run.waitsUntil}`}`,
  };
  if (run.state === 'completed') return { ...task, status: 'completed', result: textResult(runJson(run)) };
  if (run.state === 'failed')
    return { ...task, status: 'completed', result: { ...textResult(runJson(run)), isError: true } };
  return { ...task, status: run.state === 'cancelled' ? 'cancelled' : 'working' };
}
