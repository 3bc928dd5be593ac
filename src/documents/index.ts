/** The content of documents: text, sections, 8-K items, XML as JSON. Text in, structure out; no I/O. */

export { type EightKInput, eightKItems, type PlacedItem, placedItems } from './eight-k/items.ts';
export { guessFormType } from './sections/cover-form-type.ts';
export { type Span, sectionHtml, sectionsHtml } from './sections/section-html.ts';
export {
  explainSections,
  type FoundSection,
  findAnnualReportSections,
  findSections,
  type HeadingVerdict,
  isAnnualReport,
  type SectionOptions,
} from './sections/sections.ts';
export { type DecodedText, decodePieces, decodeText } from './text/decode.ts';
export type { DocumentLines } from './text/lines.ts';
export { isTextual, looksLikeHtml, mediaType } from './text/media-type.ts';
export { type ReadableText, readableText, readDocument, readText, sectionTexts, textOf } from './text/text.ts';
export {
  MAX_JSON_BYTES,
  MAX_XML_DEPTH,
  type OrderedElement,
  type SimpleValue,
  XmlError,
  xmlToJson,
} from './xml/xml-json.ts';
