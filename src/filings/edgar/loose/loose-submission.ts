/** Single documents of a filing as one file for the reader of submissions: what header is known, then the documents. */
import { findDocument, readDocumentBlocks } from '../submission/document-blocks.ts';
import { describeDocuments } from '../submission/documents.ts';
import type { FilingFacts } from './filing-facts.ts';

export interface LooseDocument {
  /** Name of its file */
  name: string;
  bytes: Buffer;
}

/** The field of the header that says whether all documents of the filing are there. */
export const DOCUMENTS_AT_HAND = 'DOCUMENTS-AT-HAND';
/** The field with the bytes of the complete submission. */
export const COMPLETE_SIZE = 'COMPLETE-SIZE';

/** What EDGAR's folder of a filing has beside the documents that were filed. */
const NOT_FILED =
  /^(R\d+\.(htm|xml)|Financial_Report\.xlsx?|FilingSummary\.xml|MetaLinks\.json|metadata\.json|index\.json|.*-index(-headers)?\.html?|.*-xbrl\.zip|.*\.(css|js))$/i;
/** Names that downloaders give to a main document. */
const MAIN_NAME = /^(primary[-_]doc(ument)?|filing-details)\.\w+$/i;

/** Exhibits as filers name them, pictures, linkbases: a filing's only file may be one of them, and is not its report. */
const OTHER_NAME =
  /(^|[^a-z]|\dd)(ex|exh|exhibit)[-_. ]?\d|(^|[^a-z\d])[ae]?-?99[-_.]?\d|\.(xsd|jpe?g|gif|png|pdf|zip|xlsx?)$|_(cal|def|lab|pre|htm)\.xml$/i;

export function isFiled(name: string): boolean {
  return !NOT_FILED.test(name);
}

interface Described {
  type: string | null;
  sequence: number | null;
  filename: string;
  description: string | null;
  content: Buffer;
}

/** @returns null if none of the documents is known to be the main one: an exhibit must not be read as the report */
export function looseSubmission(facts: FilingFacts, documents: readonly LooseDocument[]): Buffer | null {
  const described = documents.map((document) => describe(facts, document, documents.length === 1));
  if (!described.some(({ type, sequence }) => sequence === 1 || type?.toUpperCase() === facts.formType.toUpperCase()))
    return null;
  // Documents without a number follow the others, by name.
  described.sort((a, b) => (a.sequence ?? 1e9) - (b.sequence ?? 1e9) || (a.filename < b.filename ? -1 : 1));
  const names = new Set(documents.map(({ name }) => name));
  const isWhole = facts.documents !== null && [...facts.documents.keys()].every((name) => names.has(name));
  const head = [
    '<LOOSE-DOCUMENTS>',
    ...facts.header,
    `<${DOCUMENTS_AT_HAND}>${isWhole ? 'all' : 'some'}`,
    ...(facts.size === null ? [] : [`<${COMPLETE_SIZE}>${facts.size}`]),
  ];
  const blocks = described.flatMap(({ type, sequence, filename, description, content }) => {
    const tags = [
      '<DOCUMENT>',
      ...(type === null ? [] : [`<TYPE>${type}`]),
      ...(sequence === null ? [] : [`<SEQUENCE>${sequence}`]),
      `<FILENAME>${filename}`,
      ...(description === null ? [] : [`<DESCRIPTION>${description}`]),
      '<TEXT>',
      '',
    ];
    return [Buffer.from(tags.join('\n')), content, Buffer.from('</TEXT>\n</DOCUMENT>\n')];
  });
  return Buffer.concat([Buffer.from(`${head.join('\n')}\n`), ...blocks, Buffer.from('</LOOSE-DOCUMENTS>\n')]);
}

function isNamedAsFiling(name: string, accessionNumber: string): boolean {
  return name.includes(accessionNumber) || name.includes(accessionNumber.replaceAll('-', ''));
}

function describe(facts: FilingFacts, { name, bytes }: LooseDocument, isOnly: boolean): Described {
  const tagged = withoutTags(bytes);
  const listed = facts.documents?.get(name);
  const isRenamed = MAIN_NAME.test(name) || (isOnly && isNamedAsFiling(name, facts.accessionNumber));
  const isMain =
    isRenamed ||
    (facts.mainDocument === null
      ? isOnly && tagged === null && listed === undefined && !OTHER_NAME.test(name)
      : name.toLowerCase() === facts.mainDocument.toLowerCase());
  return {
    type: tagged?.type || listed?.type || (isMain ? facts.formType : null),
    sequence: tagged?.sequence ?? listed?.sequence ?? (isMain ? 1 : null),
    filename: tagged?.filename ?? (isRenamed ? (facts.mainDocument ?? name) : name),
    description: tagged?.description ?? listed?.description ?? null,
    content: tagged?.content ?? bytes,
  };
}

/** A document that was cut from a submission together with its tags. */
function withoutTags(bytes: Buffer): Described | null {
  const start = findDocument(Buffer.concat([Buffer.from('\n'), bytes.subarray(0, 64)]), 0) === 1 ? 0 : -1;
  if (start < 0) return null;
  const closed = Buffer.concat([bytes, Buffer.from('\n</LOOSE-DOCUMENTS>\n')]);
  const { blocks } = readDocumentBlocks(closed, 0, '</LOOSE-DOCUMENTS>', []);
  const [document] = describeDocuments(closed, blocks.slice(0, 1), []);
  if (document === undefined || blocks.length !== 1) return null;
  const isNumbered = blocks[0]!.tags.some(({ name }) => name === 'SEQUENCE');
  const { type, filename, description, sequence } = document;
  return {
    type,
    filename: filename ?? '',
    description,
    sequence: isNumbered ? sequence : null,
    content: document.read(),
  };
}
