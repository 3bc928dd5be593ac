/**
 * Stands for `@temporalio/workflow` where the export workflow runs without a server: in the process of its caller, whose `Host` calls
 * the activities and skips waits. `without-temporal.ts` puts it in place, or `vi.mock`, which is why it imports past the index.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActivityOptions, WorkflowInfo } from '@temporalio/workflow';
import { ContinueAsNew } from '@temporalio/workflow/lib/interfaces.js';

export { ApplicationFailure } from '@temporalio/common';
export { isCancellation } from '@temporalio/workflow/lib/errors.js';
export { ContinueAsNew } from '@temporalio/workflow/lib/interfaces.js';
export { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow/lib/workflow.js';

export interface Host {
  info: Pick<
    WorkflowInfo,
    'workflowId' | 'runId' | 'taskQueue' | 'startTime' | 'typedSearchAttributes' | 'continueAsNewSuggested'
  >;
  call(activity: string, request: unknown, attempts: number, taskQueue?: string): Promise<unknown>;
  /** @param ms null: until somebody continues the run */
  wait(ms: number | null): Promise<void>;
  /** A wait that nobody ends. */
  sleep(ms: number): Promise<void>;
  /** A signal, query or update that the workflow answers. */
  handle?(name: string, handler: () => unknown): void;
}

export const host = new AsyncLocalStorage<Host>();

/** The input of the next history. */
export class NextHistory extends ContinueAsNew {
  readonly input: unknown;

  constructor(input: unknown) {
    super({} as never);
    this.input = input;
  }
}

export function proxyActivities({ retry, taskQueue }: ActivityOptions): object {
  return new Proxy(
    {},
    {
      get: (_, name) => (request: unknown) =>
        host.getStore()!.call(String(name), request, retry?.maximumAttempts ?? Number.POSITIVE_INFINITY, taskQueue),
    },
  );
}

export async function condition(holds: () => boolean, ms?: number): Promise<boolean> {
  if (!holds()) await host.getStore()!.wait(ms ?? null);
  return holds();
}

export function continueAsNew(input: unknown): never {
  throw new NextHistory(input);
}

export const sleep = (ms: number): Promise<void> => host.getStore()!.sleep(ms);
export const workflowInfo = (): Host['info'] => host.getStore()!.info;
export const allHandlersFinished = (): boolean => true;
export const CancellationScope = { nonCancellable: <T>(work: () => Promise<T>): Promise<T> => work() };
export const setHandler = ({ name }: { name: string }, handler: () => unknown): void =>
  host.getStore()!.handle?.(name, handler);
export const setCurrentDetails = (): void => {};
export const upsertMemo = (): void => {};
export const upsertSearchAttributes = (): void => {};
export const log = { warn: () => {}, info: () => {} };
