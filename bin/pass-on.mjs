/** Hands the terminal, signals and exit code of this process to a script under another Node. */
import { spawnTied } from './tied.mjs';

/** Signals that arrive twice within this time (from the terminal's group and from npm) are one. */
const SAME_SIGNAL_MS = 500;

/**
 * Runs a script in this one's place: same terminal, and this process ends as it ends. Where this one is killed, the script ends too.
 * @param {string} program path of Node's program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function passOn(program, args, env) {
  const child = spawnTied(program, args, { stdio: 'inherit', env });
  // A terminal sends Ctrl-C to the whole group: the child has it already, and a second one would mean "at once".
  const fromTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const lastAt = {};
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const repeated = Date.now() - (lastAt[signal] ?? 0) < SAME_SIGNAL_MS;
      lastAt[signal] = Date.now();
      if (!repeated && !(signal === 'SIGINT' && fromTerminal)) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`error: ${program} could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exitCode = code ?? 1;
    }
  });
}
