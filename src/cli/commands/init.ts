/** `filinglake init [EXAMPLE]`: writes a commented export definition to start from. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { FilinglakeError, nearestHint, shellWord, systemErrorWords } from '../../core/index.ts';
import { printTable } from '../terminal/terminal.ts';

/** In the checkout and in the package: dist has config/ beside src/. */
const EXAMPLES = fileURLToPath(new URL('../../../config/exports/', import.meta.url));
const DEFAULT = 'annual-reports';

interface Options {
  output?: string;
  list?: boolean;
}

export function command(): Command {
  return new Command('init')
    .description('Write a commented export definition to start from')
    .argument('[example]', `which one (default: ${DEFAULT})`)
    .option('-o, --output <file>', 'where to write it (default: EXAMPLE.yaml in this folder)')
    .option('--list', 'list the examples')
    .addHelpText(
      'after',
      `
Examples:
  filinglake init --list
  filinglake init mda-panel
  filinglake init earnings-releases --output releases.yaml

A file that exists is never overwritten.`,
    )
    .action((example: string | undefined, options: Options) => {
      if (options.list) return list();
      write(example ?? DEFAULT, options);
    });
}

function names(): string[] {
  return readdirSync(EXAMPLES)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort();
}

function textOf(name: string): string {
  return readFileSync(`${EXAMPLES}${name}.yaml`, 'utf8');
}

/** The first sentence of the comment at the head of an example. */
function meaningOf(text: string): string {
  const comment = text
    .split('\n')
    .filter((line) => line.startsWith('#') && !line.includes('$schema='))
    .map((line) => line.replace(/^#\s?/, ''))
    .join(' ');
  return /^.*?[.:](?=\s|$)/.exec(comment)?.[0].slice(0, -1) ?? comment;
}

function list(): void {
  printTable(
    names().map((name) => ({ example: name, 'what it exports': meaningOf(textOf(name)) })),
    ['example', 'what it exports'],
  );
}

function write(name: string, { output }: Options): void {
  const known = names();
  if (!known.includes(name)) {
    throw new FilinglakeError('argument-invalid', `there is no example '${name}'${nearestHint(name, known)}`, {
      remedy: `The examples are ${known.join(', ')}.`,
    });
  }
  const file = output ?? `${name}.yaml`;
  if (existsSync(file)) {
    throw new FilinglakeError('argument-invalid', `${file} exists`, { remedy: 'Name another file: --output FILE.' });
  }
  // The schema is where the package is.
  const schema = resolve(EXAMPLES, '../export.schema.json');
  try {
    writeFileSync(file, textOf(name).replace('../export.schema.json', schema), { flag: 'wx' });
  } catch (error) {
    throw new FilinglakeError('argument-invalid', `${file} can't be written: ${systemErrorWords(error)}`, {
      remedy: 'Name a file in a folder that you may write to: --output FILE.',
      cause: error,
    });
  }
  process.stdout.write(
    `wrote ${file}\nedit it, then: filinglake plan ${shellWord(file)}; filinglake export ${shellWord(file)}\nfrom a catalog of your own, without a service: add --set service.catalog=DIR\n`,
  );
}
