/** `filinglake text`: prints the readable text of documents. */
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { EXIT, FilinglakeError } from '../../core/index.ts';
import { baseForm } from '../../filings/api/index.ts';
import {
  decodeText,
  guessFormType,
  isTextual,
  mediaType,
  readParts,
  type TextFormat,
} from '../../filings/documents/index.ts';
import { readSubmission, recogniseFile, submissionKind } from '../../filings/edgar/index.ts';
import { readInputFile } from '../terminal/input-file.ts';
import { wholeNumber } from '../terminal/option-values.ts';
import { printResult } from '../terminal/terminal.ts';

interface Options {
  format: TextFormat;
  document?: number;
  json?: boolean;
}

export function command(): Command {
  return new Command('text')
    .description('Print the readable text of documents')
    .argument('<file...>', 'HTML, text or XML documents, or complete submissions; each plain or .gz')
    .addOption(
      new Option('--format <format>', 'markdown: headings, lists and tables are marked; lines: as filed')
        .choices(['plain', 'markdown', 'lines'])
        .default('plain'),
    )
    .option(
      '--document <sequence>',
      'of a submission: this document; default: the main one',
      wholeNumber('--document', 1, 99_999),
    )
    .option('--json', 'print one JSON line for each file')
    .addHelpText(
      'after',
      `
A paragraph is a line, with a blank line between two; tables keep rows and columns,
lists their marks. Page numbers and running headers are left out. A form in XML reads as lines \`name: value\`.

Examples:
  filinglake text apple-10k.htm
  filinglake text apple-10k.htm --format markdown > apple-10k.md
  filinglake text 0000320193-24-000123.txt.gz --document 2
  filinglake text form4.xml`,
    )
    .action(run);
}

function run(files: string[], options: Options): void {
  let failed = 0;
  for (const file of files) {
    try {
      const { text, ...about } = textOfFile(file, options);
      printResult(options.json, { file: basename(file), ...about, text }, text);
    } catch (error) {
      if (files.length === 1 || !(error instanceof FilinglakeError)) throw error;
      process.stderr.write(`error: ${error.message}\n`);
      failed++;
    }
  }
  if (failed > 0) process.exitCode = EXIT.finishedWithFailures;
}

/** @throws FilinglakeError `document-missing`, `argument-missing` */
function textOfFile(file: string, { format, document: sequence }: Options) {
  const bytes = readInputFile(file);
  const filename = basename(file).replace(/\.gz$/, '');
  if (recogniseFile(filename, bytes.subarray(0, 4096)) !== submissionKind)
    return readable({ filename, type: null, read: () => bytes }, format, file);
  const { documents, formType } = readSubmission(bytes);
  const form = baseForm(formType);
  const main = documents.find(({ type }) => baseForm(type) === form) ?? documents[0];
  const found = sequence === undefined ? main : documents.find((one) => one.sequence === sequence);
  if (found === undefined)
    throw new FilinglakeError('document-missing', `${file} has no document ${sequence ?? ''}`.trim(), {
      remedy: `It has ${documents.map((one) => one.sequence).join(', ') || 'none'}.`,
    });
  return readable(found, format, file);
}

interface NamedDocument {
  filename: string | null;
  type: string | null;
  read: () => Buffer;
}

function readable({ filename, type, read }: NamedDocument, format: TextFormat, file: string) {
  const bytes = read();
  const content_type = mediaType({ filename, type }, bytes);
  if (!isTextual(content_type))
    throw new FilinglakeError('document-missing', `${filename ?? file} is ${content_type}: it has no text to print`, {
      remedy: 'Name an HTML, text or XML document.',
    });
  const { text } = decodeText(bytes);
  const form = type ?? guessFormType(text);
  return { filename, type, content_type, format, text: readParts(text, content_type, { type: form, format }).text };
}
