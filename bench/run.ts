/** `npm run bench [-- NAME [ARGUMENT…] [--json | --record]]`: lists the benchmarks, or runs one. `--record` stores its figures. */
import { readdirSync } from 'node:fs';
import { record } from './recording/record.ts';

export interface Benchmark {
  /** One line: the measurement, and its comparison. */
  summary: string;
  run(args: string[], options: { json: boolean }): Promise<void>;
}

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();
const words = process.argv.slice(2).filter((word) => word !== '--json' && word !== '--record');
const [name, ...args] = words;

if (name === undefined) {
  process.stdout.write('npm run bench -- NAME [ARGUMENT…] [--json | --record]\n\n');
  for (const each of names) process.stdout.write(`  ${each.padEnd(12)} ${(await load(each)).summary}\n`);
} else if (!names.includes(name)) {
  process.stderr.write(`error: there is no benchmark ${name}; there are: ${names.join(', ')}\n`);
  process.exitCode = 2;
} else if (process.argv.includes('--record')) {
  const benchmark = await load(name);
  const file = await record(name, args, () => benchmark.run(args, { json: true }));
  process.stdout.write(`${file}: check its notes, then run \`npm run docs\`\n`);
} else {
  await (await load(name)).run(args, { json: process.argv.includes('--json') });
}

async function load(each: string): Promise<Benchmark> {
  return (await import(`./${each}.ts`)) as Benchmark;
}
