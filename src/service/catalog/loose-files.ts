/**
 * Documents of filings without their submission, as downloaders leave them: one file for a filing, or a folder of files. `ingest`
 * notes them on its first walk. If there are any, it walks again for facts about their filings, and for their bytes.
 */
import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { type AccessionNumber, parseAccessionNumber, parseCik } from '../../filings/api/index.ts';
import {
  type FilingFacts,
  factsOfIndexEntry,
  factsOfJson,
  filingIndexKind,
  filingsCsvKind,
  headersPageKind,
  isFiled,
  type LooseDocument,
  looseSubmission,
  submissionMetadataKind,
  submissionsJsonKind,
} from '../../filings/edgar/index.ts';
import type { FileInput } from './input.ts';

/** Files with facts about filings, those that know most first. */
export const FACT_KINDS = [
  submissionMetadataKind,
  headersPageKind,
  submissionsJsonKind,
  filingsCsvKind,
  filingIndexKind,
] as const;

/** Why documents were not stored. */
export type LeftReason = 'no_accession_number' | 'no_facts' | 'no_main_document';

export interface LeftDocuments {
  reason: LeftReason;
  files: number;
  /** The first of them */
  example: string;
}

interface LooseFiling {
  /** Path and kind of each file */
  files: Map<string, string>;
  facts: { rank: number; facts: FilingFacts } | null;
  /** By path; null: the filing is made */
  documents: Map<string, LooseDocument> | null;
}

/** Kinds that a document of a filing may be of. */
const DOCUMENT_KINDS = new Set(['document', 'xml', 'unknown']);
/** Endings of documents that are recognised by nothing else. */
const ENDING = /\.(txt|html?|xml|xsd|jpe?g|gif|png|pdf|paper)(\.gz)?$/i;
const IN_PATH = /(?<!\d)(\d{10}-\d{2}-\d{6}|\d{18})(?!\d)/g;

export class LooseFiles {
  readonly #filings = new Map<string, LooseFiling>();
  /** Documents whose path names no filing, by folder: a file beside them may. */
  readonly #nameless = new Map<string, Map<string, string>>();
  readonly #left = new Map<LeftReason, LeftDocuments>();
  /** Filings of older pages of submissions JSON, until their company's name is known. */
  readonly #olderPages: { cik: string; json: Parameters<typeof factsOfJson>[0] }[] = [];
  readonly #names = new Map<string, string | null>();
  /** Whose the documents of a folder are, from a file beside them. */
  readonly #folders = new Map<string, string>();

  /** A file of the first walk. */
  note(path: string, kind: string): void {
    const name = nameOf(path);
    if (!DOCUMENT_KINDS.has(kind) || !isFiled(name) || (kind === 'unknown' && !ENDING.test(name))) return;
    const number = numberIn(path);
    if (number !== null) this.#filing(number).files.set(path, kind);
    else if (kind !== 'unknown') {
      const folder = this.#nameless.get(folderOf(path)) ?? new Map<string, string>();
      this.#nameless.set(folderOf(path), folder.set(path, kind));
    }
  }

  get isEmpty(): boolean {
    return this.#filings.size === 0 && this.#nameless.size === 0;
  }

  /** @returns number of documents whose filing is stored whole: they are parts of it */
  dropStored(isStoredWhole: (accession: string) => boolean): number {
    let documents = 0;
    for (const [accession, { files }] of this.#filings) {
      if (!isStoredWhole(accession)) continue;
      documents += files.size;
      this.#filings.delete(accession);
    }
    return documents;
  }

  /** Takes what a file of FACT_KINDS says. @returns whether it says something of these documents' filings. @throws EdgarFileError */
  learn({ fileKind, path, bytes }: FileInput): boolean {
    let isOfUse = false;
    const rank = FACT_KINDS.indexOf(fileKind as (typeof FACT_KINDS)[number]);
    const take = (facts: FilingFacts | null) => {
      const filing = facts && this.#filings.get(facts.accessionNumber);
      if (!facts || !filing) return;
      isOfUse = true;
      if (filing.facts === null || rank < filing.facts.rank) filing.facts = { rank, facts };
    };
    if (fileKind === submissionMetadataKind) {
      const [facts] = submissionMetadataKind.read(bytes);
      this.#nameFolder(folderOf(path), facts!.accessionNumber);
      take(facts!);
    } else if (fileKind === headersPageKind) headersPageKind.read(bytes).forEach(take);
    else if (fileKind === filingsCsvKind) filingsCsvKind.read(bytes).forEach(take);
    else if (fileKind === filingIndexKind)
      for (const entry of filingIndexKind.read(bytes)) take(factsOfIndexEntry(entry));
    else if (fileKind === submissionsJsonKind) {
      const json = submissionsJsonKind.read(bytes);
      const cik = json.entity?.cik ?? parseCik(/CIK(\d{10})-/.exec(nameOf(path))?.[1] ?? '');
      if (json.entity) this.#names.set(json.entity.cik, json.entity.name);
      // Only filings that are needed are kept.
      const filings = json.filings.filter(({ accessionNumber }) => this.#filings.has(accessionNumber));
      if (cik !== null && filings.length > 0) {
        isOfUse = true;
        this.#olderPages.push({ cik, json: { filings } });
      }
    }
    return isOfUse;
  }

  /** All files with facts were read. @returns the paths of the documents to read now */
  wanted(): Set<string> {
    const rank = FACT_KINDS.indexOf(submissionsJsonKind);
    for (const { cik, json } of this.#olderPages.splice(0)) {
      for (const facts of factsOfJson(json, { cik, name: this.#names.get(cik) ?? null })) {
        const filing = this.#filings.get(facts.accessionNumber)!;
        if (filing.facts === null || rank < filing.facts.rank) filing.facts = { rank, facts };
      }
    }
    for (const folder of this.#nameless.values()) this.#leave('no_accession_number', folder.keys());
    const paths = new Set<string>();
    for (const { files, facts } of this.#filings.values()) {
      if (facts === null) this.#leave('no_facts', files.keys());
      else for (const path of files.keys()) paths.add(path);
    }
    return paths;
  }

  /** Takes a document. @returns the filing, once all its files are there: `kinds` of its files, `bytes` as a submission */
  add({ path, bytes }: FileInput): { bytes: Buffer; kinds: string[] } | null {
    const owner = numberIn(path) ?? this.#folders.get(folderOf(path));
    const filing = this.#filings.get(owner!)!;
    // A path may be given twice.
    if (filing.documents === null) return null;
    filing.documents.set(path, { name: nameOf(path).replace(/\.gz$/i, ''), bytes: Buffer.from(bytes) });
    if (filing.documents.size < filing.files.size) return null;
    const documents = distinct(filing.documents.values());
    filing.documents = null;
    const made = looseSubmission(filing.facts!.facts, documents);
    if (made !== null) return { bytes: made, kinds: [...filing.files.values()] };
    this.#leave('no_main_document', filing.files.keys());
    return null;
  }

  /** One unreadable file for each filing that has any. Such a filing is not stored at all. */
  unfinished(): string[] {
    const all = [...this.#filings.values()].filter(({ facts, documents }) => facts !== null && documents !== null);
    return all.map(({ files }) => [...files.keys()][0]!);
  }

  left(): LeftDocuments[] {
    return [...this.#left.values()];
  }

  /** A file beside documents says whose they are. */
  #nameFolder(folder: string, accession: AccessionNumber): void {
    const files = this.#nameless.get(folder);
    if (files === undefined) return;
    this.#nameless.delete(folder);
    this.#folders.set(folder, accession);
    for (const [path, kind] of files) this.#filing(accession).files.set(path, kind);
  }

  #filing(accession: string): LooseFiling {
    const filing = this.#filings.get(accession) ?? { files: new Map(), facts: null, documents: new Map() };
    this.#filings.set(accession, filing);
    return filing;
  }

  #leave(reason: LeftReason, paths: Iterable<string>): void {
    const [example, ...more] = paths;
    if (example === undefined) return;
    const known = this.#left.get(reason) ?? { reason, files: 0, example };
    this.#left.set(reason, { ...known, files: known.files + 1 + more.length });
  }
}

/** One of several copies of a document. */
function distinct(documents: Iterable<LooseDocument>): LooseDocument[] {
  const found = new Map<string, LooseDocument>();
  for (const document of documents) {
    const key = hash('sha256', document.bytes);
    if (!found.has(key)) found.set(key, document);
  }
  return [...found.values()];
}

/** The file's name, also within an archive. */
function nameOf(path: string): string {
  return basename(path.slice(path.lastIndexOf('!') + 1));
}

/** The folder, also within an archive: `a.tar!0000320193-24-000123`. */
function folderOf(path: string): string {
  const inArchive = path.lastIndexOf('!');
  return inArchive < 0 ? dirname(path) : `${path.slice(0, inArchive)}!${dirname(path.slice(inArchive + 1))}`;
}

/** The accession number that stands last in a path: in the file's name, or in that of the nearest folder. */
function numberIn(path: string): AccessionNumber | null {
  const found = path.match(IN_PATH)?.at(-1);
  return found === undefined ? null : parseAccessionNumber(found);
}
