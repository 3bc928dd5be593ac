/** What is inside a document: its text, its sections, its 8-K items, its XML as JSON. Text in, structure out; no I/O. */
export { type DecodedText, decodeText } from './decode.ts';
export { type EightKInput, eightKItems } from './eight-k.ts';
export { guessFormType } from './form-type.ts';
export { isTextual, looksLikeHtml, mediaType } from './media-type.ts';
export { type Span, sectionHtml, sectionsHtml } from './section-html.ts';
export {
  explainSections,
  type FoundSection,
  findSections,
  type HeadingVerdict,
  type SectionOptions,
} from './sections.ts';
export { type ReadableText, readableText, readText, sectionTexts } from './text.ts';
export {
  MAX_JSON_BYTES,
  MAX_XML_DEPTH,
  type OrderedElement,
  type SimpleValue,
  XmlError,
  xmlToJson,
} from './xml-json.ts';
