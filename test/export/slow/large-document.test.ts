/**
 * Documents of hundreds of megabytes among small ones, on the whole way: from the service over the worker into the lake, and
 * through a compaction.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { accessionOf, documentRecord, OddService } from '../../support/odd-service.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { type Command, runCommand } from '../../support/test-stack.ts';

const MEGABYTE = 1_000_000;
/** Of a worker that stores a document of 250 MB, as docs/guide/exports.md states it. */
const WORKER_BYTES_MAX = 1_500 * MEGABYTE;
/** Otherwise V8 keeps texts that nobody needs any more, up to 4 GB where the machine has them. */
const HEAP_MB = 1_000;
const LARGE = { id: `${accessionOf(5)}-1`, megabytes: 250 };
/** Longer than any answer that the client takes. */
const TOO_LONG = { id: `${accessionOf(6)}-1`, megabytes: 300 };

const DIGITS = createHash('shake256', { outputLength: MEGABYTE / 2 })
  .update('large')
  .digest('hex');

/** A megabyte of text that JSON needs no escapes for; another one for each number. */
function megabyteOf(n: number): Buffer {
  return Buffer.from(`${n} `.padEnd(10, '-') + DIGITS.slice(10));
}

const sha256 = createHash('sha256');
for (let n = 0; n < LARGE.megabytes; n++) sha256.update(megabyteOf(n));
const LARGE_SHA256 = sha256.digest('hex');

/** Answers with a document of this many megabytes, made while it is sent. */
function largeAnswer({ id, megabytes }: typeof LARGE) {
  return async (response: ServerResponse) => {
    const [before, after] = JSON.stringify({ ...documentRecord(id), content: '' }).split('"content":""');
    const head = `${before}"content":"`;
    const tail = `"${after}`;
    const length = Buffer.byteLength(head) + megabytes * MEGABYTE + Buffer.byteLength(tail);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    response.on('error', () => {});
    response.write(head);
    for (let n = 0; n < megabytes && !response.destroyed; n++)
      await new Promise((settle) => {
        response.once('close', settle);
        response.write(megabyteOf(n), () => {
          response.off('close', settle);
          settle(null);
        });
      });
    response.end(tail);
  };
}

/** The maximum memory of a process, in bytes; null if the system doesn't state it. */
function peakMemory({ process: { pid } }: Command): number | null {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
    return Number(kibibytes) * 1024;
  } catch {
    return null;
  }
}

describe.skipIf(!temporalExecutable)('an export with a document of 250 MB, and one of 300', () => {
  let service: OddService;
  let worker: Command;
  const folder = temporaryFolder();
  const lakeFolder = join(folder, 'lake');
  const definition = join(folder, 'large.yaml');
  const env = { FILINGLAKE_HOME: join(folder, 'home'), FILINGLAKE_API_KEY: 'key' };

  beforeAll(async () => {
    service = await OddService.start(20);
    for (const one of [LARGE, TOO_LONG]) service.given.set(one.id, (response) => void largeAnswer(one)(response));
    writeFileSync(
      definition,
      `name: large
service: { base_url: "${service.url}", connections: 4 }
select: {}
tables: [filings, documents, document_contents]
documents: { types: [all], xml: raw }
`,
    );
    worker = runCommand(['worker', '--json'], { ...env, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
  });
  afterAll(async () => {
    worker.process.kill('SIGTERM');
    await worker.ended;
    await service[Symbol.asyncDispose]();
  });

  const exported = async () => {
    const command = runCommand(['export', definition, '--lake', lakeFolder, '--json'], env);
    return { code: await command.ended, stderr: command.stderr() };
  };
  const query = async (sql: string) => {
    const lake = await openLake(lakeFolder);
    return lake.query(sql).finally(() => lake.close());
  };
  const count = async () => Number((await query('SELECT count(*) AS n FROM document_contents'))[0]!.n);

  it('stores the one, records the other with its reason, and all small ones come in', async () => {
    const { code, stderr } = await exported();
    expect(code, stderr).toBe(3);
    expect(await count()).toBe(2 * 20 - 1);
    const [large] = await query(
      `SELECT strlen(content)::INT AS bytes, sha256(content) AS sha256 FROM document_contents WHERE document_id = '${LARGE.id}'`,
    );
    expect(large).toEqual({ bytes: LARGE.megabytes * MEGABYTE, sha256: LARGE_SHA256 });
    const failures = await query('SELECT document_id, code, message FROM export_failures');
    expect(failures).toMatchObject([{ document_id: TOO_LONG.id, code: 'answer-too-long' }]);
    expect(failures[0]!.message).toContain('more than 268435456 bytes');
  });

  it('keeps the worker below the memory that the documentation states', () => {
    const peak = peakMemory(worker);
    process.stdout.write(
      `a worker that stored a document of 250 MB: ${peak === null ? 'not known' : `${(peak / 2 ** 20).toFixed(0)} MiB at most`}\n`,
    );
    if (peak !== null) expect(peak).toBeLessThan(WORKER_BYTES_MAX);
  });

  it('requests neither of them again, and fetches what was filed since', async () => {
    service.documentsAsked.length = 0;
    service.filings = 40;
    const { code, stderr } = await exported();
    expect(code, stderr).toBe(0);
    expect(service.documentsAsked).toHaveLength(2 * 20);
    expect(service.documentsAsked).not.toContain(LARGE.id);
    expect(service.documentsAsked).not.toContain(TOO_LONG.id);
    expect(await count()).toBe(2 * 40 - 1);
  });

  it('is compacted all the same', async () => {
    const parts = async () => {
      const lake = await openLake(lakeFolder);
      const { tables } = await lake.snapshot();
      await lake.close();
      return tables.get('document_contents')!.parts.size;
    };
    const before = await parts();
    const compact = runCommand(['lake', 'compact', '--lake', lakeFolder, '--json'], env);
    expect(await compact.ended, compact.stderr()).toBe(0);
    expect(await parts()).toBeLessThan(before);
    expect(await count()).toBe(2 * 40 - 1);
    await using lake = await openLake(lakeFolder);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});
