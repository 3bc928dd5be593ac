/** `filinglake catalog check|backup|restore|index|packs`: verifies, copies or indexes a catalog, moves its packs. */
import { Command } from 'commander';
import { EXIT } from '../../core/index.ts';
import { backupCatalog, checkCatalog, movePacks } from '../../service/catalog/index.ts';
import { counted, formatBytes, formatDuration, openProgress, printJson } from '../terminal/terminal.ts';
import { indexCommand } from './catalog-index.ts';

export function command(): Command {
  const catalog = new Command('catalog').description('Verify, copy, restore or index a catalog; move its packs');
  catalog
    .command('check')
    .description('Verify a catalog: read everything, and list what is damaged or missing')
    .requiredOption('--catalog <dir>', 'folder of the catalog, or of a copy')
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
    .option('--previous <dir>', 'an earlier copy on the same disk, with which the new one shares full packs')
    .option('--quick', 'compare full packs with the earlier ones at 17 places of each, not byte by byte')
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
The copy is of one moment. It appears whole, or not at all. It is a catalog: serve its folder, or make another of it with
\`catalog restore\`. Packs that lie in a bucket stay there: the copy names their place.

With --previous the copy shares full packs with the earlier copy, by hard links: they never change. Each copy is whole, and
any of them may be deleted. A pack that is damaged in the earlier copy is named, and copied again.

Examples:
  filinglake catalog backup --catalog ./catalog --to ./backups/2026-11-22 && filinglake catalog check --catalog ./backups/2026-11-22
  filinglake catalog backup --catalog ./catalog --to ./backups/2026-11-23 --previous ./backups/2026-11-22
  filinglake catalog restore --from ./backups/2026-11-23 --to ./restored`,
    )
    .action(copy);
  catalog
    .command('restore')
    .description('Make a catalog of a copy')
    .requiredOption('--from <dir>', 'folder of the copy')
    .requiredOption('--to <dir>', 'folder of the catalog; must not exist, or be empty')
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
The databases are compared with their SHA-256: a damaged copy is an error, and leaves no catalog. The copy stays.

Example:
  filinglake catalog restore --from ./backups/2026-11-23 --to ./catalog && filinglake catalog check --catalog ./catalog`,
    )
    .action(({ from, ...options }: { from: string; to: string; json?: boolean }) =>
      copy({ catalog: from, ...options }),
    );
  catalog.addCommand(indexCommand());
  catalog
    .command('packs')
    .description('Move full packs into a bucket')
    .requiredOption('--catalog <dir>', 'folder of the catalog')
    .requiredOption('--move <url>', 's3://BUCKET/PREFIX')
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
Packs hold the documents, most of the bytes of a catalog. A pack is full at 1 GiB and never written again. Each full pack is
uploaded, read back and compared, and only then removed here. If the command is interrupted, start it again. The service and
\`ingest\` may run meanwhile.

Readers request ranges of moved packs and keep them on disk: FILINGLAKE_S3_CACHE, up to FILINGLAKE_S3_CACHE_GB. Every block is
compared with its SHA-256. If the bucket is away, documents that are not kept here get 503. Credentials and endpoint are those
of lakes in buckets. One process moves packs at a time.

Example:
  filinglake catalog packs --catalog ./catalog --move s3://archive/packs`,
    )
    .action(move);
  return catalog;
}

interface CopyOptions {
  catalog: string;
  to: string;
  previous?: string;
  quick?: boolean;
  json?: boolean;
}

async function copy(options: CopyOptions): Promise<void> {
  const progress = openProgress({ label: 'copying', unit: 'bytes', silent: options.json === true });
  const summary = await backupCatalog(options.catalog, options.to, {
    previous: options.previous,
    quick: options.quick,
    onProgress: (bytes) => progress.update(bytes),
  });
  const { folder, filings, bytes, bucket_bytes, written_bytes, damaged_earlier, unfinished, seconds } = summary;
  const elsewhere = bucket_bytes === 0 ? '' : ` and ${formatBytes(bucket_bytes)} left in a bucket`;
  if (options.json) printJson(summary);
  else {
    progress.finish(
      `${folder}: ${counted(filings, 'filing')}, ${formatBytes(bytes)} in packs${elsewhere}; ${formatBytes(written_bytes)} written in ${formatDuration(seconds)}`,
    );
  }
  for (const name of damaged_earlier) {
    process.stderr.write(
      `warning: ${name} of ${options.previous} is damaged, or of another catalog. The new copy doesn't share it; check both.\n`,
    );
  }
  for (const left of unfinished) {
    process.stderr.write(`warning: ${left} is unfinished. Delete it, unless another backup is writing it.\n`);
  }
}

async function move(options: { catalog: string; move: string; json?: boolean }): Promise<void> {
  const progress = openProgress({ label: 'moving', unit: 'bytes', silent: options.json === true });
  const summary = await movePacks(options.catalog, options.move, (bytes, total) =>
    progress.update(bytes, undefined, total),
  );
  const { moved, bytes, in_bucket, seconds } = summary;
  if (options.json) printJson(summary);
  else {
    progress.finish(
      `${counted(moved, 'pack')} moved, ${formatBytes(bytes)} in ${formatDuration(seconds)}; ${counted(in_bucket, 'pack')} in a bucket`,
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
