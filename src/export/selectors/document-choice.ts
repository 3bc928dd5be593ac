/** Which documents' contents an export wants. */
import { type DocumentReference, dashedForm } from '../../filings/api/index.ts';
import type { ExportTable } from '../../lake/tables/index.ts';
import { type ExportDefinition, isGraphicType } from '../definition/index.ts';
import { formatOfWords, type TextFormat } from './section-choice.ts';

const GRAPHIC_NAME = /\.(jpe?g|gif|png|bmp|tiff?|svg|webp|ico|zip|xlsx?)$/i;

/** Types that EDGAR uses only for XML. */
const XML_TYPE = /^(XML|EX-10[01]\.(INS|SCH|CAL|DEF|LAB|PRE|REF))$/i;

function isGraphic(document: DocumentReference): boolean {
  return isGraphicType(document.type ?? '') || GRAPHIC_NAME.test(document.filename ?? '');
}

/** The main document: the first of the filing's form, amendments and old dashes ignored, else the first. */
export function primaryDocument(
  documents: readonly DocumentReference[],
  formType: string | null,
): DocumentReference | null {
  const ordered = [...documents].sort((a, b) => a.sequence - b.sequence);
  const form = formType === null ? null : dashedForm(formType);
  const base = form?.replace(/\/A$/, '');
  const typed = (wanted: string | null | undefined) =>
    wanted ? ordered.find((document) => dashedForm(document.type ?? '') === wanted) : undefined;
  return typed(form) ?? typed(base) ?? ordered[0] ?? null;
}

/**
 * The documents whose content is requested, by sequence, each once. `all` includes what EDGAR added to the filing (`IDEA: XBRL
 * DOCUMENT`). Graphics need `graphics: true`, unless the main document is one.
 */
export function chosenDocuments(
  wanted: ExportDefinition['documents'],
  documents: readonly DocumentReference[],
  formType: string | null,
): DocumentReference[] {
  const primary = wanted.types.includes('primary') ? primaryDocument(documents, formType) : null;
  const isWanted = (document: DocumentReference): boolean => {
    if (document === primary) return true;
    if (!wanted.graphics && isGraphic(document)) return false;
    return wanted.types.some((type) => matchesType(type, document));
  };
  return documents.filter(isWanted).sort((a, b) => a.sequence - b.sequence);
}

function matchesType(wanted: string, document: DocumentReference): boolean {
  if (wanted === 'all') return true;
  if (wanted === 'primary') return false;
  const type = (document.type ?? '').toUpperCase();
  if (wanted === 'exhibits') return type.startsWith('EX-');
  const name = wanted.toUpperCase();
  return name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name;
}

/** Parameters of the `document` request for a document, and its selector in coverage. */
interface DocumentRequest {
  document_id: string;
  output_format: 'raw' | 'json';
}

/**
 * XML is requested as JSON only if the file's name ends in `.xml`, or its type is XML if it has no name. Inline XBRL filings are
 * XML too, but are wanted as the HTML that they are.
 * A service answers 422 if it can't convert. Then request the document with `raw`.
 */
export function documentRequest(wanted: ExportDefinition['documents'], document: DocumentReference): DocumentRequest {
  return {
    document_id: document.document_id,
    output_format: wanted.xml === 'json' && isXml(document) ? 'json' : 'raw',
  };
}

function isXml({ filename, type }: Pick<DocumentReference, 'filename' | 'type'>): boolean {
  return filename === null ? XML_TYPE.test(type ?? '') : /\.(xml|xsd)$/i.test(filename);
}

/** XML that was wanted unchanged. Other documents are always `raw`. */
export const RAW_XML = 'raw:xml';

/**
 * The selector of a document in coverage: its format, and what else was made of it. Words in alphabetical order.
 * `annual_report`: its sections; `text`: its readable text; `markdown`, `lines`: the format of these texts; and names of tables.
 */
export function documentSelector(
  definition: ExportDefinition,
  { output_format }: DocumentRequest,
  { filename, type }: Pick<DocumentReference, 'filename' | 'type'>,
): string {
  const { documents: wanted } = definition;
  const words: string[] = [output_format === 'raw' && isXml({ filename, type }) ? RAW_XML : output_format];
  if (wanted.annual_report && isAnnualReportType(type)) words.push('annual_report');
  if (wanted.text) words.push('text');
  words.push(...madeOfDocuments(definition));
  if (definition.text_format !== undefined && words.some(isOfText)) words.push(definition.text_format);
  return words.sort().join(',');
}

export const MADE_OF_DOCUMENTS = [
  'chunks',
  'document_headings',
  'document_tables',
] as const satisfies readonly ExportTable[];

const isMadeOfDocuments = (word: string) => MADE_OF_DOCUMENTS.some((table) => table === word);

function madeOfDocuments({ tables }: ExportDefinition): ExportTable[] {
  return MADE_OF_DOCUMENTS.filter((table) => tables.includes(table));
}

/** Whether a word of a document's selector asks for a readable text. */
function isOfText(word: string): boolean {
  return word === 'text' || word === 'annual_report' || word === 'chunks';
}

/** Whether a word of any step's selector asks for a readable text: of a document, or of sections. */
export function makesText(word: string): boolean {
  return isOfText(word) || /^(10-[KQ]|20-F|section_contents)(?::|$)/.test(word);
}

/** Whether the readable texts of a stored answer have the format that is asked for. */
export function hasTextFormat(stored: string, asked: string): boolean {
  const [had, words] = [wordsOf(stored), wordsOf(asked)];
  return !words.some(makesText) || formatOfWords(had) === formatOfWords(words);
}

const CONTENTS = 'contents:';
const [AND, ALL, PRIMARY, EXHIBITS] = ['+', 'all', 'primary', 'exhibits'];
/** XML was once wanted in the other format: documents that no word names may still have that. */
const MIXED = `${CONTENTS}mixed`;

/**
 * The choice of documents, as words of the selector of filing_info if only that names them. Each type has its own word with all that
 * is made of its documents: words of several exports add up, and `primary` with texts beside `all` without is not `all` with texts.
 */
export function contentsWords(definition: ExportDefinition): string[] {
  const { types, xml, graphics, text, annual_report } = definition.documents;
  return types.map((type) => {
    const made = [
      ...(graphics && type !== PRIMARY ? ['graphics'] : []),
      ...(text ? ['text'] : []),
      ...(annual_report ? ['annual_report'] : []),
      ...madeOfDocuments(definition),
    ];
    if (definition.text_format !== undefined && made.some(isOfText)) made.push(definition.text_format);
    return [`${CONTENTS}${encodeURIComponent(type)}`, xml, ...made].join(AND);
  });
}

/** Whether a stored word for contents includes the requested one. */
export function contentsCover(stored: string, asked: string): boolean {
  if (!stored.startsWith(CONTENTS) || !asked.startsWith(CONTENTS)) return false;
  const [has, ...made] = stored.slice(CONTENTS.length).split(AND);
  const [type, ...wanted] = asked.slice(CONTENTS.length).split(AND);
  const includes =
    has === type ||
    (has === ALL && (type !== PRIMARY || made.includes('graphics'))) ||
    (has === EXHIBITS && /^EX-/i.test(type!));
  const isOfFormat = !wanted.some(isOfText) || formatOfWords(made) === formatOfWords(wanted);
  return includes && isOfFormat && wanted.every((one) => made.includes(one));
}

/** The text format of a word of contents; null if it makes no texts. */
function textFormatOf(word: string): TextFormat | null {
  const made = word.startsWith(CONTENTS) ? word.split(AND) : [];
  if (!made.some(isOfText)) return null;
  return formatOfWords(made);
}

/** Joins words of contents: a document and its texts have one format, so words with the other format are dropped. */
export function joinedContents(stored: Iterable<string>, asked: readonly string[]): string[] {
  const [, xml] = asked.find((word) => word.startsWith(CONTENTS))?.split(AND) ?? [];
  const format = asked.map(textFormatOf).find((one) => one !== null) ?? null;
  const words = [...stored];
  const isOfXml = (word: string) => !word.startsWith(CONTENTS) || word === MIXED || word.split(AND)[1] === xml;
  const isOfFormat = (word: string) => format === null || (textFormatOf(word) ?? format) === format;
  if (xml === undefined || words.every(isOfXml)) return [...words.filter(isOfFormat), ...asked];
  const holds = words.filter((word) => isOfXml(word) && isOfFormat(word));
  return [...holds, MIXED, ...asked];
}

/**
 * Whether XML is stored under a document's selector in the other format, unknown to the selector of filing_info: an export that knew
 * the documents by other means replaced it.
 */
export function isReplacedXml({ xml }: ExportDefinition['documents'], document: string, info: string): boolean {
  return wordsOf(document).includes(xml === 'json' ? RAW_XML : 'json') && !wordsOf(info).includes(MIXED);
}

export function outputFormatOf(selector: string): DocumentRequest['output_format'] {
  return wordsOf(selector).includes('json') ? 'json' : 'raw';
}

/** Whether a document's selector asks for something that is made of it. */
export function makesOfDocument(
  selector: string,
  what: 'annual_report' | 'text' | (typeof MADE_OF_DOCUMENTS)[number],
): boolean {
  return wordsOf(selector).includes(what);
}

/** A document that is fetched again has its chunks, headings and tables made again, too. @param stored its earlier selector */
export function joinedDocumentSelector(stored: string, asked: string): string {
  const words = wordsOf(asked);
  const makesTexts = words.some(isOfText);
  const kept = wordsOf(stored).filter(
    // Texts have one format: the one that is asked for now.
    (word) => isOfText(word) || isMadeOfDocuments(word) || (formatOfWords([word]) !== 'plain' && !makesTexts),
  );
  return [...new Set([...words, ...kept])].sort().join(',');
}

function wordsOf(selector: string): string[] {
  return selector.split(',').filter((word) => word !== '');
}

/** `EX-13`, `EX-13.1`: the annual report to shareholders. */
function isAnnualReportType(type: string | null): boolean {
  return type !== null && /^EX-13(?!\d)/i.test(type);
}
