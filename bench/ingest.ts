/** Ingest of submissions, against the least that it must do with the same bytes, all in one run. */
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { constants, gunzipSync, zstdCompressSync } from 'node:zlib';
import { sectionFamily } from '../src/filings/api/index.ts';
import { decodeText, findSections } from '../src/filings/documents/index.ts';
import { HEAD_BYTES, readSubmission, recogniseFile, submissionKind } from '../src/filings/edgar/index.ts';
import { ingest } from '../src/service/catalog/index.ts';
import { parseFiling } from '../src/service/catalog/parse-filing.ts';
import { sharedFolder } from '../test/support/shared.ts';
import { cost, cpuSeconds, median, rounded, show } from './recording/measuring.ts';

export const summary =
  'CPU seconds of ingest, against zstd-3, a bare FTS5 insert and the section finder; again, against hashing: [FOLDER]';

const ROUNDS = 3;
const BYTES_MAX = 400_000_000;
const BATCH_BYTES = 32 * 2 ** 20;

export async function run([from]: string[], { json }: { json: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-ingest-'));
  try {
    // As the command does.
    enableCompileCache(join(folder, 'compiled'));
    const corpus = join(folder, 'corpus');
    const { files, bytes } = makeCorpus(corpus, from ?? (sharedFolder && join(sharedFolder, 'edgar')));
    const rounds: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(corpus, join(folder, `catalog-${round}`)));
    const row = (what: string, of: (round: Measured) => number) => {
      const cpu_seconds = median(rounds.map(of));
      return { what, cpu_seconds, mb_per_cpu_second: bytes / 1e6 / cpu_seconds };
    };
    const least = ({ zstd, fulltext, sections }: Measured) => zstd + fulltext + sections;
    const rows = [
      row('zstd-3 of the documents', ({ zstd }) => zstd),
      row('bare FTS5 insert of their text', ({ fulltext }) => fulltext),
      row('section finder', ({ sections }) => sections),
      row('sum of the three', least),
      row('ingest', ({ ingest }) => ingest),
      row('SHA-256 of the files', ({ hashing }) => hashing),
      row('ingest again', ({ again }) => again),
    ].map(rounded);
    const ratio = median(rounds.map((round) => round.ingest / least(round)));
    const again_ratio = median(rounds.map(({ again, hashing }) => again / hashing));
    const result = {
      files,
      bytes,
      rounds: ROUNDS,
      rows,
      ratio,
      again_ratio,
      memory_bytes: process.resourceUsage().maxRSS * 1024,
    };
    show(rows, json, result);
    if (!json)
      process.stdout.write(
        `\ningest: ${ratio.toFixed(2)} times the sum; again: ${again_ratio.toFixed(2)} times hashing\n`,
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Submissions as plain files. */
function makeCorpus(corpus: string, from: string | null): { files: number; bytes: number } {
  if (!from) throw new Error('name a folder with submissions: npm run bench -- ingest FOLDER');
  mkdirSync(corpus);
  let files = 0;
  let bytes = 0;
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(txt|nc)(\.gz)?$/.test(entry.name)) continue;
    const stored = readFileSync(join(entry.parentPath, entry.name));
    const content = entry.name.endsWith('.gz') ? gunzipSync(stored) : stored;
    const name = basename(entry.name, '.gz');
    if (recogniseFile(name, content.subarray(0, HEAD_BYTES)) !== submissionKind || !isWhole(content)) continue;
    if (bytes + content.length > BYTES_MAX) break;
    writeFileSync(join(corpus, `${files++}-${name}`), content);
    bytes += content.length;
  }
  return { files, bytes };
}

function isWhole(content: Buffer): boolean {
  try {
    readSubmission(content);
    return true;
  } catch {
    return false;
  }
}

interface Measured {
  zstd: number;
  fulltext: number;
  sections: number;
  ingest: number;
  hashing: number;
  again: number;
}

async function measure(corpus: string, catalog: string): Promise<Measured> {
  const measured: Measured = { zstd: 0, fulltext: 0, sections: 0, ingest: 0, hashing: 0, again: 0 };
  const timed = (name: keyof Measured, work: () => unknown) => {
    measured[name] += cpuSeconds(work);
  };
  measured.ingest = (await cost(() => ingest([corpus], catalog))).cpu;
  measured.again = (await cost(() => ingest([corpus], catalog))).cpu;
  leastWork(corpus, `${catalog}.fts`, timed);
  rmSync(catalog, { recursive: true, force: true });
  rmSync(`${catalog}.fts`, { recursive: true, force: true });
  return measured;
}

function leastWork(corpus: string, folder: string, timed: (name: keyof Measured, work: () => unknown) => void): void {
  mkdirSync(folder);
  const db = new DatabaseSync(join(folder, 'text.db'));
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY');
  db.exec(
    `CREATE VIRTUAL TABLE texts USING fts5(text, content='', contentless_delete=1, detail=full, tokenize='unicode61 remove_diacritics 2')`,
  );
  const insert = db.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  let id = 0;
  let waiting: string[] = [];
  let waitingBytes = 0;
  const store = () => {
    timed('fulltext', () => {
      db.exec('BEGIN');
      for (const text of waiting) insert.run(++id, text);
      db.exec('COMMIT');
    });
    waiting = [];
    waitingBytes = 0;
  };
  const params = { [constants.ZSTD_c_compressionLevel]: 3 };
  for (const entry of readdirSync(corpus, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    timed('hashing', () => hash('sha256', readFileSync(path)));
    const bytes = readFileSync(path);
    const submission = readSubmission(bytes);
    const contents = submission.documents.map((document) => document.read());
    timed('zstd', () => {
      for (const content of contents) zstdCompressSync(content, { params });
    });
    if (sectionFamily(submission.formType) !== null && contents.length > 0) {
      const { text } = decodeText(contents[0]!);
      const { formType, filingDate } = submission;
      timed('sections', () => findSections(text, formType, { filingDate }));
    }
    const { documents, texts } = parseFiling(bytes, new Uint8Array(32));
    for (const { text } of documents) {
      if (text === null) continue;
      waiting.push(Buffer.from(texts.buffer as ArrayBuffer, text.start, text.end - text.start).toString());
      waitingBytes += text.end - text.start;
    }
    if (waitingBytes > BATCH_BYTES) store();
  }
  store();
  db.close();
}
