/**
 * Digests of the answers over fixed samples, by reader: another digest of the same samples needs another reader version.
 * `node test/support/catalog/reader-digests.ts` records those of today in reader-digests.json.
 */
import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sampleSubmissions } from '../../../src/cli/sample/index.ts';
import { type DocumentId, type FilingInfo, sectionFamily } from '../../../src/filings/api/index.ts';
import { decodeText, findAnnualReportSections, isTextual, sectionsHtml } from '../../../src/filings/documents/index.ts';
import { Catalog, ingest, READER_VERSIONS } from '../../../src/service/catalog/index.ts';
import { readInfo } from '../../../src/service/catalog/packs/stored-info.ts';
import { ALL_STEPS } from '../../../src/service/catalog/parse-steps.ts';
import { parseOrRefuse } from '../../../src/service/catalog/parse-worker.ts';
import { document } from '../../../src/service/operations/document.ts';

type Reader = keyof typeof READER_VERSIONS;

export interface ReaderDigests {
  /** Of the samples' own bytes */
  samples: string;
  readers: Record<Reader, { version: number; digest: string }>;
}

const FILE = join(import.meta.dirname, 'reader-digests.json');

export const recordedDigests = (): ReaderDigests => JSON.parse(readFileSync(FILE, 'utf8')) as ReaderDigests;

/** Readers that read the same samples in another way, and have the same version. */
export function unraised(before: ReaderDigests, now: ReaderDigests): Reader[] {
  if (before.samples !== now.samples) return [];
  return (Object.keys(now.readers) as Reader[]).filter((reader) => {
    const [was, is] = [before.readers[reader], now.readers[reader]];
    return was.digest !== is.digest && was.version === is.version;
  });
}

/** Changes of a file that real collections show now and then. */
const ODDITIES: ((text: string) => string)[] = [
  (text) => text.replace(/\n/g, '\r\n'),
  (text) => text.replace(/\n/g, '\r').replace('\r', '\n'),
  (text) => text.replace(/<\/TEXT>/, '\x93Soci\xe9t\xe9\x94 \x96 \x8010 caf\xe9\n</TEXT>'),
  (text) => text.replace(/[^\n]{1023}/g, '$&\n'),
  (text) => text.replace('</SEC-HEADER>\n', ''),
  (text) => text.replace(/\nend\n/, '\n'),
  (text) => text.slice(0, Math.floor(text.length * 0.4)),
];

function* readFiles(): Generator<{ path: string; bytes: Buffer }> {
  for (const file of sampleSubmissions({ filings: 120, seed: 7 })) {
    const oddity = ODDITIES[file.index];
    yield { ...file, bytes: oddity ? Buffer.from(oddity(file.bytes.toString('latin1')), 'latin1') : file.bytes };
  }
}

export async function readerDigests(): Promise<ReaderDigests> {
  const [samples, read] = [createHash('sha256'), createHash('sha256')];
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-readers-'));
  try {
    for (const { path, bytes } of readFiles()) {
      samples.update(path).update(bytes);
      addRead(read, bytes);
      mkdirSync(dirname(join(folder, 'files', path)), { recursive: true });
      writeFileSync(join(folder, 'files', path), bytes);
    }
    await ingest([join(folder, 'files')], join(folder, 'catalog'), { threads: 0 });
    const digests: Record<Reader, Hash> = { ingest: read, ...digestsOfAnswers(join(folder, 'catalog'), read) };
    const entries = Object.entries(READER_VERSIONS) as [Reader, number][];
    const readers = entries.map(([name, version]) => [name, { version, digest: taken(digests[name]) }]);
    return { samples: taken(samples), readers: Object.fromEntries(readers) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const taken = (digest: Hash) => digest.digest('hex').slice(0, 16);

function addRead(digest: Hash, bytes: Buffer): void {
  const parsed = parseOrRefuse(bytes, Buffer.alloc(32), ALL_STEPS);
  if ('fault' in parsed) return void digest.update('refused');
  const { record, info, texts, documents } = parsed.filing;
  digest
    .update(withoutRevision(record))
    .update(withoutRevision(readInfo(info).toString('utf8')))
    .update(texts);
  for (const { contentType, sha256, text } of documents)
    digest.update(`${contentType} ${text === null}`).update(sha256);
}

function withoutRevision(record: string): string {
  const { revision: _, ...rest } = JSON.parse(record) as FilingInfo;
  return JSON.stringify(rest);
}

/** @param read gets the sections that are found in annual reports */
function digestsOfAnswers(folder: string, read: Hash): { sections: Hash; document: Hash } {
  const [sections, json] = [createHash('sha256'), createHash('sha256')];
  const store = Catalog.open(folder);
  const context = {
    store,
    maxResponseBytes: 2 ** 26,
    accept: undefined,
    takesZstd: false,
    ifNoneMatch: undefined,
    headOnly: false,
    requireLaneFor: () => undefined,
  };
  try {
    const { pieces } = store.filingLookup({ sort_by: 'acceptance_date_time' });
    for (const { documents: list, form_type } of JSON.parse(`[${Buffer.concat(pieces)}]`) as FilingInfo[]) {
      for (const { document_id: id } of list) {
        const document_id = id as DocumentId;
        try {
          json.update(document.answer({ document_id, output_format: 'json' }, context).body);
        } catch (error) {
          json.update((error as Error).message);
        }
        const stored = store.document(document_id)!;
        if (sectionFamily(form_type ?? '') === null || !isTextual(stored.content_type)) continue;
        const { text } = decodeText(stored.read());
        // Of spans that no finder found: html depends on them.
        for (const html of sectionsHtml(text, thirdsOf(text))) sections.update(html);
        read.update(JSON.stringify(findAnnualReportSections(text)));
      }
    }
    return { sections, document: json };
  } finally {
    store.close();
  }
}

function thirdsOf(text: string): { start_index: number; end_index: number }[] {
  const third = Math.floor(text.length / 3);
  return [0, third, 2 * third].map((start_index) => ({ start_index, end_index: start_index + third }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const now = await readerDigests();
  const names = unraised(recordedDigests(), now);
  if (names.length > 0) throw new Error(`raise ${names.join(', ')} in READER_VERSIONS first`);
  writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`);
}
