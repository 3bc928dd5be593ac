/** Which documents full text covers (docs/api.md#fulltext_search): what the filer submitted and a person can read. */

/** Files that EDGAR adds to a filing with XBRL: R files, scripts, style sheets, the extracted instance. */
const ADDED_BY_EDGAR = /^IDEA:\s*XBRL DOCUMENT/i;
/** Schemas and linkbases; the instance (EX-101.INS) holds the filer's own text and stays. */
const TAXONOMY_TYPE = /^EX-10[01]\.(SCH|CAL|DEF|LAB|PRE|REF)/i;
const TAXONOMY_NAME = /(\.xsd|_(cal|def|lab|pre|ref)\.xml)$/i;
const READABLE_TYPE = /^(text\/(html|plain|xml)|application\/(xhtml\+xml|xml)|[^;]*\+xml)/i;
/** The first element after prolog and comments. */
const ROOT_ELEMENT = /^\s*(?:<\?[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(?:[\w.-]+:)?([\w.-]+)/i;
const PROLOG_LENGTH_MAX = 4096;

/** @param start the document's text, or its beginning */
export function isSearched(
  document: { type: string | null; filename: string | null; description: string | null },
  contentType: string,
  start: string,
): boolean {
  if (!READABLE_TYPE.test(contentType)) return false;
  if (ADDED_BY_EDGAR.test(document.description?.trim() ?? '')) return false;
  if (TAXONOMY_TYPE.test(document.type ?? '') || TAXONOMY_NAME.test(document.filename ?? '')) return false;
  if (!/xml/i.test(contentType)) return true;
  const root = ROOT_ELEMENT.exec(start.slice(0, PROLOG_LENGTH_MAX))?.[1];
  return root !== 'schema' && root !== 'linkbase';
}
