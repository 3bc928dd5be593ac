/** What an export chooses of a filing: documents, sections, tables of forms; and the selector that coverage has of it. No I/O, no clock, nothing of Node. */

export {
  chosenDocuments,
  contentsCover,
  contentsWords,
  documentRequest,
  documentSelector,
  hasTextFormat,
  isReplacedXml,
  joinedContents,
  joinedDocumentSelector,
  MADE_OF_DOCUMENTS,
  makesOfDocument,
  makesText,
  outputFormatOf,
  RAW_XML,
} from './document-choice.ts';
export { formsStepOf, mappingVersionOf, selectorOfMapping, tablesMapped } from './forms-step.ts';
export {
  choiceSelector,
  formatOfWords,
  keepChosenSections,
  sectionsSelector,
  TEXT_FORMATS,
  tablesOfSections,
} from './section-choice.ts';
export { type FormDocument, type FormsStep, requestsOf, requestsOfAll, type Step } from './step.ts';
