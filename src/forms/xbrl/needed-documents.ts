/** Chooses the documents for the XBRL tables of a filing, from a listing. */

import type { NamedDocument } from '../filing.ts';
import { rootName } from '../recognise-document.ts';
import { isInline } from './inline/inline-document.ts';
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
} from './tables.ts';

/**
 * `page`: HTML, so perhaps an inline document. `summary`: EDGAR's own list of the filing's inline documents. `unknown`: a
 * document without name and type.
 */
export type XbrlKind =
  | 'page'
  | 'instance'
  | 'extraction'
  | 'labels'
  | 'presentation'
  | 'calculation'
  | 'definition'
  | 'schema'
  | 'schedule'
  | 'summary'
  | 'unknown';

export interface NeededXbrl<Document> {
  /** Tables that the documents may have rows of. */
  readonly tables: readonly string[];
  readonly documents: readonly Document[];
  /** Pages of which the summary, one of `documents`, says whether they are inline documents. */
  readonly undecided: readonly Document[];
  /** Pages that are inline documents for certain: EDGAR has an extraction of each. */
  readonly inline: ReadonlySet<Document>;
  /** The filing has a taxonomy or an extraction, so one of the documents has facts. */
  readonly hasFacts: boolean;
}

const FACTS = [xbrlFacts, xbrlDimensions, xbrlFootnotes].map(({ name }) => name);

const XBRL_EXHIBIT = /^EX-10[01]\.(INS|SCH|LAB|PRE|CAL|DEF|REF)$/i;
const EXHIBITS: Readonly<Record<string, XbrlKind | null>> = {
  ...{ INS: 'instance', SCH: 'schema', LAB: 'labels', PRE: 'presentation' },
  ...{ CAL: 'calculation', DEF: 'definition', REF: null },
};
const NO_PAGE = /^(GRAPHIC|ZIP|EXCEL|JSON|PDF|XML|EX-10[01]\..*)$/i;
const FEES = /^EX-(FILING FEES|107)\b/i;
/** Contracts, opinions, consents, certifications: never part of an inline report. */
const NEVER_INLINE = /^EX-((1|3|4|5|8|10|14|16|19|2[1-5]|31|32|95|97)(\.[\w.-]*)?|99\.(CERT|906CERT|CODE).*|101\..*)$/i;

/** What a document may be for the XBRL tables; null: nothing. */
export function xbrlKind({ filename, type }: NamedDocument): XbrlKind | null {
  if (filename === null && type === null) return 'unknown';
  if (type !== null && /^EX-27(\.\d+)?$/i.test(type)) return 'schedule';
  const exhibit = type === null ? undefined : XBRL_EXHIBIT.exec(type)?.[1]?.toUpperCase();
  if (exhibit !== undefined && !(exhibit === 'INS' && isExtractionName(filename))) return EXHIBITS[exhibit]!;
  if (filename === null) return NO_PAGE.test(type!) ? null : 'page';
  if (/^FilingSummary\.xml$/i.test(filename)) return 'summary';
  if (/^R\d+\.(?:x?html?|xml)$/i.test(filename)) return null;
  if (isExtractionName(filename)) return 'extraction';
  if (/\.x?html?$/i.test(filename)) return type !== null && NO_PAGE.test(type) ? null : 'page';
  return type === null ? kindOfName(filename) : null;
}

function kindOfName(filename: string): XbrlKind | null {
  if (/\.xsd$/i.test(filename)) return 'schema';
  const part = /_(lab|pre|cal|def|ref)\.xml$/i.exec(filename)?.[1]?.toLowerCase();
  if (part !== undefined) return EXHIBITS[part.toUpperCase()]!;
  return /\.xml$/i.test(filename) ? 'instance' : null;
}

/** EDGAR's extraction of inline facts. */
function isExtractionName(filename: string | null): boolean {
  return filename !== null && /_htm\.xml$/i.test(filename);
}

/**
 * What the wanted tables are made from; nothing for a filing without XBRL.
 * All inline documents of a filing belong together. Which pages are inline no listing says: those named as EDGAR's extraction and fee
 * exhibits are; of the others EDGAR's summary tells, or all of a fitting type are needed.
 * @param wanted names of tables; others than those of XBRL are ignored
 */
export function neededXbrl<Document extends NamedDocument>(
  documents: readonly Document[],
  wanted: ReadonlySet<string>,
): NeededXbrl<Document> {
  const byKind = Map.groupBy(documents, xbrlKind);
  const of = (kind: XbrlKind) => byKind.get(kind) ?? [];
  const tables: string[] = [];
  const needed = new Set<Document>();
  const undecided: Document[] = [];
  const need = (names: readonly string[], list: readonly Document[]) => {
    const some = list.length === 0 ? [] : names.filter((name) => wanted.has(name));
    tables.push(...some);
    if (some.length > 0) for (const document of list) needed.add(document);
    return some.length > 0;
  };
  const isTyped = documents.some((document) => xbrlKind(document) !== 'unknown');
  const unknown = isTyped ? [] : of('unknown');
  // A name that ends in .xml makes no instance without a taxonomy beside it.
  const hasTaxonomy = ['schema', 'labels', 'presentation'].some((kind) => of(kind as XbrlKind).length > 0);
  const instances = of('instance').filter(({ type }) => type !== null || hasTaxonomy);
  const pages = instances.length > 0 && of('extraction').length === 0 ? null : pagesOf(byKind, hasTaxonomy);
  const certain = pages?.certain ?? [];
  const facts = [...instances, ...certain, ...unknown];
  // Without its pages the extraction gives the facts.
  need(FACTS, facts.length > 0 ? facts : of('extraction'));
  if (certain.length > 0 && of('extraction').length > 0) need([xbrlChecks.name], [...facts, ...of('extraction')]);
  if (pages !== null && pages.undecided.length > 0 && facts.some((document) => needed.has(document))) {
    for (const summary of of('summary')) needed.add(summary);
    if (of('summary').length > 0) undecided.push(...pages.undecided);
    else for (const document of pages.undecided) needed.add(document);
  }
  const schemas = of('schema');
  need([xbrlLabels.name], [...(of('labels').length > 0 ? of('labels') : schemas), ...unknown]);
  need([xbrlPresentation.name], [...of('presentation'), ...schemas, ...unknown]);
  // Old schemas have their linkbases in them.
  need([xbrlCalculation.name], [...(of('calculation').length > 0 ? of('calculation') : schemas), ...unknown]);
  need([xbrlDefinition.name], [...(of('definition').length > 0 ? of('definition') : schemas), ...unknown]);
  need([xbrlConcepts.name], [...schemas, ...unknown]);
  need([ex27Facts.name], [...of('schedule'), ...unknown]);
  return {
    tables,
    documents: documents.filter((document) => needed.has(document)),
    undecided,
    inline: new Set(certain.filter((page) => isExtracted(page, of('extraction')))),
    hasFacts: hasTaxonomy || of('extraction').length > 0,
  };
}

/** Pages that are inline documents for certain, and those that may be; null if the filing has none. */
function pagesOf<Document extends NamedDocument>(
  byKind: ReadonlyMap<XbrlKind | null, readonly Document[]>,
  hasTaxonomy: boolean,
): { certain: readonly Document[]; undecided: readonly Document[] } | null {
  const extractions = byKind.get('extraction') ?? [];
  const all = byKind.get('page') ?? [];
  // Most fee exhibits are plain pages: those with facts have an extraction.
  if (!hasTaxonomy && extractions.length === 0) return null;
  const isCertain = (page: Document) => isExtracted(page, extractions) || (page.type !== null && FEES.test(page.type));
  const certain = all.filter(isCertain);
  // Fees are declared without a taxonomy, and the report beside them does not belong to them.
  if (!hasTaxonomy && certain.length > 0) return { certain, undecided: [] };
  const others = all.filter((page) => !isCertain(page) && !(page.type !== null && NEVER_INLINE.test(page.type)));
  // A report without an extraction begins with its first page.
  return certain.length > 0 || others.length === 0
    ? { certain, undecided: others }
    : { certain: others.slice(0, 1), undecided: others.slice(1) };
}

/** `acme-20241231_htm.xml` is of `acme-20241231.htm`. */
function isExtracted({ filename }: NamedDocument, extractions: readonly NamedDocument[]): boolean {
  if (filename === null) return false;
  const stem = filename.replace(/\.x?html?$/i, '').toLowerCase();
  return extractions.some((extraction) => extraction.filename!.replace(/_htm\.xml$/i, '').toLowerCase() === stem);
}

/**
 * File names of inline documents, by EDGAR's FilingSummary.xml.
 * @returns null if it names none
 */
export function inlineNamesOf(summary: string): ReadonlySet<string> | null {
  const files = /<InputFiles>([\s\S]*?)<\/InputFiles>/.exec(summary)?.[1] ?? '';
  const named = [...files.matchAll(/<File\b([^>]*)>([^<]*)<\/File>/g)].map(([, attributes, name]) => ({
    name: name!.trim().toLowerCase(),
    isReport: /\bdoctype\s*=/.test(attributes!),
  }));
  const pages = named.filter(({ name }) => /\.x?html?$/.test(name));
  const reports = pages.filter(({ isReport }) => isReport);
  const names = (reports.length > 0 ? reports : pages).map(({ name }) => name);
  return names.length === 0 ? null : new Set(names);
}

const ROOTS: Partial<Record<XbrlKind, readonly string[]>> = {
  instance: ['xbrl'],
  extraction: ['xbrl'],
  labels: ['linkbase', 'schema'],
  presentation: ['linkbase', 'schema'],
  calculation: ['linkbase', 'schema'],
  definition: ['linkbase', 'schema'],
  schema: ['schema'],
};

/** Whether a text may be what its name and type promise. A page may be inline or not. */
export function isXbrl(kind: XbrlKind | 'inline', text: string): boolean {
  if (kind === 'inline') return isInline(text);
  if (kind === 'page' || kind === 'summary') return true;
  const root = rootName(text);
  if (kind === 'unknown') return isInline(text) || root === 'xbrl' || root === 'linkbase' || root === 'schema';
  if (kind === 'schedule') return root?.toLowerCase() !== 'html';
  return root !== null && ROOTS[kind]!.includes(root);
}
