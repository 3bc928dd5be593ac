/** `filinglake catalog check|backup`: verifies or copies a catalog. */
import { Command } from 'commander';
import { backupCatalog, checkCatalog } from '../../catalog/index.ts';
import { EXIT } from '../../core/index.ts';
import { counted, formatBytes, formatDuration, openProgress, printJson } from '../terminal/terminal.ts';

export function command(): Command {
  const catalog = new Command('catalog').description('Verify or copy a catalog');
  catalog
    .command('check')
    .description('Verify a catalog: read everything, and list what is damaged or missing')
    .requiredOption('--catalog <dir>', 'folder of the catalog')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Reads and unpacks every document and compares it with its sha256; compares rows, records and the text index.
Exit code 0: complete; 1: problems are listed. To repair a document, ingest its submission into a new catalog.

Example:
  filinglake catalog check --catalog ./catalog`,
    )
    .action(check);
  catalog
    .command('backup')
    .description('Copy a catalog, with its keys, while it is served and written')
    .requiredOption('--catalog <dir>', 'folder of the catalog')
    .requiredOption('--to <dir>', 'folder of the copy; must not exist, or be empty')
    .option('--previous <dir>', 'an earlier copy on the same disk, with which the new one shares what did not change')
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
The copy is a catalog of one moment. It appears whole, or not at all. To restore it, serve its folder, or move it to the
old place while the service is stopped.

Packs hold the documents, most of the bytes. With --previous, packs that are full are hard links to those of the earlier
copy: a copy a day costs its databases and the day's documents. Each copy is whole, and any of them may be deleted.
A pack that is damaged in the earlier copy is damaged in the new one too: check copies from time to time.

Examples:
  filinglake catalog backup --catalog ./catalog --to ./backups/2026-11-22 && filinglake catalog check --catalog ./backups/2026-11-22
  filinglake catalog backup --catalog ./catalog --to ./backups/2026-11-23 --previous ./backups/2026-11-22`,
    )
    .action(copy);
  return catalog;
}

async function copy(options: { catalog: string; to: string; previous?: string; json?: boolean }): Promise<void> {
  const progress = openProgress({ label: 'copying', unit: 'bytes', silent: options.json === true });
  const summary = await backupCatalog(options.catalog, options.to, {
    previous: options.previous,
    onProgress: (bytes) => progress.update(bytes),
  });
  if (options.json) printJson(summary);
  else {
    const { folder, filings, bytes, shared_bytes, seconds } = summary;
    const shared = shared_bytes > 0 ? `, ${formatBytes(shared_bytes)} of them shared` : '';
    progress.finish(
      `${folder}: ${counted(filings, 'filing')}, ${formatBytes(bytes)} in packs${shared}, in ${formatDuration(seconds)}`,
    );
  }
}

function check(options: { catalog: string; json?: boolean }): void {
  const progress = openProgress({ label: 'checking', unit: 'documents', silent: options.json === true });
  const report = checkCatalog(options.catalog, {
    onProgress: (done, total) => progress.update(done, undefined, total),
  });
  if (options.json) printJson(report);
  else {
    for (const problem of report.problems)
      process.stdout.write(`${problem.code}  ${problem.subject}  ${problem.message}\n`);
    const counts = `${counted(report.filings, 'filing')}, ${counted(report.documents, 'document')}, ${counted(report.entities, 'entity', 'entities')}`;
    const read = `${formatBytes(report.bytes)} read in ${formatDuration(report.seconds)}`;
    progress.finish(`${report.ok ? 'sound' : counted(report.problem_count, 'problem')}: ${counts}; ${read}`);
  }
  if (!report.ok) process.exitCode = EXIT.error;
}
