/** Jobs of the conformance suite as tasks of filinglake's server: they last a moment, and are kept in memory. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerContext } from '@modelcontextprotocol/server';
import { createdTask, knowsTasks, type TaskState, type Tasks } from '../../../../src/agents/index.ts';

const said = (text: string) => ({ content: [{ type: 'text', text }] });
/** What each job ends as. */
const ENDS = {
  slow_compute: { status: 'completed', result: said('computed') },
  failing_job: { status: 'completed', result: { ...said('the job failed'), isError: true } },
  protocol_error_job: { status: 'failed', error: { code: -32603, message: 'a fault' } },
} as const;

export class FixtureTasks implements Tasks {
  readonly #jobs = new Map<string, { state: TaskState; endsAt: number; end: Partial<TaskState> }>();

  tools(): Record<string, (args: Record<string, unknown>, context: ServerContext) => Promise<object>> {
    const of = Object.entries(ENDS).map(
      ([name, end]) =>
        [
          name,
          async ({ seconds = 1 }: Record<string, unknown>, context: ServerContext) => {
            if (knowsTasks(context)) return createdTask(this.#start(Number(seconds) * 1000, end));
            await pause(Number(seconds) * 1000);
            return 'result' in end ? end.result : said('no answer');
          },
        ] as const,
    );
    return Object.fromEntries(of);
  }

  #start(ms: number, end: Partial<TaskState>): TaskState {
    const now = new Date().toISOString();
    const taskId = crypto.randomUUID();
    const state: TaskState = {
      taskId,
      status: 'working',
      statusMessage: 'at work',
      createdAt: now,
      lastUpdatedAt: now,
    };
    this.#jobs.set(taskId, { state, endsAt: Date.now() + ms, end });
    return state;
  }

  get(taskId: string): Promise<TaskState | null> {
    const job = this.#jobs.get(taskId);
    if (job?.state.status === 'working' && Date.now() >= job.endsAt) job.state = { ...job.state, ...job.end };
    return Promise.resolve(job?.state ?? null);
  }

  async cancel(taskId: string): Promise<TaskState | null> {
    const state = await this.get(taskId);
    const job = this.#jobs.get(taskId);
    if (job && state?.status === 'working') job.state = { ...state, status: 'cancelled' };
    return job?.state ?? null;
  }
}
