/** Ingest of submissions, against the least that it must do with the same bytes, all in one run. */
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { constants, gunzipSync, zstdCompressSync } from 'node:zlib';
import { sectionFamily } from '../src/api/index.ts';
import { ingest } from '../src/catalog/index.ts';
import { parseFiling } from '../src/catalog/parse-filing.ts';
import { formatBytes, formatCount, printJson, printTable } from '../src/cli/terminal/terminal.ts';
import { FilinglakeError } from '../src/core/index.ts';
import { decodeText, findSections } from '../src/documents/index.ts';
import { HEAD_BYTES, readSubmission, recogniseFile, submissionKind } from '../src/edgar/index.ts';
import { sampleSubmissions } from '../src/sample/index.ts';
import { sharedFolder } from '../test/support/shared.ts';
import { cost, cpuSeconds, median, hundredths as rounded } from './recording/measuring.ts';

export const summary =
  'CPU seconds of ingest, against zstd-3, a bare FTS5 insert and the section finder; again, against hashing: ingest [FOLDER | sample N]';

const ROUNDS = 3;
const BYTES_MAX = 400_000_000;
const BATCH_BYTES = 32 * 2 ** 20;

interface Row {
  what: string;
  cpu_seconds: number;
  /** Of the submissions' bytes */
  mb_per_cpu_second: number;
  [more: string]: string | number;
}

/** Prints a table, or with `json` {files, bytes, rows, ratio, again_ratio, memory_bytes}. */
export async function run(args: string[], options: { json: boolean }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-ingest-'));
  try {
    // As the command does.
    enableCompileCache(join(folder, 'compiled'));
    const corpus = join(folder, 'corpus');
    const { files, bytes } = makeCorpus(corpus, args);
    const rounds: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(corpus, join(folder, `catalog-${round}`)));
    const of = (name: keyof Measured) => median(rounds.map((round) => round[name]));
    const row = (what: string, cpu: number): Row => ({
      what,
      cpu_seconds: rounded(cpu),
      mb_per_cpu_second: rounded(bytes / 1e6 / cpu),
    });
    const least = median(rounds.map(({ zstd, fulltext, sections }) => zstd + fulltext + sections));
    const ratio = rounded(median(rounds.map((r) => r.ingest / (r.zstd + r.fulltext + r.sections))));
    const again_ratio = rounded(median(rounds.map((r) => r.again / r.hashing)));
    const rows = [
      row('zstd-3 of the documents', of('zstd')),
      row('bare FTS5 insert of their text', of('fulltext')),
      row('section finder', of('sections')),
      row('sum of the three', least),
      row('ingest', of('ingest')),
      row('SHA-256 of the files', of('hashing')),
      row('ingest again', of('again')),
    ];
    const memory_bytes = process.resourceUsage().maxRSS * 1024;
    if (options.json) return printJson({ files, bytes, rounds: ROUNDS, rows, ratio, again_ratio, memory_bytes });
    process.stdout.write(
      `${formatCount(files)} submissions, ${formatBytes(bytes)}; CPU seconds of all threads, median of ${ROUNDS} rounds\n\n`,
    );
    printTable(rows, ['what', 'cpu_seconds', 'mb_per_cpu_second']);
    process.stdout.write(`\ningest: ${ratio} times the sum; ingest again: ${again_ratio} times hashing\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Submissions as plain files, from a folder (`.gz` unpacked) or generated. */
function makeCorpus(corpus: string, [from, count]: string[]): { files: number; bytes: number } {
  let files = 0;
  let bytes = 0;
  const put = (path: string, content: Uint8Array) => {
    mkdirSync(dirname(join(corpus, path)), { recursive: true });
    writeFileSync(join(corpus, path), content);
    files++;
    bytes += content.length;
  };
  if (from === 'sample') {
    for (const one of sampleSubmissions({ filings: Number(count ?? 1000), seed: 7 })) put(one.path, one.bytes);
    return { files, bytes };
  }
  const folder = from ?? (sharedFolder && join(sharedFolder, 'edgar'));
  if (!folder) {
    throw new FilinglakeError('argument-missing', 'there are no real submissions beside the checkout', {
      remedy: 'Name a folder with submissions, or give `sample 1000`.',
    });
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(txt|nc)(\.gz)?$/.test(entry.name)) continue;
    const stored = readFileSync(join(entry.parentPath, entry.name));
    const content = entry.name.endsWith('.gz') ? gunzipSync(stored) : stored;
    const name = basename(entry.name, '.gz');
    if (recogniseFile(name, content.subarray(0, HEAD_BYTES)) !== submissionKind || !isWhole(content)) continue;
    if (bytes + content.length > BYTES_MAX) break;
    put(`${files}-${name}`, content);
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
