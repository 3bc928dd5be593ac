/** `filinglake corpus`: writes the texts of a lake as JSON Lines, for a corpus. */
import { Command, Option } from 'commander';
import { FilinglakeError } from '../../core/index.ts';
import { writeCorpus } from '../../lake/report/index.ts';
import { terminalMemoryBytes, versionAsked, withLake } from '../terminal/lake-folder.ts';
import { wholeNumber } from '../terminal/option-values.ts';
import { packageVersion } from '../terminal/package-version.ts';
import { counted, formatBytes, openProgress, printResult } from '../terminal/terminal.ts';

interface Options {
  sections?: string;
  where?: string;
  fileMb: number;
  gzip?: boolean;
  lake?: string;
  at?: string;
  release?: string;
  json?: boolean;
}

const MEGABYTE = 1_000_000;

export function command(): Command {
  return new Command('corpus')
    .description('Write the texts of sections as JSON Lines, with a card that says what is in them')
    .argument('<folder>', 'a new folder, which appears when it is complete')
    .option('--sections <list>', 'codes of sections, by commas: 1A,II-1A (default: all)')
    .option('--where <condition>', 'only rows of the view corpus that fit a condition, in SQL')
    .addOption(
      new Option('--file-mb <number>', 'begin a new file at so many megabytes, before compression')
        .argParser(wholeNumber('--file-mb', 1, 100_000))
        .default(256),
    )
    .option('--gzip', 'compress each file')
    .option('--lake <place>', 'folder or URL of the lake (default: this folder if it is a lake, else ./lake)')
    .option('--at <version|time>', 'the lake as of a version (filinglake lake log) or a time')
    .addOption(new Option('--release <name>', 'a release (filinglake lake release)').conflicts('at'))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A line has the text, its section, kind, company, form and dates, the accession number, the place in the document, the length and the SHA-256.
README.md counts texts by form, section and kind, and says how many filings of the lake have none. SHA256SUMS proves the files.

The lake needs the tables filings and section_contents; with sections, lines have the place of the section.
\`filinglake schema corpus\` lists the columns. For other columns: \`filinglake sql "SELECT …" --output texts.jsonl\`.

Examples:
  filinglake corpus risk-factors --sections 1A --gzip
  filinglake corpus discussions --sections 7,II-2,I-2 --where "filing_date >= DATE '2015-01-01' AND characters > 500"`,
    )
    .action(run);
}

async function run(folder: string, options: Options): Promise<void> {
  const { where = null, gzip = false, json } = options;
  const sections = options.sections === undefined ? null : codesOf(options.sections);
  const progress = openProgress({ label: 'writing', unit: 'texts', silent: json === true });
  await withLake(options.lake, { queryMemoryBytes: terminalMemoryBytes() }, async (lake) => {
    const at = (await versionAsked(lake, options)).at ?? (await lake.currentVersion());
    const report = await writeCorpus(lake, folder, {
      at,
      sections,
      where,
      gzip,
      fileBytes: options.fileMb * MEGABYTE,
      madeBy: `filinglake ${packageVersion()}`,
      onProgress: (texts, of) => progress.update(texts, '', of),
    });
    for (const sentence of report.without) process.stderr.write(`${sentence}\n`);
    const bytes = report.files.reduce((sum, file) => sum + file.bytes, 0);
    const what = `${counted(report.texts, 'text')} of ${counted(report.filings, 'filing')} in ${counted(report.files.length, 'file')}, ${formatBytes(bytes)}`;
    printResult(json, report, `${folder}: ${what}, lake version ${at}`);
  });
}

function codesOf(list: string): string[] {
  const codes = list
    .split(',')
    .map((word) => word.trim().toUpperCase())
    .filter((word) => word !== '');
  if (codes.length > 0) return codes;
  throw new FilinglakeError('argument-missing', '--sections names no section', {
    remedy: 'Give for example --sections 1A,7.',
  });
}
