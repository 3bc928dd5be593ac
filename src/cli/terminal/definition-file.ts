/** Definitions as commands take them: a file, names of its exports, and values from the command line that replace the file's. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import {
  catalogAddress,
  catalogOf,
  type ParsedDefinition,
  parseExportDefinitions,
  withListsRead,
} from '../../export/index.ts';
import { readListFile } from '../../export/runtime/index.ts';
import { catalogKey } from './catalog-service.ts';
import { requiredKey } from './with-runs.ts';

/** Adds `--set`, which may be given several times, to a command. */
export function withSetOption(command: Command): Command {
  return command.option(
    '--set <name=value>',
    "a value that replaces the definition's; repeatable: --set date_from=-30d; lists as a,b",
    (value: string, before: string[] | undefined) => [...(before ?? []), value],
  );
}

/** Adds `--refresh`, which is `refresh` of the definition for this once. */
export function withRefreshOption(command: Command): Command {
  return command.option(
    '--refresh [days]',
    'request again what the lake has, this once: of all filings of the selection, or of the last days, 30d',
  );
}

export const SET_HELP = `--set replaces a value of the file: by its path (select.date_from), or by its last word if that is unique
(date_from). In a file with several exports it applies to each selected one.`;

export interface DefinitionOptions {
  set?: string[];
  /** true: all */
  refresh?: string | true;
}

/**
 * The exports of a file, or those of the names, in the order of the file.
 * @throws DefinitionError with line and column; FilinglakeError `file-unreadable`, `argument-invalid`, `export-unknown` (all exit 2)
 */
export async function readDefinitions(
  file: string,
  names: readonly string[] = [],
  options: DefinitionOptions = {},
): Promise<ParsedDefinition[]> {
  const folder = dirname(resolve(file));
  const parsed = parseExportDefinitions(readText(file), file, process.env, {
    names,
    set: [...(options.set ?? []), ...refreshSet(options)],
    pathOf: (name) => resolve(folder, name),
  });
  return Array.fromAsync(parsed, async (one) => withAbsoluteCatalog(await withListsRead(one, readListFile)));
}

function refreshSet({ refresh }: DefinitionOptions): string[] {
  return refresh === undefined ? [] : [`refresh=${refresh === true ? 'all' : refresh}`];
}

/** Workers may run in another folder. */
function withAbsoluteCatalog(parsed: ParsedDefinition): ParsedDefinition {
  const { service } = parsed.definition;
  const catalog = catalogOf(service.base_url);
  if (catalog === null) return parsed;
  const base_url = catalogAddress(resolve(catalog));
  return { ...parsed, definition: { ...parsed.definition, service: { ...service, base_url } } };
}

/** The key of an export: its catalog's, or the environment's. @throws `key-missing`, `catalog-missing` */
export async function keyOf({ definition, apiKey, apiKeyVariable }: ParsedDefinition): Promise<string> {
  const catalog = catalogOf(definition.service.base_url);
  return catalog === null ? requiredKey(apiKey, apiKeyVariable) : catalogKey(catalog);
}

/** Like readDefinitions, for a command that takes one. @throws FilinglakeError `export-unknown` (exit 2) */
export async function readDefinition(
  file: string,
  name?: string,
  options: DefinitionOptions = {},
): Promise<ParsedDefinition> {
  const chosen = await readDefinitions(file, name === undefined ? [] : [name], options);
  if (chosen.length === 1) return chosen[0]!;
  const names = chosen.map(({ definition }) => definition.name);
  throw new FilinglakeError('export-unknown', `${file} holds ${names.length} exports: ${names.join(', ')}`, {
    remedy: `Name one of them: ${file} ${names[0]}.`,
  });
}

/** Warnings, each after the file's name, and the export's if there are several. */
export function tellWarnings(file: string, parsed: readonly ParsedDefinition[]): void {
  for (const { definition, warnings } of parsed) {
    const of = parsed.length > 1 ? ` ${definition.name}:` : '';
    for (const warning of warnings) process.stderr.write(`${file}:${of} ${warning}\n`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new FilinglakeError('file-unreadable', `${file} can't be read: ${systemErrorWords(cause)}`, {
      remedy: isForbidden(cause)
        ? 'Run the command as a user who may read it.'
        : 'Name an export definition (YAML). docs/guide/exports.md shows one.',
      cause,
    });
  }
}

function isForbidden(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}
