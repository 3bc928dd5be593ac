/** A document's readable text with what an export makes of it in the same reading: chunks, and the cells of its tables. */
import { headingsOf } from '../headings/headings.ts';
import { sectionAt, topsOf } from '../headings/structure.ts';
import { TypographyReader } from '../headings/typography.ts';
import { findSectionPlaces } from '../sections/sections.ts';
import { type DocumentTable, tablesOf } from '../tables/cells.ts';
import { furnitureOf, readDocument, type TextFormat, written } from '../text/text.ts';
import type { TextHeading } from '../text/text-structure.ts';
import { type Chunk, chunksOf } from './chunks.ts';

export interface DocumentParts {
  text: string;
  chunks: (Chunk & { section: string | null; text: string })[];
  /** Of the whole document. Positions are UTF-16 units of the content. */
  headings: TextHeading[];
  tables: (DocumentTable & { section: string | null })[];
}

interface Wanted {
  /** EDGAR's type of the document: `10-K`. Only reports have sections. */
  type: string | null;
  format?: TextFormat;
  chunks?: boolean;
  headings?: boolean;
  tables?: boolean;
}

/** @param mediaType as returned by `mediaType` */
export function readParts(
  content: string,
  mediaType: string,
  { type, format, chunks, headings, tables }: Wanted,
): DocumentParts {
  const typography = chunks || headings ? new TypographyReader(content) : undefined;
  const document = readDocument(content, mediaType, typography);
  const sections = type === null || document.markup === 'xml' ? [] : findSectionPlaces(content, type, document);
  const within = (at: number) => sectionAt(sections, at)?.section ?? null;
  const tops = topsOf(document.lines, sections);
  const left = furnitureOf(document, new Set(tops.keys()));
  const text = written(document, left, format, tops);
  const parts: DocumentParts = { text: text.text, chunks: [], headings: [], tables: [] };
  const outline = chunks || headings ? headingsOf(document, { left, tops, typography }) : [];
  if (headings)
    parts.headings = outline.map(({ text: heading, level, parent, start, end }, k) => ({
      position: k + 1,
      level,
      heading,
      parent: parent === null ? null : parent + 1,
      start_index: start,
      end_index: end,
    }));
  if (chunks) {
    const places = text.places(document.lines);
    let line = 0;
    parts.chunks = chunksOf(document, text, left, outline).map((chunk) => {
      while (line < places.length && places[line]! < chunk.start_index) line++;
      const own = text.text.slice(chunk.start_index, chunk.end_index);
      return { ...chunk, section: within(document.lines[line]?.start ?? content.length), text: own };
    });
  }
  if (tables && document.markup === 'html')
    parts.tables = tablesOf(content).map((table) => ({ ...table, section: within(table.cells[0]!.start_index) }));
  return parts;
}
