/** `filinglake sections`: prints the sections of annual and quarterly reports, and the items of 8-Ks, from files. */
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { EXIT, FilinglakeError } from '../../core/index.ts';
import {
  isEightK,
  type SectionKind,
  type SectionReference,
  sectionCode,
  sectionFamily,
} from '../../filings/api/index.ts';
import {
  decodeText,
  explainSections,
  type FoundSection,
  findSections,
  findStructure,
  type HeadingVerdict,
  readableText,
  type Structure,
} from '../../filings/documents/index.ts';
import { itemContent, type Report, readReport, reportItems, reportSections } from '../../library/sections.ts';
import { readInputFile } from '../terminal/input-file.ts';
import { formatCount, printJson } from '../terminal/terminal.ts';

interface Options {
  form?: string;
  json?: boolean;
  explain?: boolean;
  headings?: boolean;
  section?: string;
  text?: boolean;
  html?: boolean;
}

export function command(): Command {
  return new Command('sections')
    .description('Find sections of 10-Ks, 10-Qs and 20-Fs, and items of 8-Ks, in files')
    .argument('<file...>', 'HTML or text documents, or complete submissions; each plain or .gz')
    .option('--form <type>', '10-K, 10-Q, 20-F or 8-K; default: the form that the file states')
    .option('--json', 'print one JSON line for each file')
    .option('--section <code>', 'print only this section or item: 7, 1A, II-1A, 5.02')
    .option('--text', 'with --section: its readable text (the default)')
    .option('--html', 'with --section: its HTML')
    .addOption(
      new Option(
        '--headings',
        'the headings inside each section too, and the single risks; also of other forms',
      ).conflicts('explain'),
    )
    .option('--explain', 'show why each line that names an item was or was not a heading')
    .addHelpText(
      'after',
      `
A document must state its form on its first page. If it does not (a part of a
report), name it with --form. A proxy statement or a prospectus is refused: it
has no items, or they mean something else.

Positions are UTF-16 units in the text of the main document. Of an 8-K: where
the heading of the item stands; without one if only the header names it.

With --section: an item that points to another place of the document, or to
Exhibit 13 of the same submission, is printed with the text from there. A note
on stderr says so.

With --headings --json: lists \`headings\` (with level and parent, the heading
above it) and \`risk_factors\`. A report from before December 2005 has no item on
risk factors: then each discussion of risks is a row, and its single risks are in
\`risks\`. A document without sections (a proxy statement, a press release) has
all its headings listed, with \`section\` null. \`start\` and \`end\` are positions in the decoded file. In a complete
submission they differ from \`start_index\` and \`end_index\`, which are positions
in the main document.

Examples:
  filinglake sections apple-10k.htm
  filinglake sections 0000320193-24-000123.txt.gz --json
  filinglake sections filing.htm --form 10-Q --explain
  filinglake sections apple-10k.htm --headings
  filinglake sections apple-10k.htm --section 7 > mda.txt
  filinglake sections apple-8k.htm --section 5.02
  filinglake sections 0000950130-96-000896.txt --section 7 --html > mda.htm`,
    )
    .action(run);
}

function run(files: string[], options: Options): void {
  const known = options.form === undefined || sectionFamily(options.form) !== null || isEightK(options.form);
  if (!known && !options.headings) {
    throw new FilinglakeError('form-unsupported', `form '${options.form}' has neither sections nor 8-K items`);
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
  return new FilinglakeError('argument-missing', '--text and --html need --section', {
    remedy: 'Name the section with --section: 7, 1A, II-1A.',
  });
}

/** Prints one section with its substance, or one item; where it is from goes to stderr. @throws FilinglakeError `section-missing` */
function printSection(file: string, report: Report, options: Options): void {
  const given = options.section!;
  const code = sectionCode(given, sectionFamily(report.formType ?? '')) ?? given.toUpperCase().replace(/^ITEM\s+/, '');
  const { html, text } = isEightK(report.formType ?? '') ? itemOf(file, report, code) : substanceOf(file, report, code);
  process.stdout.write(`${options.html ? html : text}\n`);
}

function substanceOf(file: string, report: Report, code: string) {
  const sections = reportSections(report);
  const found = sections.find(({ section }) => section === code);
  if (found === undefined) {
    const codes = sections.map(({ section }) => section).join(', ');
    throw new FilinglakeError('section-missing', `${file} has no section ${code}`, {
      remedy: codes === '' ? 'No sections were found in it.' : `It has ${codes}.`,
    });
  }
  const { html, text, source, substance_html, kind } = found;
  if (source !== 'item')
    process.stderr.write(`Section ${code} points elsewhere. Its text is from ${PLACES[source]}.\n`);
  else if (substance_html !== null)
    process.stderr.write(`Section ${code} runs on into the financial statements: they are left out.\n`);
  else if (kind.startsWith('pointer'))
    process.stderr.write(`Section ${code} points elsewhere (${kind}), and its text is not in this file.\n`);
  return { html: substance_html ?? html, text };
}

function itemOf(file: string, report: Report, code: string) {
  const items = reportItems(report);
  const found = items.find(({ item }) => item === code);
  if (found === undefined) {
    const codes = items.map(({ item }) => item).join(', ');
    throw new FilinglakeError('section-missing', `${file} has no item ${code}`, {
      remedy: codes === '' ? 'No items were found in it.' : `It has ${codes}.`,
    });
  }
  const content = itemContent(report, found);
  if (content !== null) return content;
  throw new FilinglakeError('section-missing', `only the header of ${file} names item ${code}: it has no heading`, {
    remedy: 'Read the whole document: filinglake text.',
  });
}

const PLACES = { document: 'another place in the document', exhibit: 'the annual report to shareholders (Exhibit 13)' };

function report(file: string, name: string, options: Options): void {
  const bytes = readInputFile(file);
  const startedAt = performance.now();
  const form = options.form === undefined ? {} : { formType: options.form };
  const anyForm = options.headings ?? false;
  const input = readReport(bytes, { ...form, anyForm, filename: basename(file).replace(/\.gz$/, '') });
  const { text, formType } = input;
  if (options.section !== undefined) {
    printSection(file, input, options);
    return;
  }
  if (isEightK(formType ?? '')) {
    const items = reportItems(input);
    const structure = options.headings ? findStructure(text, [], { filingDate: input.filingDate }) : null;
    const seconds = secondsSince(startedAt);
    const placed = structure === null ? {} : placedInFile(structure, bytes, text);
    if (options.json) printJson({ file: name, form_type: formType, bytes: bytes.length, seconds, items, ...placed });
    else {
      process.stdout.write(`${name}  ${formType}\n`);
      for (const item of items) {
        const place = typeof item.start_index === 'number' ? formatCount(item.start_index) : '';
        process.stdout.write(
          `  ${item.item.padEnd(5)} ${(item.named_in ?? '').padEnd(6)} ${place.padStart(9)}  ${item.title ?? ''}\n`,
        );
        for (const exhibit of item.exhibits)
          process.stdout.write(`${' '.repeat(24)} ${exhibit.exhibit}  ${exhibit.description ?? ''}\n`);
      }
      if (structure !== null) printStructure(structure);
    }
    return;
  }
  const filing = input.filingDate === null ? {} : { filingDate: input.filingDate };
  const { sections, verdicts } = options.explain
    ? explainSections(text, formType ?? '', filing)
    : { sections: findSections(text, formType ?? '', filing), verdicts: [] };
  const structure = options.headings ? findStructure(text, sections, { filingDate: input.filingDate }) : null;
  const seconds = secondsSince(startedAt);
  if (options.json) {
    const rows = sections.map(
      ({ section, title, start_index, end_index, kind, by_reference, substance_start, substance_end }) => ({
        section,
        title,
        start_index,
        end_index,
        kind,
        by_reference,
        substance_start,
        substance_end,
      }),
    );
    printJson({
      file: name,
      form_type: formType,
      bytes: bytes.length,
      seconds,
      sections: rows,
      ...(options.explain ? { headings: verdicts } : {}),
      ...(structure === null ? {} : placedInFile(structure, bytes, text)),
    });
  } else printOutline(name, text, formType, sections, verdicts);
  if (!options.json && structure !== null) printStructure(structure);
}

/** Positions in the decoded file beside those in the main document. */
function placedInFile({ headings, risk_factors }: Structure, bytes: Buffer, text: string) {
  const offset = decodeText(bytes).text.indexOf(text);
  const inFile = (position: number) => (offset < 0 ? null : offset + position);
  const placed = <One extends { section: string | null; heading: string; start_index: number; end_index: number }>({
    section,
    heading,
    ...rest
  }: One) => ({ section, heading, start: inFile(rest.start_index), end: inFile(rest.end_index), ...rest });
  return {
    headings: headings.map(placed),
    risk_factors: risk_factors.map(({ risks, ...one }) => ({
      ...placed(one),
      ...(risks === undefined ? {} : { risks: risks.map(placed) }),
    })),
  };
}

function printStructure({ headings, risk_factors }: Structure): void {
  process.stdout.write('headings\n');
  for (const { level, heading, start_index } of headings)
    process.stdout.write(
      `  ${formatCount(start_index).padStart(11)}  ${'  '.repeat(level - 1)}${heading.slice(0, 100)}\n`,
    );
  process.stdout.write('risk factors\n');
  for (const { heading, start_index, risks = [] } of risk_factors) {
    process.stdout.write(`  ${formatCount(start_index).padStart(11)}  ${heading.slice(0, 100)}\n`);
    for (const risk of risks)
      process.stdout.write(`  ${formatCount(risk.start_index).padStart(11)}    ${risk.heading.slice(0, 98)}\n`);
  }
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1e6;
}

const FIRST_WORDS = 60;
const TITLE_WIDTH = 42;

function shortened(title: string): string {
  return title.length > TITLE_WIDTH ? `${title.slice(0, TITLE_WIDTH - 1)}…` : title;
}

function referenceWords(kind: SectionKind, { exhibit, pages }: SectionReference): string {
  const place = kind === 'pointer_document' ? 'this document' : 'elsewhere';
  const document = /^\d/.test(exhibit ?? '') ? `Exhibit ${exhibit}` : (exhibit ?? place);
  return `${kind === 'mixed' ? 'partly ' : ''}in ${document}${pages === null ? '' : `, pages ${pages}`}`;
}

function substanceWords({ kind, start_index, substance_start, substance_end }: FoundSection): string {
  if (substance_start === null || substance_end === null) return '';
  const length = formatCount(substance_end - substance_start);
  return kind.startsWith('pointer')
    ? `[${length} at ${formatCount(substance_start)}] `
    : `[statements from ${formatCount(substance_end - start_index)} on] `;
}

function printOutline(
  name: string,
  text: string,
  formType: string | null,
  sections: readonly FoundSection[],
  verdicts: readonly HeadingVerdict[],
): void {
  process.stdout.write(`${name}  ${formType ?? 'form not stated'}\n`);
  for (const section of sections) {
    const source = text.slice(section.start_index, section.end_index);
    const words = readableText(source.slice(0, 20_000), 'text/html').replace(/\s+/g, ' ');
    const body = words.startsWith(section.heading) ? words.slice(section.heading.length).trim() : words;
    const length = formatCount(source.length).padStart(11);
    const elsewhere = `${section.by_reference ? `[${referenceWords(section.kind, section.by_reference)}] ` : ''}${substanceWords(section)}`;
    process.stdout.write(
      `  ${section.section.padEnd(6)} ${shortened(section.title).padEnd(TITLE_WIDTH)} ${length}  ${elsewhere}${body.slice(0, FIRST_WORDS)}\n`,
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
