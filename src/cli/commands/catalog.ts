/** `filinglake catalog check`: verifies a catalog. */
import { Command } from 'commander';
import { checkCatalog } from '../../catalog/index.ts';
import { EXIT } from '../../core/index.ts';
import { counted, formatBytes, formatDuration, openProgress, printJson } from '../terminal/terminal.ts';

export function command(): Command {
  const catalog = new Command('catalog').description('Verify a catalog');
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
  return catalog;
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
