/** Records a benchmark's figures, with the date, the commit and the machine. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { RESULTS_FOLDER, type RecordedRun, type Results, readResults, resultNames, tablesOf } from './results.ts';

/**
 * Runs a benchmark with its output as JSON, and stores the figures in bench/results. They replace a run of the same command.
 * The notes of the file stay: check them, then run `npm run docs`.
 * @returns path of the file
 */
export async function record(name: string, args: string[], run: () => Promise<void>): Promise<string> {
  const [load] = loadavg();
  const printed = await outputOf(run);
  const recorded: RecordedRun = {
    command: ['npm run bench --', name, ...args].join(' '),
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    }).trim(),
    machine: `${cpus().length} processors`,
    load: `load ${load!.toFixed(1)} before it`,
    source: 'recorded',
    tables: tablesOf(JSON.parse(printed.trim().split('\n').at(-1)!)),
  };
  const section = sectionFor(
    name,
    args,
    resultNames().map((each) => ({ name: each, commands: readResults(each).runs.map(({ command }) => command) })),
  );
  const file = join(RESULTS_FOLDER, `${section}.json`);
  const results: Results = existsSync(file)
    ? readResults(section)
    : { title: section, about: [], runs: [], notes: [], summary: [] };
  results.runs = withRun(results.runs, recorded);
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}

/** The section for a benchmark's run: one that has its command, is named after it and its first argument, or has another run of it. */
export function sectionFor(name: string, args: string[], sections: { name: string; commands: string[] }[]): string {
  const command = ['npm run bench --', name, ...args].join(' ');
  const found =
    sections.find(({ commands }) => commands.includes(command)) ??
    sections.find((section) => section.name === `${name}-${args[0]}`) ??
    sections.find((section) => section.name === name) ??
    sections.find(({ commands }) => commands.some((one) => `${one} `.startsWith(`npm run bench -- ${name} `)));
  return found?.name ?? name;
}

/** `runs` with `recorded` in the place of the run of the same command, or at the end. */
export function withRun(runs: RecordedRun[], recorded: RecordedRun): RecordedRun[] {
  return runs.some(({ command }) => command === recorded.command)
    ? runs.map((run) => (run.command === recorded.command ? recorded : run))
    : [...runs, recorded];
}

/** Text that a function writes to standard output. */
async function outputOf(run: () => Promise<void>): Promise<string> {
  const write = process.stdout.write;
  let text = '';
  process.stdout.write = ((chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  }) as typeof process.stdout.write;
  try {
    await run();
  } finally {
    process.stdout.write = write;
  }
  return text;
}
