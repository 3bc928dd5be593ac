/** `filinglake remap`: makes the tables of forms and XBRL from the documents that a lake has. */
import { Command } from 'commander';
import { EXIT, FilinglakeError, nearestWord } from '../../core/index.ts';
import { type RemapReport, remapLake } from '../../export/runtime/index.ts';
import { FORM_TABLES, TABLE_GROUPS, tableNamed, tablesNamed, USUAL_FORM_TABLES } from '../../lake/tables/index.ts';
import { watchInterrupts } from '../terminal/interruption.ts';
import { NO_WAIT, withLakeInTurn } from '../terminal/lake-folder.ts';
import { counted, formatBytes, formatCount, openProgress, printJson, printTable } from '../terminal/terminal.ts';

interface Options {
  tables?: string;
  lake?: string;
  json?: boolean;
  wait?: boolean;
}

export function command(): Command {
  return new Command('remap')
    .description('Make tables of structured forms and XBRL from the documents in a lake, without a request')
    .option(
      '--tables <list>',
      `tables or groups, by commas (default: all but form_values); groups: ${[...TABLE_GROUPS.keys()].join(', ')}`,
    )
    .option('--lake <place>', 'folder or URL of the lake (default: this folder if it is a lake, else ./lake)')
    .option('--json', 'print the report as JSON')
    .option(...NO_WAIT)
    .addHelpText(
      'after',
      `
The lake needs the tables documents and document_contents. Store XML as it is: documents: { xml: raw }.
A filing is mapped if the lake has all documents that its tables need. Other filings stay as they are.
Rows of an older version of the mapping are replaced. Filings that are up to date are skipped. Rows of a newer version
of filinglake stay as they are.

Waits while an export or another command has the lake. Safe while others read. Filings are mapped in stretches of at most 2,000, a commit each.
After Ctrl-C or a kill, the same command continues: it skips what the lake has.

Exit codes: 0 complete; 3 a stored document can't be mapped, and the report names it; 130 interrupted.

Examples:
  filinglake remap
  filinglake remap --tables xbrl,ownership --lake /data/lake --json
  filinglake remap --lake s3://research/lake`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const tables = options.tables === undefined ? USUAL_FORM_TABLES : chosenTables(options.tables);
  const progress = openProgress({ label: 'mapping', unit: 'bytes', silent: options.json === true });
  using interruption = watchInterrupts();
  try {
    const report = await withLakeInTurn(options.lake, { what: 'remap', wait: options.wait }, (lake, term) =>
      remapLake(lake, {
        tables,
        term,
        signal: interruption.signal,
        onProgress: ({ bytes: all, examined, filings }, bytes) =>
          progress.update(Math.min(all, bytes), `${formatCount(examined)} of ${counted(filings, 'filing')}`, all),
      }),
    );
    progress.finish(`${counted(report.examined, 'filing')} examined`);
    if (options.json) printJson(report);
    else printReport(report);
    if (report.unreadable > 0) process.exitCode = EXIT.finishedWithFailures;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    process.stderr.write('interrupted: what was committed stays, and the same command continues\n');
    process.exitCode = EXIT.interrupted;
  }
}

function chosenTables(list: string): readonly string[] {
  const known = [...TABLE_GROUPS.keys(), ...FORM_TABLES];
  const words = list.split(',').map((word) => word.trim());
  for (const word of words) {
    if (known.includes(word)) continue;
    if (tableNamed(word) !== undefined)
      throw new FilinglakeError('table-unknown', `remap doesn't make the table ${word}, but only those of forms`, {
        remedy: `Add ${word} to the tables of the definition, and export: the export makes it.`,
      });
    const near = nearestWord(word, known);
    throw new FilinglakeError('table-unknown', `there is no table or group '${word}' of forms`, {
      remedy: near ? `Did you mean '${near}'?` : `The groups are ${[...TABLE_GROUPS.keys()].join(', ')}.`,
    });
  }
  return tablesNamed(words);
}

function printReport(report: RemapReport): void {
  const rows = Object.entries(report.rows).map(([table, count]) => ({ table, rows: formatCount(count) }));
  if (rows.length > 0) printTable(rows, ['table', 'rows']);
  const { mapped, current, without, incomplete, unreadable } = report;
  const line = (text: string) => process.stdout.write(`${text}\n`);
  line(
    `${counted(report.filings, 'filing')} with documents (${formatBytes(report.bytes)}), lake version ${report.version}`,
  );
  line(
    `${counted(mapped, 'filing')} mapped, ${formatCount(current)} up to date, ${formatCount(without)} without such tables`,
  );
  if (incomplete > 0)
    line(
      `${counted(incomplete, 'filing')} left as they are, since the lake lacks documents of their forms: ${named(report.incomplete_examples, incomplete)}`,
    );
  if (report.as_json > 0)
    line(
      `${counted(report.as_json, 'filing')} of these: the lake has their XML as JSON. Export it with documents: { xml: raw }`,
    );
  if (report.newer > 0)
    line(
      `${counted(report.newer, 'filing')} left as they are, since a newer version of filinglake has mapped them (update this one): ${named(report.newer_examples, report.newer)}`,
    );
  if (report.older > 0)
    line(
      `${counted(report.older, 'filing')} with rows of an older mapping still: the lake lacks their documents, or can't map them. Export them with document_contents, then run remap again`,
    );
  if (unreadable > 0) {
    line(`${counted(unreadable, 'filing')} left as they are, since a document can't be mapped:`);
    for (const { accession_number, message } of report.unreadable_examples) line(`  ${accession_number}: ${message}`);
  }
}

function named(examples: readonly string[], count: number): string {
  return `${examples.slice(0, 5).join(', ')}${count > 5 ? ' …' : ''}`;
}
