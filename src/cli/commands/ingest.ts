/** `filinglake ingest PATH… --catalog DIR`: stores EDGAR files in a catalog. */
import { Command } from 'commander';
import { EXIT } from '../../core/index.ts';
import { ENRICHMENTS, type IngestSummary, ingest } from '../../service/catalog/index.ts';
import { watchInterrupts } from '../terminal/interruption.ts';
import { wholeNumber } from '../terminal/option-values.ts';
import { counted, formatBytes, formatCount, formatDuration, openProgress, printJson } from '../terminal/terminal.ts';

interface Options {
  catalog: string;
  wait?: boolean;
  threads?: number;
  json?: boolean;
}

const ARCHIVE = /\.(tar|tgz|tar\.gz|zip)$/i;

export function command(): Command {
  return new Command('ingest')
    .description('Store EDGAR submissions and SEC’s JSON files in a catalog')
    .argument('<path...>', 'files, folders, and archives of them: .gz, .tar, .tar.gz, .tgz, .zip')
    .requiredOption('--catalog <dir>', 'folder of the catalog; created if there is none')
    .option('--wait', 'wait for another ingest into the same catalog to end')
    .option(
      '--threads <n>',
      'number of threads that parse (default: the processors minus one, 1 to 4)',
      wholeNumber('--threads', 0, 99),
    )
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
Complete submissions (.txt, .nc) become filings. Submissions JSON and company_tickers*.json add facts about entities. Other
files are counted as skipped.

Single documents become filings too, if a file or a folder is named by the accession number. A file next to them must say
what they are. It may be SEC's submissions JSON, an index of EDGAR, the page …-index-headers.html, metadata.json of datamule, or
FILINGS_METADATA.csv of edgar-crawler. docs/guide/your-own-files.md#single-documents.
An empty file or a web page under the name of a submission is a failure. Run it again to store what is new, or to continue after a kill.

Exit code 0: everything is stored; 3: some files are broken, documents are not stored, or no file is of a known kind:
they are listed.

Examples:
  filinglake ingest ./edgar --catalog ./catalog
  filinglake ingest 20250110.nc.tar.gz company_tickers_exchange.json --catalog ./catalog --json`,
    )
    .action(run);
}

async function run(paths: string[], options: Options): Promise<void> {
  const progress = openProgress({ label: 'ingesting', unit: 'bytes', silent: options.json === true });
  using interruption = watchInterrupts();
  const summary = await ingest(paths, options.catalog, {
    ...(options.wait ? { wait: true } : {}),
    ...(options.threads === undefined ? {} : { threads: options.threads }),
    signal: interruption.signal,
    onWait: (holder) => progress.note(`waiting for another ingest (${holder}) to end`),
    onProgress: (p) => {
      const words = [counted(p.filings, 'filing')];
      if (p.skipped > 0) words.push(`${counted(p.skipped, 'file')} skipped`);
      if (p.failed > 0) words.push(`${formatCount(p.failed)} failed`);
      progress.update(p.bytes, words.join(', '));
    },
    onFailure: (f) => progress.note(`failed: ${f.path}${placeOf(f)}: ${f.message}`),
  });
  if (options.json) printJson(summary);
  else progress.finish(describe(summary));
  if (summary.interrupted) process.exitCode = EXIT.interrupted;
  else if (summary.failures.length > 0 || summary.loose.left.length > 0 || isNothingUsed(summary))
    process.exitCode = EXIT.finishedWithFailures;
}

/** Most messages include the place already. */
function placeOf({ offset, message }: IngestSummary['failures'][number]): string {
  return offset === null || message.includes(`at byte ${offset}`) ? '' : ` at byte ${offset}`;
}

/** Kinds of skipped files that are named: nobody puts them there on purpose. */
const NAMED_KINDS: ReadonlySet<string> = new Set(['unknown', 'page']);
const NAMED_MAX = 5;

/** Whether nothing came of an ingest: there are no files, or none is of a kind that EDGAR or a downloader makes. */
function isNothingUsed({ filings, enriched, skipped, failures }: IngestSummary): boolean {
  const used = [...Object.values(filings), ...Object.values(enriched)].some((n) => n > 0);
  const kinds = Object.keys(skipped);
  // A file that failed is reported by itself.
  const isUntold = kinds.length > 0 || failures.length === 0;
  return !used && isUntold && kinds.every((kind) => NAMED_KINDS.has(kind));
}

/** What a kind means, if its name does not say it. */
const KIND_NOTES: Readonly<Record<string, string>> = {
  superseded_submission: ' (another file of the same filing is stored)',
  deleted_submission: ' (EDGAR deleted the filing)',
};

/** What to do about documents that are not stored. */
const LEFT_REMEDIES: Readonly<Record<IngestSummary['loose']['left'][number]['reason'], string>> = {
  no_accession_number:
    'no path names their filing. Put them into folders with the accession number as the name, or fetch the filings with `filinglake edgar fetch`. `filinglake sections` and `map` read single files',
  no_facts:
    'nothing says who filed them, and when. Ingest SEC’s submissions JSON of the companies with them (https://data.sec.gov/submissions/CIK##########.json), or a form.idx of the quarter. Ownership forms need …-index-headers.html or the submission',
  no_main_document:
    'none of the files is known to be the main document. Ingest SEC’s submissions JSON of the companies with them',
};

function looseLines({ loose }: IngestSummary): string[] {
  const lines: string[] = [];
  const facts = loose.facts_of === 0 ? '' : `, described by ${counted(loose.facts_of, 'file')} beside them`;
  if (loose.stored > 0) lines.push(`single documents: ${formatCount(loose.stored)} made into filings${facts}`);
  if (loose.of_stored_filings > 0)
    lines.push(`of filings that are stored whole: ${counted(loose.of_stored_filings, 'single document')}`);
  for (const { reason, files, example } of loose.left)
    lines.push(`not stored: ${counted(files, 'document')} such as ${example}: ${LEFT_REMEDIES[reason]}`);
  return lines;
}

function describe(s: IngestSummary): string {
  const rate = formatBytes(s.bytes / Math.max(s.seconds, 0.001));
  const lines = [
    `${s.interrupted ? 'interrupted; ' : ''}filings: ${formatCount(s.filings.new)} new, ${formatCount(s.filings.replaced)} replaced${s.filings.replaced > 0 ? ' (by another file of the same filing)' : ''}, ` +
      `${formatCount(s.filings.unchanged)} unchanged${s.filings.deleted > 0 ? `, ${formatCount(s.filings.deleted)} deleted` : ''}`,
    `documents: ${formatCount(s.documents)} stored · ${formatBytes(s.bytes)} read in ${formatDuration(s.seconds)} (${rate}/s)`,
  ];
  if (Object.values(s.enriched).some((files) => files > 0)) {
    const files = ENRICHMENTS.flatMap(({ kind, nouns }) => {
      const number = s.enriched[kind.name] ?? 0;
      return number === 0 ? [] : [counted(number, ...nouns)];
    });
    lines.push(`entities enriched from ${files.join(' and ')}`);
  }
  lines.push(...looseLines(s));
  const skipped = Object.entries(s.skipped).sort(([a], [b]) => (a < b ? -1 : 1));
  if (skipped.length > 0)
    lines.push(
      `skipped: ${skipped.map(([kind, n]) => `${formatCount(n)} ${kind}${KIND_NOTES[kind] ?? ''}`).join(', ')}`,
    );
  const odd = s.skipped_files.filter(({ kind }) => NAMED_KINDS.has(kind));
  if (odd.length > 0) {
    const some = odd.slice(0, NAMED_MAX).map(({ path, kind }) => `${path} (${kind})`);
    lines.push(`  ${some.join(', ')}${odd.length > NAMED_MAX ? ', ...' : ''} (--json lists each file)`);
  }
  if (isNothingUsed(s) && !s.interrupted)
    lines.push(
      skipped.length === 0
        ? 'nothing is stored: there is no file in what you named. Name the folder with the filings'
        : 'nothing is stored: none of the files is a submission, a list of SEC’s, or a document beside such a list. docs/guide/your-own-files.md#single-documents says what downloaders write',
    );
  if (!s.has_tickers && s.filings.new > 0)
    lines.push(
      'tickers and exchanges are empty: submissions have none. Ingest https://www.sec.gov/files/company_tickers_exchange.json',
    );
  if (s.warning_count > 0) lines.push(`${counted(s.warning_count, 'oddity', 'oddities')} noted (--json lists them)`);
  if (s.failures.length > 0)
    lines.push(
      `failed: ${counted(s.failures.length, 'file')}; nothing of a broken file is stored${s.failures.some(({ path }) => ARCHIVE.test(path)) ? ', whole files of a broken archive are' : ''}`,
    );
  return lines.join('\n');
}
