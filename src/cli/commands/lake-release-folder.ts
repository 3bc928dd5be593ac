/** `filinglake lake release export` and `verify`: the folder of a release, and its check. */
import { Command } from 'commander';
import { EXIT } from '../../core/index.ts';
import { MAPPING_VERSION } from '../../filings/forms/index.ts';
import { exportRelease, type VerifyReport, verifyRelease } from '../../lake/report/index.ts';
import { withLake } from '../terminal/lake-folder.ts';
import { counted, formatBytes, formatCount, openProgress, printJson } from '../terminal/terminal.ts';

interface ExportOptions {
  lake?: string;
  json?: boolean;
  title?: string;
  creator: string[];
  publisher?: string;
  license?: string;
  doi?: string;
}

export function exportCommand(): Command {
  return new Command('export')
    .description('Write a release as a folder: Parquet files, manifest, data card, and metadata for catalogues')
    .argument('<name>', 'name of the release')
    .argument('<folder>', 'folder to write: new, or empty')
    .option('--title <text>', 'title of the data set')
    .option('--creator <name>', 'who made it; give it several times', (one, all: string[]) => [...all, one], [])
    .option('--publisher <name>', 'who publishes it')
    .option('--license <name>', 'SPDX name or URL of the license')
    .option('--doi <doi>', 'its DOI: 10.5281/zenodo.1234567')
    .addHelpText(
      'after',
      `
The folder has the files of each table as they are in the lake. manifest.json has columns, the SHA-256 of each file,
digests of rows, definitions, and what is complete. README.md is the data card. Metadata for Croissant and
DataCite are in two more files. The folder appears when it is complete. Merge small files first: filinglake lake compact.

Examples:
  filinglake lake release export 2026-q3 ./release-2026-q3 --title "Annual reports" --creator "YOUR NAME" --license CC0-1.0
  filinglake lake release export 2026-q3 ./release-2026-q3 --lake s3://bucket/lake`,
    )
    .action(async (name: string, folder: string, options: ExportOptions, command: Command) => {
      const { title, creator, publisher = null, license = null, doi = null } = options;
      const progress = openProgress({ label: 'writing', unit: 'bytes', silent: options.json === true });
      const { manifest, manifest_sha256 } = await withLake(options.lake, {}, async (lake) =>
        exportRelease(lake, await lake.release(name), folder, {
          versions: { filinglake: programVersion(command), mapping: MAPPING_VERSION },
          citation: { ...(title === undefined ? {} : { title }), creators: creator, publisher, license, doi },
          onProgress: (bytes, of, table) => progress.update(bytes, table, of),
        }),
      );
      const tables = Object.entries(manifest.tables).filter(([, { rows }]) => rows > 0);
      const summary = {
        name,
        folder,
        version: manifest.lake.version,
        digest: manifest.digest,
        manifest_sha256,
        tables: Object.fromEntries(
          tables.map(([table, { rows, digest }]) => [table, { rows, digest: digest?.sha256 ?? null }]),
        ),
      };
      if (options.json) return printJson(summary);
      const rows = tables.reduce((sum, [, table]) => sum + table.rows, 0);
      process.stdout.write(
        `${folder}: ${counted(rows, 'row')} in ${counted(tables.length, 'table')}\ndigest of rows: ${manifest.digest}\nSHA-256 of manifest.json: ${manifest_sha256}\n`,
      );
    });
}

export function programVersion(command: Command): string {
  let program = command;
  while (program.parent !== null) program = program.parent;
  return program.version() ?? '';
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'Verify the folder of a release: every file, and the digest of every table. Exits 1 if anything is wrong',
    )
    .argument('<folder>', 'folder of `lake release export`')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Needs no lake. Compare the printed SHA-256 of manifest.json with the one that was published elsewhere: then nobody
has changed the whole release.

Examples:
  filinglake lake release verify ./release-2026-q3`,
    )
    .action(async (folder: string, options: { json?: boolean }) => {
      const progress = openProgress({ label: 'verifying', unit: 'files', silent: options.json === true });
      const report = await verifyRelease(folder, (file, done, of) => progress.update(done, file, of));
      if (options.json) printJson(report);
      else printVerified(report);
      if (!report.ok) process.exitCode = EXIT.error;
    });
}

function printVerified({ folder, ok, files, bytes, rows, manifest_sha256, problems }: VerifyReport): void {
  for (const { message } of problems) process.stdout.write(`wrong: ${message}\n`);
  const what = `${folder}: ${formatCount(files)} files (${formatBytes(bytes)}), ${counted(rows, 'row')}`;
  process.stdout.write(`${what}, ${ok ? 'unchanged' : counted(problems.length, 'problem')}\n`);
  if (manifest_sha256 !== null) process.stdout.write(`SHA-256 of manifest.json: ${manifest_sha256}\n`);
}
