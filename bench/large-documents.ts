/** Memory of a service that gives one large document to many readers at once: fast ones, and slow ones that hold their connections. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { KeyRegister, loadPlans } from '../src/accounts/index.ts';
import { ingest } from '../src/catalog/index.ts';
import { printJson, printTable } from '../src/cli/terminal/terminal.ts';
import { type Server, startService } from './service-sides/server.ts';

export const summary =
  'memory of the service with one large document and many readers [--megabytes N] [--readers N] [--seconds S]';

const ACCESSION = '0000000001-20-000001';
const MB = 1_000_000;
/** As JSON at most 128 MiB are given. */
const JSON_MEGABYTES_MAX = 100;

interface Reading {
  readers: string;
  answers: number;
  /** Answers with 503, tried again after the time they name. */
  refused: number;
  megabytes_read: number;
  seconds: number;
  memory_mb: number;
  cpu_seconds: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { megabytes: { type: 'string' }, readers: { type: 'string' }, seconds: { type: 'string' } },
  });
  const megabytes = Number(values.megabytes ?? 200);
  const readers = Number(values.readers ?? 20);
  const seconds = Number(values.seconds ?? 10);
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-bench-'));
  try {
    await makeCatalog(folder, [megabytes, Math.min(megabytes, JSON_MEGABYTES_MAX)]);
    const accounts = KeyRegister.open(join(folder, 'catalog'), loadPlans());
    const { api_key: key } = accounts.createKey('unlimited');
    accounts.close();
    const service = await startService(join(folder, 'catalog'), 1, ['--no-pages']);
    const rows: Reading[] = [];
    try {
      rows.push(await watched('at rest', service, async () => []));
      const bytes = (sequence: number) => addressOf(service, key, sequence);
      const all = { accept: 'application/octet-stream' };
      const many = (read: () => Promise<number>) => Promise.all(Array.from({ length: readers }, read));
      rows.push(
        await watched(`${readers}, bytes`, service, () => many(() => readAll(bytes(2), all))),
        await watched(`${readers}, bytes, zstd`, service, () =>
          many(() => readAll(bytes(2), { ...all, 'accept-encoding': 'zstd' })),
        ),
        await watched(`${readers} slow, bytes`, service, () => many(() => readSlowly(bytes(2), all, seconds))),
        await watched(`${readers}, HEAD`, service, () => many(() => readAll(bytes(2), all, 'HEAD'))),
        await watched(`${readers}, JSON of ${Math.min(megabytes, JSON_MEGABYTES_MAX)} MB`, service, () =>
          many(() => readAll(bytes(3), {})),
        ),
      );
      await sleep(5_000);
      rows.push(await watched('at rest, after', service, async () => []));
    } finally {
      await service.stop();
    }
    if (json) printJson({ megabytes, readers, readings: rows });
    else printTable(rows as unknown as Record<string, unknown>[], Object.keys(rows[0]!));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeCatalog(folder: string, sizes: readonly number[]): Promise<void> {
  mkdirSync(join(folder, 'files'));
  const documents = sizes.map((megabytes, i) => {
    const rows = Array.from({ length: Math.round((megabytes * MB) / 40) }, (_, row) => (row * 2_654_435_761) % 2 ** 48);
    const text = JSON.stringify(rows.map((row) => `${row.toString(36).padEnd(20, 'x')} and its row`));
    return `<DOCUMENT>\n<TYPE>EX-99\n<SEQUENCE>${i + 2}\n<FILENAME>data${i}.json\n<TEXT>\n${text}\n</TEXT>\n</DOCUMENT>\n`;
  });
  const header = `<SEC-HEADER>${ACCESSION}.hdr.sgml : 20200102
ACCESSION NUMBER:\t\t${ACCESSION}
CONFORMED SUBMISSION TYPE:\t8-K
PUBLIC DOCUMENT COUNT:\t\t${sizes.length + 1}
FILED AS OF DATE:\t\t20200102

FILER:

\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\tLARGE CO
\t\tCENTRAL INDEX KEY:\t\t\t0000000001
</SEC-HEADER>
`;
  const first = '<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<FILENAME>a.txt\n<TEXT>\nwords\n</TEXT>\n</DOCUMENT>\n';
  const text = `<SEC-DOCUMENT>${ACCESSION}.txt : 20200102\n${header}${first}${documents.join('')}</SEC-DOCUMENT>\n`;
  writeFileSync(join(folder, 'files', `${ACCESSION}.txt`), text);
  const { failures } = await ingest([join(folder, 'files')], join(folder, 'catalog'), { threads: 0 });
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
}

interface Address {
  url: string;
  key: string;
}

function addressOf({ url }: Server, key: string, sequence: number): Address {
  return { url: `${url}/v2/document?document_id=${ACCESSION}-${sequence}`, key };
}

let refusals = 0;

/** The largest memory while `read` runs. */
async function watched(readers: string, service: Server, read: () => Promise<number[]>): Promise<Reading> {
  let largest = service.megabytes();
  const watch = setInterval(() => {
    largest = Math.max(largest, service.megabytes());
  }, 100);
  const [startedAt, cpu] = [performance.now(), service.cpu()];
  refusals = 0;
  const bytes = await read();
  clearInterval(watch);
  return {
    ...{ readers, answers: bytes.length, refused: refusals },
    megabytes_read: Math.round(bytes.reduce((sum, one) => sum + one, 0) / MB),
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    memory_mb: Math.max(largest, service.megabytes()),
    cpu_seconds: Math.round((service.cpu() - cpu) / 100) / 10,
  };
}

async function readAll(
  { url, key }: Address,
  headers: Record<string, string>,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<number> {
  const answer = await request(url, {
    method,
    headers: { 'x-api-key': key, ...headers },
    ...{ bodyTimeout: 0, headersTimeout: 0 },
  });
  if (answer.statusCode === 503) {
    refusals++;
    await answer.body.dump();
    await sleep(Number(answer.headers['retry-after']) * 1_000);
    return readAll({ url, key }, headers, method);
  }
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${await answer.body.text()}`);
  let bytes = 0;
  for await (const chunk of answer.body) bytes += (chunk as Buffer).length;
  return bytes;
}

/** Reads some 100 kB a second, and then leaves. */
async function readSlowly({ url, key }: Address, headers: Record<string, string>, seconds: number): Promise<number> {
  const answer = await request(url, { headers: { 'x-api-key': key, ...headers } });
  const until = performance.now() + seconds * 1_000;
  let bytes = 0;
  answer.body.on('error', () => {});
  for await (const chunk of answer.body) {
    bytes += (chunk as Buffer).length;
    if (performance.now() > until) break;
    await sleep(640);
  }
  return bytes;
}
