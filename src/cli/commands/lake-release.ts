/** `filinglake lake release`: names of versions that stay readable. */
import { Command } from 'commander';
import type { Release } from '../../lake/index.ts';
import { NO_WAIT, versionAsked, withLake, withLakeInTurn } from '../terminal/lake-folder.ts';
import { refuseUnmetDefinition } from '../terminal/met-definition.ts';
import { printCutTable, printJson, printResult } from '../terminal/terminal.ts';
import { exportCommand, verifyCommand } from './lake-release-folder.ts';
import { rebuildCommand } from './lake-release-rebuild.ts';

interface Options {
  lake?: string;
  json?: boolean;
  at?: string;
  note?: string;
  definition?: string;
  wait?: boolean;
}

type WithLakeOptions = (sub: Command) => Command;

export function releaseCommand(withLakeOptions: WithLakeOptions): Command {
  const release = withLakeOptions(new Command('release'))
    .enablePositionalOptions()
    .description('Give a version a name: it stays readable, and a paper can cite it. Without a name, list the releases')
    .argument(
      '[name]',
      'name of the release: letters, digits, dots, dashes and underscores; without one, releases are listed',
    )
    .option('--at <version|time>', 'the version (filinglake lake log), or the newest of a time (default: the newest)')
    .option('--note <text>', 'what the release is for')
    .option(
      '--definition <file>',
      'release only if the version is what this definition makes, complete and nothing else',
    )
    .option(...NO_WAIT)
    .addHelpText(
      'after',
      `
A vacuum keeps the files of a release until you delete the release. A compaction changes nothing in it.
Waits while an export or another command has the lake.

Read it with \`filinglake sql --release NAME\`, with filinglake.open_lake(path, release="NAME") in Python, or with
plain DuckDB in the lake's folder: duckdb -c '.read _releases/NAME.sql'.

Examples:
  filinglake lake release 2026-q3 --note "Data of our paper"
  filinglake lake release 2026-q3 --definition annual-reports.yaml
  filinglake lake release
  filinglake lake release delete 2026-q3`,
    )
    .action(async (name: string | undefined, options: Options) => {
      if (name === undefined) return listReleases(options);
      const turn = { what: 'lake release', wait: options.wait };
      const made = await withLakeInTurn(options.lake, turn, async (lake) => {
        let { at: version } = await versionAsked(lake, { at: options.at });
        if (options.definition !== undefined) {
          version ??= await lake.currentVersion();
          await refuseUnmetDefinition(lake, version, options.definition);
        }
        return lake.makeRelease({ name, version, note: options.note });
      });
      printResult(options.json, made, `release ${made.name}: version ${made.version}${committedText(made)}`);
    });
  withLakeOptions(
    release
      .command('delete')
      .description('Delete a release: the next vacuum may delete files that only it needs')
      .argument('<name>', 'name of the release')
      .option(...NO_WAIT),
  ).action(async (name: string, options: Options) => {
    const turn = { what: 'lake release delete', wait: options.wait };
    const deleted = await withLakeInTurn(options.lake, turn, (lake) => lake.deleteRelease(name));
    printResult(
      options.json,
      deleted,
      `release ${name} deleted: version ${deleted.version} stays readable until a vacuum`,
    );
  });
  release.addCommand(withLakeOptions(exportCommand()));
  release.addCommand(verifyCommand());
  release.addCommand(rebuildCommand());
  return release;
}

function listReleases({ lake: place, json }: Options): Promise<void> {
  return withLake(place, {}, async (lake) => {
    const releases = await lake.releases();
    if (!json) return printCutTable(releases.map(listRow), ['release', 'version', 'committed (UTC)', 'note']);
    const listed = releases.map(async (one) => ({ ...one, delta: await lake.deltaVersions(one.version) }));
    printJson(await Promise.all(listed));
  });
}

function committedText({ committed_at }: Release): string {
  return committed_at === null ? ', empty' : `, committed ${committed_at.slice(0, 19).replace('T', ' ')} UTC`;
}

function listRow({ name, version, committed_at, note }: Release): Record<string, unknown> {
  return {
    release: name,
    version,
    'committed (UTC)': committed_at?.slice(0, 19).replace('T', ' ') ?? '',
    note: note ?? '',
  };
}
