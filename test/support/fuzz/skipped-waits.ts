/** Stands for `node:timers/promises`: the clock moves forward, and nobody waits. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { skipTime } from './without-temporal.ts';

export async function setTimeout(ms: number, value?: unknown): Promise<unknown> {
  skipTime(ms);
  await nextTurn();
  return value;
}

export { nextTurn as setImmediate };
