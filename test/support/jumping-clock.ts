/** Preloaded into a process (`node --import`): its clock is off by the milliseconds in the file of `CLOCK_FILE`, from one moment to the next. */
import { readFileSync, statSync } from 'node:fs';

const file = process.env.CLOCK_FILE!;
const RealDate = Date;
let offset = 0;
let written = 0;

function now(): number {
  const { mtimeMs } = statSync(file);
  if (mtimeMs !== written) {
    offset = Number(readFileSync(file, 'utf8'));
    written = mtimeMs;
  }
  return RealDate.now() + offset;
}

class JumpingDate extends RealDate {
  constructor(...given: [] | [string | number | Date]) {
    if (given.length === 0) super(now());
    else super(...(given as [string]));
  }

  static override now(): number {
    return now();
  }
}
globalThis.Date = JumpingDate as DateConstructor;
