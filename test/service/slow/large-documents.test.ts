/** A document of many megabytes: sent while it is read, and never read if the headers are enough. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyRegister } from '../../../src/service/accounts/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { type RunningService, startService } from '../../../src/service/index.ts';
import { temporaryFolder, txtOf } from '../../support/catalog/synthetic-filings.ts';
import { PLANS } from '../../support/service/running-service.ts';

const ACCESSION = '0000000001-20-000001';
/** Not searched, so that ingest is quick. */
const CONTENT = JSON.stringify(Array.from({ length: 900_000 }, (_, i) => `row ${i} of it`));

let service: RunningService;
let accounts: KeyRegister;
let key: string;
beforeAll(async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'files'));
  const submission = txtOf({
    accession: ACCESSION,
    form: '8-K',
    date: '2020-01-02',
    parties: [{ cik: '1', name: 'LARGE CO' }],
    documents: [
      { type: '8-K', filename: 'a.txt', content: 'words' },
      { type: 'EX-99', filename: 'data.json', content: CONTENT },
    ],
  });
  writeFileSync(join(root, 'files', 'a.txt'), submission);
  const { failures } = await ingest([join(root, 'files')], join(root, 'catalog'), { threads: 0 });
  expect(failures).toEqual([]);
  accounts = KeyRegister.open(join(root, 'catalog'), PLANS);
  key = accounts.createKey('unlimited').api_key;
  service = await startService({ catalogFolder: join(root, 'catalog'), port: 0, plans: PLANS });
});
afterAll(async () => {
  await service.close();
  accounts.close();
});

async function ask(headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const url = `${service.url}/v2/document?document_id=${ACCESSION}-2`;
  const answer = await request(url, { method, headers: { 'x-api-key': key, ...headers } });
  return { ...answer, bytes: Buffer.from(await answer.body.arrayBuffer()) };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const AS_BYTES = { accept: 'application/octet-stream' };

describe('a document of more than 16 MiB', () => {
  it('arrives whole as bytes, compressed or not, and as JSON', async () => {
    const json = await ask();
    const about = JSON.parse(json.bytes.toString()) as { size: number; sha256: string; content: string };
    expect(about.size).toBeGreaterThan(16 * 1024 * 1024);
    const plain = await ask(AS_BYTES);
    expect(plain.headers['content-length']).toBe(String(about.size));
    expect([plain.statusCode, plain.bytes.length, sha256(plain.bytes)]).toEqual([200, about.size, about.sha256]);
    expect(plain.bytes.equals(Buffer.from(about.content))).toBe(true);
    const packed = await ask({ ...AS_BYTES, 'accept-encoding': 'zstd' });
    expect(packed.headers['content-encoding']).toBe('zstd');
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect(sha256(zstdDecompressSync(packed.bytes))).toBe(about.sha256);
  });

  it.each([
    ['JSON', {}],
    ['bytes', AS_BYTES],
  ])('HEAD, and a tag that the caller has, read nothing of it: %s', async (_name, headers) => {
    const head = await ask(headers, 'HEAD');
    expect([head.statusCode, head.bytes.length]).toEqual([200, 0]);
    const etag = head.headers.etag as string;
    const took = { whole: Number.POSITIVE_INFINITY, again: Number.POSITIVE_INFINITY };
    for (let time = 0; time < 3; time++) {
      const startedAt = performance.now();
      const again = await ask({ ...headers, 'if-none-match': etag });
      const changedAt = performance.now();
      expect([again.statusCode, again.headers.etag, again.bytes.length]).toEqual([304, etag, 0]);
      expect((await ask(headers)).headers.etag).toBe(etag);
      took.again = Math.min(took.again, changedAt - startedAt);
      took.whole = Math.min(took.whole, performance.now() - changedAt);
    }
    expect(took.again).toBeLessThan(took.whole / 2);
  });

  it('of which a caller reads only the beginning holds nothing afterwards', async () => {
    const answer = await request(`${service.url}/v2/document?document_id=${ACCESSION}-2`, {
      headers: { 'x-api-key': key, ...AS_BYTES },
    });
    answer.body.destroy();
    const pending = async () =>
      /^filinglake_pending_answer_bytes (\d+)$/m.exec(await (await fetch(`${service.url}/metrics`)).text())![1];
    await expect.poll(pending, { timeout: 120_000 }).toBe('0');
    expect((await ask(AS_BYTES)).statusCode).toBe(200);
  });
});
