/**
 * Ends a process whose command is over. Temporal's SDK leaves threads when a worker fails, and they keep a process alive: an export
 * would never end, and a supervisor would never start the worker again.
 */

/** Without leftovers, Node ends long before. */
const LEFTOVERS_END_MS = 5_000;

interface Outputs {
  writableLength: number;
}

/** Call it when the command is over. It keeps nothing alive, and waits until all output is written. */
export function endDespiteLeftovers({
  exit = () => process.exit() as unknown,
  outputs = [process.stdout, process.stderr] as readonly Outputs[],
} = {}): void {
  const timer = setInterval(() => {
    if (outputs.some(({ writableLength }) => writableLength > 0)) return;
    clearInterval(timer);
    exit();
  }, LEFTOVERS_END_MS);
  timer.unref();
}
