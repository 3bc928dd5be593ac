/**
 * Loaded before the export workflow: it then runs in this process without a server, waits take no time, and the clock is one's own.
 */
import { registerHooks } from 'node:module';

const SHIM = new URL('./workflow-shim.ts', import.meta.url).href;
const WAITS = new URL('./skipped-waits.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL ?? '';
    if (specifier === '@temporalio/workflow' && /\/workflows\/[a-z-]+\.ts$/.test(from))
      return { url: SHIM, shortCircuit: true };
    if (specifier === 'node:timers/promises' && /\/src\/export\/(client|pipeline)\//.test(from))
      return { url: WAITS, shortCircuit: true };
    return next(specifier, context);
  },
});

const RealDate = Date;
let aheadMs = 0;

class SkippingDate extends RealDate {
  constructor(...given: [] | [string | number | Date]) {
    if (given.length === 0) super(RealDate.now() + aheadMs);
    else super(...(given as [string]));
  }

  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}
globalThis.Date = SkippingDate as DateConstructor;

/** From now on the time is later. */
export function skipTime(ms: number): void {
  aheadMs += ms;
}

/** Milliseconds: the clock of the file system. */
export const realNow = (): number => RealDate.now();

/** @param now milliseconds; null: the real time */
export function setTime(now: number | null): void {
  aheadMs = now === null ? 0 : now - RealDate.now();
}
