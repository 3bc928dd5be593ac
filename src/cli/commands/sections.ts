/** `filinglake sections`: the sections of annual and quarterly reports, and the items of 8-Ks, straight from files. */
import { basename } from 'node:path';
import { Command } from 'commander';
import { baseForm, dashedForm, isEightK, sectionFamily } from '../../api/index.ts';
import { EXIT, FilinglakeError } from '../../core/index.ts';
import {
  decodeText,
  eightKItems,
  explainSections,
  type FoundSection,
  findSections,
  guessFormType,
  type HeadingVerdict,
  readableText,
  sectionsHtml,
  sectionTexts,
} from '../../documents/index.ts';
import { readSubmission, recogniseFile } from '../../edgar/index.ts';
import { readInputFile } from '../terminal/input-file.ts';
import { formatCount, printJson } from '../terminal/terminal.ts';

interface Options {
  form?: string;
  json?: boolean;
  explain?: boolean;
  section?: string;
  text?: boolean;
  html?: boolean;
}

export function command(): Command {
  return new Command('sections')
    .description('Find sections of 10-Ks and 10-Qs, and items of 8-Ks, in files')
    .argument('<file...>', 'HTML or text documents, or complete submissions; each plain or .gz')
    .option('--form <type>', '10-K, 10-Q or 8-K; by default what the file says')
    .option('--json', 'one JSON line a file')
    .option('--section <code>', 'print this section alone: 7, 1A, II-1A')
    .option('--text', 'with --section: its readable text (the default)')
    .option('--html', 'with --section: its HTML')
    .option('--explain', 'show why each line that names an item was or was not a heading')
    .addHelpText(
      'after',
      `
Positions are UTF-16 units in the text of the main document.

Examples:
  filinglake sections apple-10k.htm
  filinglake sections 0000320193-24-000123.txt.gz --json
  filinglake sections filing.htm --form 10-Q --explain
  filinglake sections apple-10k.htm --section 7 > mda.txt`,
    )
    .action(run);
}

/** A document to be read, with what is known of its filing. */
interface Input {
  text: string;
  formType: string;
  filingDate: string | null;
  headerItems: string[];
  documents: Parameters<typeof eightKItems>[0]['documents'];
}

function run(files: string[], options: Options): void {
  if (options.form !== undefined && sectionFamily(options.form) === null && !isEightK(options.form)) {
    throw new FilinglakeError('form-without-sections', `form '${options.form}' has neither sections nor 8-K items`, {
      exitCode: EXIT.usage,
      remedy: '--form takes 10-K, 10-Q, 8-K and their variants',
    });
  }
  if ((options.text || options.html) && options.section === undefined) throw withoutSection();
  const names = files.map((file) => basename(file));
  const distinct = new Set(names).size === names.length;
  let failed = 0;
  for (const [k, file] of files.entries()) {
    try {
      report(file, distinct ? names[k]! : file, options);
    } catch (error) {
      if (files.length === 1 || !(error instanceof FilinglakeError)) throw error;
      process.stderr.write(`error: ${error.message}\n`);
      failed++;
    }
  }
  if (failed > 0) process.exitCode = EXIT.finishedWithFailures;
}

function withoutSection(): FilinglakeError {
  return new FilinglakeError('section-missing', '--text and --html print one section, and none is named', {
    exitCode: EXIT.usage,
    remedy: 'name it with --section: 7, 1A, II-1A',
  });
}

/** Prints one section of a document. @throws FilinglakeError `section-missing` */
function printSection(file: string, text: string, sections: readonly FoundSection[], options: Options): void {
  const code = options.section!.toUpperCase();
  const place = sections.findIndex((section) => section.section === code);
  if (place < 0) {
    const codes = sections.map((section) => section.section).join(', ');
    throw new FilinglakeError('section-missing', `${file} has no section ${options.section}`, {
      remedy: codes === '' ? 'no sections were found in it' : `it has ${codes}`,
    });
  }
  const htmls = sectionsHtml(text, sections);
  process.stdout.write(`${options.html ? htmls[place]! : sectionTexts(htmls)[place]!}\n`);
}

function report(file: string, name: string, options: Options): void {
  const bytes = readInputFile(file);
  const startedAt = performance.now();
  const input = readInput(file, bytes, options.form);
  const { text, formType } = input;
  if (isEightK(formType)) {
    const items = eightKItems({ ...input, filingDate: input.filingDate ?? dateOfReport(text) });
    const seconds = secondsSince(startedAt);
    if (options.json) printJson({ file: name, form_type: formType, bytes: bytes.length, seconds, items });
    else {
      process.stdout.write(`${name}  ${formType}\n`);
      for (const item of items) {
        process.stdout.write(`  ${item.item.padEnd(5)} ${(item.named_in ?? '').padEnd(6)} ${item.title ?? ''}\n`);
        for (const exhibit of item.exhibits)
          process.stdout.write(`        ${exhibit.exhibit}  ${exhibit.description ?? ''}\n`);
      }
    }
    return;
  }
  const filing = input.filingDate === null ? {} : { filingDate: input.filingDate };
  if (options.section !== undefined) {
    printSection(file, text, findSections(text, formType, filing), options);
    return;
  }
  const { sections, verdicts } = options.explain
    ? explainSections(text, formType, filing)
    : { sections: findSections(text, formType, filing), verdicts: [] };
  const seconds = secondsSince(startedAt);
  if (options.json) {
    const rows = sections.map(({ section, title, start_index, end_index, by_reference }) => ({
      ...{ section, title, start_index, end_index, by_reference },
    }));
    printJson({
      file: name,
      form_type: formType,
      bytes: bytes.length,
      seconds,
      sections: rows,
      ...(options.explain ? { headings: verdicts } : {}),
    });
  } else printOutline(name, text, formType, sections, verdicts);
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1e6;
}

function readInput(file: string, bytes: Buffer, form: string | undefined): Input {
  if (recogniseFile(basename(file).replace(/\.gz$/, ''), bytes.subarray(0, 4096)) === 'submission') {
    const submission = readSubmission(bytes);
    const formType = form ?? dashedForm(submission.formType);
    const main =
      submission.documents.find((document) => baseForm(document.type) === baseForm(submission.formType)) ??
      submission.documents[0];
    if (!main)
      throw new FilinglakeError('no-document', `${file} holds no document`, {
        remedy: 'the submission is a header only',
      });
    return {
      text: decodeText(main.read()).text,
      formType: withSections(formType, file),
      filingDate: submission.filingDate,
      headerItems: submission.items,
      documents: submission.documents.map((document) => ({
        document_id: `${submission.accessionNumber}-${document.sequence}`,
        sequence: document.sequence,
        filename: document.filename,
        description: document.description,
        type: document.type,
      })),
    };
  }
  const { text } = decodeText(bytes);
  // As the service does: a form that can't be told is read as an annual report.
  return {
    text,
    formType: withSections(form ?? guessFormType(text) ?? '10-K', file),
    filingDate: null,
    headerItems: [],
    documents: [],
  };
}

function withSections(formType: string, file: string): string {
  if (sectionFamily(formType) !== null || isEightK(formType)) return formType;
  throw new FilinglakeError(
    'form-without-sections',
    `${file} is of form ${formType}, which has neither sections nor 8-K items`,
    {
      exitCode: EXIT.usage,
      remedy: 'say how to read it with --form 10-K, 10-Q or 8-K',
    },
  );
}

/** A bare 8-K tells its age by its numbers: the day decides only which numbering is looked for first. */
function dateOfReport(text: string): string {
  return /items?(?:\s|&nbsp;|&#160;)*\d\.\d\d/i.test(text) ? '2004-08-23' : '2004-08-22';
}

const FIRST_WORDS = 60;

function referenceWords({ exhibit, pages }: NonNullable<FoundSection['by_reference']>): string {
  const document = /^\d/.test(exhibit ?? '') ? `Exhibit ${exhibit}` : (exhibit ?? 'elsewhere');
  return `in ${document}${pages === null ? '' : `, pages ${pages}`}`;
}

function printOutline(
  name: string,
  text: string,
  formType: string,
  sections: readonly FoundSection[],
  verdicts: readonly HeadingVerdict[],
): void {
  process.stdout.write(`${name}  ${formType}\n`);
  for (const section of sections) {
    const source = text.slice(section.start_index, section.end_index);
    const words = readableText(source.slice(0, 20_000), 'text/html').replace(/\s+/g, ' ');
    const body = words.startsWith(section.heading) ? words.slice(section.heading.length).trim() : words;
    const length = formatCount(source.length).padStart(11);
    const elsewhere = section.by_reference ? `[${referenceWords(section.by_reference)}] ` : '';
    process.stdout.write(
      `  ${section.section.padEnd(6)} ${section.title.slice(0, 42).padEnd(42)} ${length}  ${elsewhere}${body.slice(0, FIRST_WORDS)}\n`,
    );
  }
  if (sections.length === 0) process.stdout.write('  no sections found\n');
  for (const verdict of verdicts) {
    const mark = verdict.taken ? '+' : '-';
    const items = verdict.items.join(',');
    process.stdout.write(
      `  ${mark} ${String(verdict.start_index).padStart(9)}  ${items.padEnd(5)} ${verdict.heading.slice(0, 60).padEnd(60)} ${verdict.reasons.join(', ')}\n`,
    );
  }
}
