/**
 * The bare handler that the service is compared with: node:http and node:sqlite, the same JSON, no keys, no checks. `/search` gives the
 * number of hits of a word, the numbers of the newest, and on request the length of their texts. Prints its URL.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { PackReader } from '../../src/service/catalog/packs/packs.ts';
import { readInfo } from '../../src/service/catalog/packs/stored-info.ts';

const [folder] = process.argv.slice(2);
const source = new DatabaseSync(join(folder!, 'catalog.db'), { readOnly: true });
const scratch = mkdtempSync(join(tmpdir(), 'filinglake-bare-'));
const records = new DatabaseSync(join(scratch, 'records.db'));
records.exec(
  'PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE records (accession TEXT PRIMARY KEY, json BLOB) WITHOUT ROWID',
);
const insert = records.prepare('INSERT INTO records VALUES (?, ?)');
records.exec('BEGIN');
const rows = source.prepare('SELECT accession, info FROM filings JOIN filing_infos ON filing = filings.id').iterate();
for (const row of rows) insert.run(row.accession as string, readInfo(row.info as Uint8Array));
records.exec('COMMIT');

const find = records.prepare('SELECT json FROM records WHERE accession = ?');
const count = source.prepare('SELECT count(*) AS n FROM document_texts WHERE document_texts MATCH ?');
const newest = source.prepare(
  'SELECT rowid, bm25(document_texts) AS rank FROM document_texts WHERE document_texts MATCH ? ORDER BY rowid DESC LIMIT ?',
);
const place = source.prepare('SELECT pack, text_offset, text_length FROM documents WHERE id = ?');
const packs = new PackReader(folder!);

function search(query: URLSearchParams): object {
  const expression = `"${query.get('query')!}"`;
  const { n } = count.get(expression) as { n: number };
  const hits = newest.all(expression, Number(query.get('to'))) as { rowid: number; rank: number }[];
  if (!query.has('texts')) return { n, hits };
  const texts = hits.map(({ rowid }) => {
    const { pack, text_offset, text_length } = place.get(rowid) as Record<string, number>;
    return zstdDecompressSync(packs.read({ pack: pack!, offset: text_offset!, length: text_length! })).length;
  });
  return { n, hits, texts };
}

const server = createServer((request, response) => {
  const query = new URLSearchParams(request.url!.slice(request.url!.indexOf('?') + 1));
  if (request.url!.startsWith('/search')) return void response.end(JSON.stringify(search(query)));
  const row = find.get(query.get('accession_number')!) as { json: Uint8Array } | undefined;
  if (!row) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': row.json.byteLength });
  response.end(row.json);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.on('SIGTERM', () => {
  rmSync(scratch, { recursive: true, force: true });
  process.exit(0);
});
