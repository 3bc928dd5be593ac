/** The content of documents: text, sections, 8-K items, XML as JSON. Text in, structure out; no I/O. */

export { CHUNK_TOKENS, type Chunk, countTokens } from './chunks/chunks.ts';
export { type DocumentParts, readParts } from './chunks/document-parts.ts';
export { type EightKInput, eightKItems } from './eight-k/items.ts';
export { findStructure, type Structure } from './headings/structure.ts';
export { decodePieces, decodeText } from './lines/decode.ts';
export type { DocumentLines } from './lines/lines.ts';
export { isTextual, looksLikeHtml, mediaType } from './lines/media-type.ts';
export { guessFormType } from './sections/cover-form-type.ts';
export { sectionsHtml } from './sections/section-html.ts';
export {
  explainSections,
  type FoundSection,
  findAnnualReportSections,
  findSections,
  type HeadingVerdict,
  isAnnualReport,
} from './sections/sections.ts';
export { tablesOf } from './tables/cells.ts';
export { type PageCell, type PageRow, pageRows } from './tables/page-rows.ts';
export { differences, type Paragraph } from './text/differences.ts';
export { sectionContents, substancesHtml } from './text/substance-html.ts';
export { readableText, readDocument, sectionTexts, type TextFormat, textOf } from './text/text.ts';
export { type ReadSection, readSections, type TextHeading, type TextRisk } from './text/text-structure.ts';
export { MAX_XML_DEPTH, type OrderedElement, XmlError, xmlToJson } from './xml/xml-json.ts';
