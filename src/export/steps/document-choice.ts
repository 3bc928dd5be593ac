/** Which documents' contents an export wants. */
import { type DocumentReference, dashedForm } from '../../api/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';

/** Types that EDGAR uses for images, archives and spreadsheets. */
const GRAPHIC_TYPES = new Set(['GRAPHIC', 'ZIP', 'EXCEL']);
const GRAPHIC_NAME = /\.(jpe?g|gif|png|bmp|tiff?|svg|webp|ico|zip|xlsx?)$/i;

/** Types that EDGAR uses only for XML. */
const XML_TYPE = /^(XML|EX-10[01]\.(INS|SCH|CAL|DEF|LAB|PRE|REF))$/i;

export function isGraphicType(type: string): boolean {
  return GRAPHIC_TYPES.has(type.toUpperCase());
}

export function isGraphic(document: DocumentReference): boolean {
  return isGraphicType(document.type ?? '') || GRAPHIC_NAME.test(document.filename ?? '');
}

/**
 * The main document: the first (by sequence) whose type is the filing's form, else the first. Amendment marks and the dashes of old
 * form names are ignored.
 */
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
export interface DocumentRequest {
  document_id: string;
  output_format: 'raw' | 'json';
}

/**
 * XML is requested as JSON only if the file's name ends in `.xml`, or its type is XML if it has no name. Inline XBRL filings are
 * XML too, but are wanted as the HTML that they are.
 * A service answers 422 if it can't convert. Then request the document with `raw`.
 */
export function documentRequest(wanted: ExportDefinition['documents'], document: DocumentReference): DocumentRequest {
  const isXml =
    document.filename === null ? XML_TYPE.test(document.type ?? '') : /\.(xml|xsd)$/i.test(document.filename);
  return { document_id: document.document_id, output_format: wanted.xml === 'json' && isXml ? 'json' : 'raw' };
}
