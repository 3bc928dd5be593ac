/** Chooses the documents for the XBRL tables of a filing, from a listing. */
import type { NamedDocument } from '../map/filing.ts';
import { rootName } from '../map/recognise-document.ts';
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
} from './model/tables.ts';

/** `page`: HTML, perhaps inline. `summary`: EDGAR's list of inline documents. `unknown`: without name and type. */
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
  /**
   * Pages of which the summary, one of `documents`, says whether they are inline documents. Without a summary: the filing's inline
   * documents if one of `documents` is one.
   */
  readonly undecided: readonly Document[];
  /** Pages that are inline documents for certain: EDGAR has an extraction of each. */
  readonly inline: ReadonlySet<Document>;
  /** The filing has a taxonomy or an extraction, so one of the documents has facts. */
  readonly hasFacts: boolean;
}

const FACTS = [xbrlFacts, xbrlDimensions, xbrlFootnotes].map(({ name }) => name);

const XBRL_EXHIBIT = /^EX-10[01]\.(INS|SCH|LAB|PRE|CAL|DEF|REF)$/i;
const EXHIBITS: Readonly<Record<string, XbrlKind | null>> = {
  INS: 'instance',
  SCH: 'schema',
  LAB: 'labels',
  PRE: 'presentation',
  CAL: 'calculation',
  DEF: 'definition',
  REF: null,
};
const NO_PAGE = /^(GRAPHIC|ZIP|EXCEL|JSON|PDF|XML|EX-10[01]\..*)$/i;
const FEES = /^EX-(FILING FEES|107)\b/i;
/** Contracts, opinions, consents, certifications: never part of an inline report. */
const NEVER_INLINE = /^EX-((1|3|4|5|8|10|14|16|19|2[1-5]|31|32|95|97)(\.[\w.-]*)?|99\.(CERT|906CERT|CODE).*|101\..*)$/i;

/** What a document may be for the XBRL tables; null: nothing. */
export function xbrlKind({ filename, type }: NamedDocument): XbrlKind | null {
  if (type !== null && /^EX-27(\.\d+)?$/i.test(type)) return 'schedule';
  const exhibit = type === null ? undefined : XBRL_EXHIBIT.exec(type)?.[1]?.toUpperCase();
  if (exhibit !== undefined && !(exhibit === 'INS' && isExtractionName(filename))) return EXHIBITS[exhibit]!;
  if (filename === null || !filename.includes('.')) {
    if (type === null) return 'unknown';
    return NO_PAGE.test(type) ? null : 'page';
  }
  if (/^FilingSummary\.xml$/i.test(filename)) return 'summary';
  if (/^R\d+\.(?:x?html?|xml)$/i.test(filename)) return null;
  if (isExtractionName(filename)) return 'extraction';
  if (/\.x?html?$/i.test(filename)) return type !== null && NO_PAGE.test(type) ? null : 'page';
  // A service may have types of its own: the names of taxonomies are EDGAR's.
  return type === null || TAXONOMY_NAME.test(filename) ? kindOfName(filename) : null;
}

const TAXONOMY_NAME = /(\.xsd|_(lab|pre|cal|def|ref)\.xml)$/i;
/** EDGAR's rule for names of instances. */
const INSTANCE_NAME = /^[a-z][a-z0-9]*-\d{8}\.xml$/i;

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
 * Forms that may have inline documents, and the day since which SEC accepts them: reports and registration statements (by its order of
 * 2016), cover pages of 8-K and funds (2019), proxy statements and prospectuses (2022).
 */
const MAY_BE_INLINE: readonly (readonly [since: string, forms: RegExp])[] = [
  ['2016-06-13', /^(10-K|10-Q|20-F|40-F|6-K|[SF]-(1|3|4|10|11)(?!\d)|10-12|20FR|40FR|POS AM|POS462)/i],
  ['2019-06-01', /^(8-K|N-CSR|N-[12346](?!\d)A?|N-14|48[56]|497)/i],
  ['2022-08-01', /^((DEF|PRE)[A-Z]?(R|C|M)?\s?14|424|S-8|SC TO|SC 13E|24F-2|POSASR)/i],
];
/** Since then exhibits with fees may be inline documents. */
const FEES_SINCE = '2024-01-01';

function mayBeInline(form: string, filed: string | null): boolean {
  return MAY_BE_INLINE.some(([since, forms]) => (filed === null || filed >= since) && forms.test(form));
}

/** A filing whose documents are listed: its form and day, if they are known. */
export interface ListedFiling {
  readonly form: string;
  /** `YYYY-MM-DD` */
  readonly filed: string | null;
}

/**
 * What the wanted tables are made from; nothing for a filing that can't have XBRL.
 * All inline documents of a filing belong together. Which pages are inline no listing says: those named as EDGAR's extraction and fee
 * exhibits are; of the others EDGAR's summary tells, or all of a fitting type are needed. A list may also leave out all that shows XBRL:
 * downloaders store the main document alone. If form and day allow it, the main document itself shows whether it is an inline one.
 * @param wanted names of tables; others than those of XBRL are ignored
 */
export function neededXbrl<Document extends NamedDocument>(
  documents: readonly Document[],
  wanted: ReadonlySet<string>,
  filing: ListedFiling,
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
  const hasTaxonomy = TAXONOMY.some((kind) => of(kind).length > 0);
  // Other names that end in .xml make no instance without a taxonomy beside it.
  const isInstance = ({ filename, type }: Document) => type !== null || hasTaxonomy || INSTANCE_NAME.test(filename!);
  const instances = of('instance').filter(isInstance);
  const all = documents.filter((document) => isPage(document) || (isTyped && xbrlKind(document) === 'unknown'));
  const pages =
    instances.length > 0 && of('extraction').length === 0
      ? null
      : pagesOf(all, { extractions: of('extraction'), hasTaxonomy, filing });
  const certain = pages?.certain ?? [];
  const facts = [...instances, ...certain, ...unknown];
  // Without its pages the extraction gives the facts.
  need(FACTS, facts.length > 0 ? facts : of('extraction'));
  if (certain.length > 0 && of('extraction').length > 0) need([xbrlChecks.name], [...facts, ...of('extraction')]);
  const isShown = hasTaxonomy || of('extraction').length > 0;
  if (pages !== null && pages.undecided.length > 0 && facts.some((document) => needed.has(document))) {
    if (isShown) for (const summary of of('summary')) needed.add(summary);
    if (!isShown || of('summary').length > 0) undecided.push(...pages.undecided);
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
    hasFacts: isShown,
  };
}

const TAXONOMY: readonly XbrlKind[] = ['schema', 'labels', 'presentation', 'calculation', 'definition'];

function isPage(document: NamedDocument): boolean {
  return xbrlKind(document) === 'page';
}

interface Evidence<Document> {
  readonly extractions: readonly Document[];
  readonly hasTaxonomy: boolean;
  readonly filing: ListedFiling;
}

/** Pages to be read, and those that may be inline documents besides. */
function pagesOf<Document extends NamedDocument>(
  pages: readonly Document[],
  { extractions, hasTaxonomy, filing }: Evidence<Document>,
): { certain: readonly Document[]; undecided: readonly Document[] } {
  const isFees = ({ type }: Document) => type !== null && FEES.test(type);
  const possible = pages.filter((page) => !isFees(page) && !(page.type !== null && NEVER_INLINE.test(page.type)));
  if (!hasTaxonomy && extractions.length === 0) {
    const fees = filing.filed === null || filing.filed >= FEES_SINCE ? pages.filter(isFees) : [];
    if (!mayBeInline(filing.form, filing.filed)) return { certain: fees, undecided: [] };
    const main = possible.filter((page) => isMain(page, filing));
    // A list without types does not say which page is the report.
    const certain = main.length > 0 ? main : possible;
    return { certain: [...certain, ...fees], undecided: possible.filter((page) => !certain.includes(page)) };
  }
  // Most fee exhibits are plain pages: those with facts have an extraction.
  const certain = pages.filter((page) => isExtracted(page, extractions) || isFees(page));
  // Fees are declared without a taxonomy, and the report beside them does not belong to them.
  if (!hasTaxonomy && certain.length > 0) return { certain, undecided: [] };
  const others = possible.filter((page) => !certain.includes(page));
  if (certain.length > 0) return { certain, undecided: others };
  // A report without an extraction is its own first page.
  const first = others.find((page) => isMain(page, filing)) ?? others[0];
  return { certain: others.filter((page) => page === first), undecided: others.filter((page) => page !== first) };
}

/** Whether a document has the type of its filing. Amendments may leave out the `/A`. */
function isMain({ type }: NamedDocument, { form }: ListedFiling): boolean {
  const base = (name: string) => name.replace(/\/A$/i, '').trim().toUpperCase();
  return type !== null && base(type) === base(form);
}

/** `acme-20241231_htm.xml` is of `acme-20241231.htm`. */
function isExtracted({ filename }: NamedDocument, extractions: readonly NamedDocument[]): boolean {
  if (filename === null) return false;
  const stem = filename.replace(/\.x?html?$/i, '').toLowerCase();
  return extractions.some((extraction) => extraction.filename!.replace(/_htm\.xml$/i, '').toLowerCase() === stem);
}

/** File names of inline documents, by EDGAR's FilingSummary.xml. @returns null if it names none */
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
