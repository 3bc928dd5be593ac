/** Maps the XBRL of a filing to rows: its inline documents together, its instances one by one. */
import type { FormTable, Row } from '../map/descriptor.ts';
import type { FilingProblems, MappedRow } from '../map/document-rows.ts';
import { type Filing, type FilingDocument, sourceOf } from '../map/filing.ts';
import type { FilingMapper } from '../map/form.ts';
import { MAPPING_VERSION } from '../map/problems.ts';
import { recogniseDocument, rootName } from '../map/recognise-document.ts';
import { ExtractionCheck } from './extraction-check.ts';
import { inlineRows, instanceRows } from './fact-rows.ts';
import { type InlineDocument, isInline, readInlineDocument } from './inline/inline-document.ts';
import { InlineSet } from './inline/inline-set.ts';
import { footnoteContent } from './inline/inline-values.ts';
import { type InstanceDocument, readInstance } from './instance/instance-document.ts';
import { calculationRows, conceptRows, definitionRows, labelRows, presentationRows } from './linkbase/link-rows.ts';
import { type LinkDocument, readLinks } from './linkbase/links.ts';
import { readableText } from './markup/character-data.ts';
import { LINK } from './markup/namespaces.ts';
import type { Context, Definitions } from './model/contexts.ts';
import {
  ex27Facts,
  xbrlCalculation,
  xbrlChecks,
  xbrlConcepts,
  xbrlDefinition,
  xbrlDimensions,
  xbrlFacts,
  xbrlFootnotes,
  xbrlLabels,
  xbrlPresentation,
} from './model/tables.ts';
import { isSchedule, scheduleRows } from './schedule/ex27.ts';

export const xbrl: FilingMapper = {
  name: 'xbrl',
  tables: [
    xbrlFacts,
    xbrlDimensions,
    xbrlFootnotes,
    xbrlLabels,
    xbrlPresentation,
    xbrlCalculation,
    xbrlDefinition,
    xbrlConcepts,
    xbrlChecks,
    ex27Facts,
  ],
  claims: [],
  *map(filing, found, problems, wants) {
    const ofForms = new Set([...found.values()].flatMap((labelled) => labelled.map(({ document }) => document)));
    const documents = readDocuments(filing, ofForms, problems, wants);
    const checks = wants(xbrlChecks) ? checksOf(documents, problems) : new Map<InlineDocument, ExtractionCheck>();
    const set = new InlineSet(documents.inline);
    for (const document of documents.inline) {
      const check = checks.get(document);
      if (wants(xbrlFacts) || check !== undefined)
        for (const row of inlineRows(set, document, problems)) {
          check?.add(row);
          if (wants(xbrlFacts)) yield { table: xbrlFacts.name, row };
        }
      if (wants(xbrlDimensions)) yield* contextRows(problems, document);
      if (wants(xbrlFootnotes))
        yield* footnoteRows(
          problems,
          document.file,
          document.footnotes.map((footnote) => ({ ...footnote, content: footnoteContent(set, footnote) })),
        );
    }
    for (const check of new Set(checks.values())) yield { table: xbrlChecks.name, row: check.row() };
    for (const document of documents.instances) {
      if (documents.extractionsOf.has(document)) continue;
      if (wants(xbrlFacts)) yield* tableRows(xbrlFacts, instanceRows(document, problems));
      if (wants(xbrlDimensions)) yield* contextRows(problems, document);
      if (wants(xbrlFootnotes)) yield* footnoteRows(problems, document.file, document.footnotes);
    }
    if (wants(xbrlLabels)) yield* labelRows(problems.accessionNumber, documents.links);
    if (wants(xbrlPresentation)) yield* presentationRows(problems.accessionNumber, documents.links);
    if (wants(xbrlCalculation)) yield* calculationRows(problems.accessionNumber, documents.links);
    if (wants(xbrlDefinition)) yield* definitionRows(problems.accessionNumber, documents.links);
    if (wants(xbrlConcepts)) yield* conceptRows(problems.accessionNumber, documents.links);
    if (wants(ex27Facts)) yield* schedulesOf(documents, problems);
    yield* problems.take();
  },
};

interface Documents {
  inline: InlineDocument[];
  instances: InstanceDocument[];
  /** EDGAR's extractions, with the inline documents of each. */
  extractionsOf: Map<InstanceDocument, InlineDocument[]>;
  links: LinkDocument[];
  schedules: { file: string; text: string }[];
}

/** Unreadable documents give no rows, and are listed among the problems. */
function readDocuments(
  filing: Filing,
  ofForms: ReadonlySet<FilingDocument>,
  problems: FilingProblems,
  wants: (table: FormTable) => boolean,
): Documents {
  const documents: Documents = { inline: [], instances: [], extractionsOf: new Map(), links: [], schedules: [] };
  const links = [xbrlLabels, xbrlPresentation, xbrlCalculation, xbrlDefinition, xbrlConcepts].some(wants);
  for (const { label, type, text } of possibleDocuments(filing, ofForms)) {
    try {
      const root = rootName(text);
      if (root === 'xbrl') documents.instances.push(readInstance(label, text));
      else if (root === 'linkbase' || root === 'schema') {
        if (links && (text.includes(LINK) || root === 'schema')) documents.links.push(readLinks(label, text));
      } else if (isInline(text)) documents.inline.push(readInlineDocument(label, text));
      else if (isSchedule(type, text)) documents.schedules.push({ file: label, text });
    } catch (error) {
      problems.malformed(label, error);
    }
  }
  pairExtractions(documents);
  return documents;
}

/** `aapl-20250329_htm.xml` is of `aapl-20250329.htm`; documents without an extraction are in the first one. */
function pairExtractions({ inline, instances, extractionsOf }: Documents): void {
  // EDGAR's extractions of the facts of inline documents.
  const extractions = inline.length === 0 ? [] : instances.filter(({ file }) => /_htm\.xml$/i.test(file));
  if (extractions.length === 0) return;
  const byStem = new Map(extractions.map((extraction) => [stemOf(extraction.file), extraction]));
  for (const document of inline) {
    const extraction = byStem.get(stemOf(document.file)) ?? extractions[0]!;
    extractionsOf.set(extraction, [...(extractionsOf.get(extraction) ?? []), document]);
  }
}

function stemOf(file: string): string {
  return file.replace(/(?:_htm\.xml|\.x?html?)$/i, '');
}

function checksOf({ extractionsOf }: Documents, problems: FilingProblems): Map<InlineDocument, ExtractionCheck> {
  const checks = new Map<InlineDocument, ExtractionCheck>();
  for (const [extraction, documents] of extractionsOf) {
    const check = new ExtractionCheck(extraction.file, instanceRows(extraction, problems), problems);
    for (const document of documents) checks.set(document, check);
  }
  return checks;
}

function* schedulesOf({ schedules }: Documents, problems: FilingProblems): Generator<MappedRow> {
  for (const { file, text } of schedules)
    yield* tableRows(
      ex27Facts,
      scheduleRows(problems.accessionNumber, file, text, (reason, value, path, column) =>
        problems.add(file, reason, value, { path, table: ex27Facts.name, column }),
      ),
    );
}

/** EDGAR makes its own pages of a report from the documents that we read: they add nothing. */
const RENDERED = /^R\d+\.(?:htm|xml)$/i;

function* possibleDocuments(
  filing: Filing,
  ofForms: ReadonlySet<FilingDocument>,
): Generator<{ label: string; type: string | null; text: string }> {
  for (const [place, document] of filing.documents.entries()) {
    if (ofForms.has(document)) continue;
    const { name, type, text } = document;
    const named =
      name === null || filing.accessionNumber === null || /(?:^[^.]*|\.(?:x?html?|xml|xsd|txt))$/i.test(name);
    if (named && !RENDERED.test(name ?? '') && !isLongOfOthers(document))
      yield { label: name ?? String(place + 1), type, text: text() };
  }
}

/** Long XML of another root, such as the loans of ABS-EE: its text is never in memory as a whole, as that of no form is. */
function isLongOfOthers(document: FilingDocument): boolean {
  const found = document.pieces === undefined ? null : recogniseDocument(sourceOf(document));
  return found?.isXml === true && !/^(?:xbrl|linkbase|schema|html|xml)$/i.test(found.root);
}

function* tableRows(table: FormTable, rows: Iterable<Row>): Generator<MappedRow> {
  for (const row of rows) yield { table: table.name, row };
}

function* contextRows(
  { accessionNumber }: FilingProblems,
  { file, contexts }: { file: string; contexts: Definitions<Context> },
): Generator<MappedRow> {
  for (const { id, dimensions } of contexts.values()) {
    if (contexts.ambiguous.has(id)) continue;
    const axes = new Set<string>();
    for (const { axis, member, typed } of dimensions) {
      // A repeated axis makes the context invalid. The key has it once, like the JSON.
      if (axes.has(axis)) continue;
      axes.add(axis);
      const row: Row = {
        accession_number: accessionNumber,
        file,
        context_id: id,
        axis,
        member: member === '' ? null : member,
        is_typed: typed,
        mapping_version: MAPPING_VERSION,
      };
      yield { table: xbrlDimensions.name, row };
    }
  }
}

function* footnoteRows(
  { accessionNumber }: FilingProblems,
  file: string,
  footnotes: readonly { id: string; language: string | null; content: string }[],
): Generator<MappedRow> {
  for (const [position, { id, language, content }] of footnotes.entries()) {
    const row: Row = {
      accession_number: accessionNumber,
      file,
      position,
      footnote_id: id,
      language,
      text: readableText(content) || null,
      mapping_version: MAPPING_VERSION,
    };
    yield { table: xbrlFootnotes.name, row };
  }
}
