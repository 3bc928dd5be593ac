/** `filinglake catalog index`: brings an index in OpenSearch to the state of a catalog. */
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { EXIT, FilinglakeError } from '../../core/index.ts';
import { type FillSummary, fillIndex } from '../../service/catalog/index.ts';
import { FULLTEXT_OPTION, fulltextPlace } from '../terminal/fulltext-place.ts';
import { watchInterrupts } from '../terminal/interruption.ts';
import { wholeNumber } from '../terminal/option-values.ts';
import { counted, formatDuration, openProgress, printJson } from '../terminal/terminal.ts';

interface Options {
  catalog: string;
  fulltext?: string;
  follow?: boolean;
  check?: boolean;
  refill?: boolean;
  shards?: number;
  replicas?: number;
  json?: boolean;
}

/** Between two looks with --follow. */
const LOOK_MS = 1_000;
const AWAY_MS = 10_000;
/** OpenSearch, or the bucket of moved packs */
const AWAY: ReadonlySet<string> = new Set(['fulltext-engine-unreachable', 'pack-unreachable']);

export function indexCommand(): Command {
  return new Command('index')
    .description('Fill an index in OpenSearch with the texts of a catalog, or bring it up to date')
    .requiredOption('--catalog <dir>', 'folder of the catalog')
    .option(...FULLTEXT_OPTION)
    .option('--follow', 'bring it up to date each second, until interrupted')
    .option('--check', 'compare every document of the index with the catalog, and repair what differs')
    .option(
      '--refill',
      'delete the index and fill it again: after a catalog was restored, or a new release asks for it',
    )
    .option('--shards <n>', 'shards of a new index (1)', wholeNumber('--shards', 1, 1_024))
    .option('--replicas <n>', 'copies of each shard of a new index (0)', wholeNumber('--replicas', 0, 100))
    .option('--json', 'print the summary as JSON; with --follow each that wrote something, one a line')
    .addHelpText(
      'after',
      `
\`filinglake serve --fulltext URL\` then searches there. Hits are those of the catalog at any moment: documents that the index
lacks are searched in the catalog, up to 20,000. Behind that, or without OpenSearch, searches are answered 503.
A run that was ended, or killed, continues where it was. Tested with OpenSearch 3.2. Its user needs all rights on the index.

Exit code 0: the index is up to date; 1: --check found and repaired differences, or an error.

Examples:
  filinglake catalog index --catalog ./catalog --fulltext opensearch+http://127.0.0.1:9200/filings
  filinglake catalog index --catalog ./catalog --fulltext opensearch+http://127.0.0.1:9200/filings --follow
  filinglake serve --catalog ./catalog --fulltext opensearch+http://127.0.0.1:9200/filings`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const place = fulltextPlace(options.fulltext);
  if (place === undefined) throw new FilinglakeError('argument-missing', '--fulltext is missing');
  const { summary, progress } = await fillOnce(place, options);
  progress.finish(summaryText(summary));
  if (options.json) printJson(summary);
  if ((summary.repaired ?? 0) > 0) process.exitCode = EXIT.error;
  if (options.follow) await follow(place, { ...options, refill: false, check: false });
}

async function fillOnce(place: string, options: Options) {
  const progress = openProgress({ label: 'indexing', unit: 'documents', silent: options.json === true });
  const { check = false, refill = false, shards = 1, replicas = 0 } = options;
  const summary = await fillIndex(options.catalog, place, {
    check,
    refill,
    shards,
    replicas,
    onProgress: (done, total) => progress.update(done, undefined, total),
  });
  return { summary, progress };
}

async function follow(place: string, options: Options): Promise<void> {
  const { signal } = watchInterrupts();
  const say = (text: string) => process.stderr.write(`${text}\n`);
  while (!signal.aborted) {
    let waitMs = LOOK_MS;
    try {
      const summary = await fillIndex(options.catalog, place);
      if (summary.written + summary.deleted > 0) options.json ? printJson(summary) : say(summaryText(summary));
    } catch (error) {
      if (!(error instanceof FilinglakeError && AWAY.has(error.code))) throw error;
      waitMs = AWAY_MS;
      say(`${error.message}; trying again`);
    }
    await pause(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

function summaryText({ index, written, deleted, repaired, seconds }: FillSummary): string {
  const checked = repaired === null ? '' : `, ${counted(repaired, 'difference')} found and repaired`;
  return `${index}: ${counted(written, 'document')} written, ${deleted} deleted${checked}, in ${formatDuration(seconds)}`;
}
