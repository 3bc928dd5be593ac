/** `filinglake lake release rebuild`: whether the data of a release can be had again. */
import { dirname } from 'node:path';
import { Command, Option } from 'commander';
import { EXIT } from '../../core/index.ts';
import { remapLake } from '../../export/runtime/index.ts';
import { MAPPING_VERSION } from '../../filings/forms/index.ts';
import { absolutePlace, type Lake } from '../../lake/index.ts';
import { type ReleaseManifest, readManifest } from '../../lake/report/index.ts';
import { type ExportTable, FORM_TABLES } from '../../lake/tables/index.ts';
import { withLake } from '../terminal/lake-folder.ts';
import { type DifferenceOptions, findDifferences, hasAll, printDifferences } from '../terminal/release-differences.ts';
import { rebuildExports } from '../terminal/released-definitions.ts';
import { type OneExport, runExports } from '../terminal/run-exports.ts';
import { counted, printJson } from '../terminal/terminal.ts';
import { programVersion } from './lake-release-folder.ts';

interface RebuildOptions extends DifferenceOptions {
  lake?: string;
  json?: boolean;
  catalog?: string;
  service?: string;
  wait: boolean;
  worker: boolean;
}

export function rebuildCommand(): Command {
  return new Command('rebuild')
    .description('Make the data of a release again from a catalog or a service, and compare it, row for row')
    .argument('<manifest>', 'manifest.json of the release; the folder it lies in, if rows are to be named')
    .addOption(new Option('--catalog <folder>', 'read this catalog').conflicts('service'))
    .option('--service <url>', 'read this service (default: FILINGLAKE_BASE_URL)')
    .option('--lake <place>', 'folder or URL of the lake to make (default: ./rebuilt-NAME)')
    .option('--no-wait', 'exit with code 6 if the quota is used up, instead of waiting for its reset')
    .option('--no-worker', 'leave the work to other workers (filinglake worker)')
    .option('--rows <file>', 'write each row that differs as a line of JSON: table, key, what became of it')
    .option('--parquet <folder>', 'write the rows that differ, whole, as a Parquet file for each table')
    .option('--json', 'print events as JSON, a line each; the last one is "compared"')
    .addHelpText(
      'after',
      `
Runs each definition of the manifest, one after another, as filinglake export does. Relative dates count from the days
of the original runs. A definition without an end ends on the day of the last one, or of the newest filing. Budgets are left out. Tables that a
remap had made are mapped again from the documents.
If it is killed, interrupted or stopped by a quota, the same command continues.

Each row of the release is equal, changed (another row of its key), or withdrawn (none of its key). Rows that only
the lake has are new. The same goes for filings: a changed filing has rows that differ, and the source has a withdrawn
one no longer. A filing with a failed request counts as unfetched. Columns without a digest are not compared.
Without the files beside the manifest, only digests are compared.

The API key is read from FILINGLAKE_API_KEY. --catalog needs none. The addresses in the manifest are not called: they would
receive your key.

Exit codes: 0 every row is equal, whatever is new; 3 a row is changed, withdrawn or not fetched, or a window is incomplete;
4, 5, 6, 130 as of filinglake export: nothing was compared.

Examples:
  filinglake lake release rebuild ./release-2026-q3/manifest.json --catalog ./catalog
  filinglake lake release rebuild ./release-2026-q3/manifest.json --service https://api.example.com --rows differences.jsonl`,
    )
    .action(rebuild);
}

async function rebuild(file: string, options: RebuildOptions, command: Command): Promise<void> {
  const json = options.json === true;
  const manifest = await readManifest<ReleaseManifest>(file);
  const place = absolutePlace(options.lake ?? `./rebuilt-${manifest.name}`);
  const exports = await rebuildExports(manifest, { catalog: options.catalog, service: options.service, lake: place });
  const { wait, worker } = options;
  const exported = await runExports(exports, { command: 'rebuild', json, strict: false, wait, worker });
  if (exported !== EXIT.complete && exported !== EXIT.finishedWithFailures) {
    process.exitCode = exported;
    if (!json) process.stderr.write('nothing was compared yet: the same command continues\n');
    return;
  }
  const { found, unproven } = await withLake(place, {}, async (lake) => {
    const tables = tablesOfRemaps(manifest, exports);
    if (tables.length > 0) await remapLake(lake, { tables });
    return {
      found: await findDifferences(lake, manifest, dirname(file), options),
      unproven: await unprovenWindows(lake),
    };
  });
  const versions = { filinglake: programVersion(command), mapping: MAPPING_VERSION };
  if (json) {
    printJson({
      event: 'compared',
      release: manifest.name,
      lake: place,
      same: isSame(found),
      ...found,
      unproven_windows: unproven,
      versions,
      released_versions: manifest.versions,
    });
  } else {
    printDifferences(found);
    if (unproven > 0)
      process.stdout.write(
        `${counted(unproven, 'window')} without proof: the source may have filings that count as withdrawn here\n`,
      );
    const { filinglake, mapping } = manifest.versions;
    if (!isSame(found) && (filinglake !== versions.filinglake || mapping !== versions.mapping))
      process.stdout.write(
        `filinglake ${filinglake} (mappings ${mapping}) made the release, ${versions.filinglake} (mappings ${versions.mapping}) this lake: rows may differ for that reason\n`,
      );
  }
  const isWhole = exported === EXIT.complete && hasAll(found);
  process.exitCode = isWhole ? EXIT.complete : EXIT.finishedWithFailures;
}

/** Tables of forms with rows in the release that no definition asks for. */
function tablesOfRemaps({ tables }: ReleaseManifest, exports: readonly OneExport[]): ExportTable[] {
  const exported = new Set(exports.flatMap(({ definition }) => definition.tables));
  return FORM_TABLES.filter((name) => (tables[name]?.rows ?? 0) > 0 && !exported.has(name));
}

async function unprovenWindows(lake: Lake): Promise<number> {
  const [row] = await lake.query(
    `SELECT count(*) AS n FROM export_windows SEMI JOIN (SELECT run_id FROM export_runs
     QUALIFY row_number() OVER (PARTITION BY export ORDER BY started_at DESC, run_id DESC) = 1) USING (run_id) WHERE proven IS NOT TRUE`,
  );
  return Number(row?.n ?? 0);
}

function isSame({ tables }: { tables: Readonly<Record<string, { same: boolean }>> }): boolean {
  return Object.values(tables).every(({ same }) => same);
}
