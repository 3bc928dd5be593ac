/** XBRL of a filing as rows: its inline documents together, its instances one by one. */
import type { FormTable, Row } from '../descriptor.ts';
import type { FilingProblems, MappedRow } from '../document-rows.ts';
import type { Filing } from '../filing.ts';
import type { FilingMapper } from '../form.ts';
import { MAPPING_VERSION } from '../problems.ts';
import { rootName } from '../recognise-document.ts';
import type { Context } from './contexts.ts';
import { inlineRows, instanceRows } from './fact-rows.ts';
import { type InlineDocument, isInline, readInlineDocument } from './inline/inline-document.ts';
import { InlineSet } from './inline/inline-set.ts';
import { footnoteContent } from './inline/inline-values.ts';
import { type InstanceDocument, readInstance } from './instance/instance-document.ts';
import { readableText } from './markup/character-data.ts';
import { xbrlDimensions, xbrlFacts, xbrlFootnotes } from './tables.ts';

export const xbrl: FilingMapper = {
  name: 'xbrl',
  tables: [xbrlFacts, xbrlDimensions, xbrlFootnotes],
  claims: [],
  *map(filing, _found, problems, wants) {
    const { inline, instances } = readDocuments(filing, problems);
    const set = new InlineSet(inline);
    for (const document of inline) {
      if (wants(xbrlFacts)) yield* tableRows(xbrlFacts, inlineRows(set, document, problems));
      if (wants(xbrlDimensions)) yield* contextRows(problems, document);
      if (wants(xbrlFootnotes))
        yield* footnoteRows(
          problems,
          document.file,
          document.footnotes.map((footnote) => ({ ...footnote, content: footnoteContent(set, footnote) })),
        );
    }
    for (const document of instances) {
      if (inline.length > 0 && isExtraction(document.file)) continue;
      if (wants(xbrlFacts)) yield* tableRows(xbrlFacts, instanceRows(document, problems));
      if (wants(xbrlDimensions)) yield* contextRows(problems, document);
      if (wants(xbrlFootnotes)) yield* footnoteRows(problems, document.file, document.footnotes);
    }
    yield* problems.take();
  },
};

interface Documents {
  inline: InlineDocument[];
  instances: InstanceDocument[];
}

/** Unreadable documents give no row: they are listed among the problems. */
function readDocuments(filing: Filing, problems: FilingProblems): Documents {
  const documents: Documents = { inline: [], instances: [] };
  for (const { label, text } of possibleDocuments(filing)) {
    try {
      if (rootName(text) === 'xbrl') documents.instances.push(readInstance(label, text));
      else if (isInline(text)) documents.inline.push(readInlineDocument(label, text));
    } catch (error) {
      problems.malformed(label, error);
    }
  }
  return documents;
}

/** EDGAR's own pages of a report are made from what we read: they have nothing to add. */
const RENDERED = /^R\d+\.(?:htm|xml)$/i;

function* possibleDocuments(filing: Filing): Generator<{ label: string; text: string }> {
  for (const [place, { name, text }] of filing.documents.entries()) {
    const named =
      name === null || filing.accessionNumber === null || /(?:^[^.]*|\.(?:x?html?|xml|xsd|txt))$/i.test(name);
    if (named && !RENDERED.test(name ?? '')) yield { label: name ?? String(place + 1), text: text() };
  }
}

/** EDGAR's extraction of the facts of inline documents: `aapl-20250329_htm.xml`. */
export function isExtraction(file: string): boolean {
  return /_htm\.xml$/i.test(file);
}

function* tableRows(table: FormTable, rows: Iterable<Row>): Generator<MappedRow> {
  for (const row of rows) yield { table: table.name, row };
}

function* contextRows(
  { accessionNumber }: FilingProblems,
  { file, contexts }: { file: string; contexts: ReadonlyMap<string, Context> },
): Generator<MappedRow> {
  for (const { id, dimensions } of contexts.values()) {
    const axes = new Set<string>();
    for (const { axis, member, typed } of dimensions) {
      // A repeated axis makes the context invalid; the key has it once, like the JSON.
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
