/** Documents that are too large: recorded, not requested, and no burden for the others. */
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { AnswerTooLongError, type FilingClient } from '../../../../src/export/client/index.ts';
import { FailureLog } from '../../../../src/export/pipeline/failures/failure-log.ts';
import { AnswerMemory } from '../../../../src/export/pipeline/fetch/answer-memory.ts';
import { DocumentSizes } from '../../../../src/export/pipeline/fetch/too-large.ts';
import type { RowBatch } from '../../../../src/export/pipeline/staging/segment-sink.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import {
  accessionNumber,
  definitionOf,
  fetcherOf,
  filingOfLookup,
  linesOfPlan,
  openDriven,
  planDriven,
  runOf,
  sinkTo,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';
import { quickIt as it, quickDescribe, slowIt } from '../../../support/tier-cases.ts';

const TABLES = 'filings, document_contents';
let lake: Lake;

beforeEach(async () => {
  lake = await openDriven();
});
afterEach(() => lake.close());

function filing(n: number, size: number | null): Filing {
  const one = filingOfLookup(n);
  return { ...one, documents: one.documents.map((document) => ({ ...document, ...(size === null ? {} : { size }) })) };
}

/** Answers each document with four bytes, except those that are too long; records its requests. @param states the size in its answer */
function service(isTooLong: (id: string) => boolean = () => false, states: number | null = 4) {
  const asked: string[] = [];
  const document = async ({ document_id }: { document_id: string }) => {
    asked.push(document_id);
    if (isTooLong(document_id)) throw new AnswerTooLongError('document', 200, 2 ** 28);
    const accession_number = document_id.slice(0, 20);
    const of = { document_id, accession_number, content_type: 'text/html', encoding: 'utf-8', content: 'text' };
    return { value: { ...of, size: states, sha256: null } };
  };
  return { asked, client: { document, filingLookup: async () => ({}) } as unknown as FilingClient };
}

/** An export's run, from plan to commit. */
async function runExport(name: string, max: number, filings: Filing[], { client }: ReturnType<typeof service>) {
  const run = runOf(definitionOf('d', TABLES, `documents: { max_bytes: ${max} }`), name, lake);
  await stageFilings(lake, name, filings);
  const { base_version } = await planDriven(lake, run);
  const lines = await linesOfPlan(lake, name, 'w', 1);
  const deliveries: RowBatch[] = [];
  const numbers = filings.map(({ accession_number }) => accession_number);
  const sizes = new DocumentSizes(lake, run.definition, numbers);
  const sink = sinkTo((delivery) => deliveries.push(delivery));
  const log = new FailureLog(lake, run);
  const fetcher = fetcherOf({ definition: run.definition, client, sink, log, pass: 'documents', sizes });
  for (const line of lines) await fetcher.fetch(line);
  await fetcher.settleSuspects();
  const writer = lake.openStaging(name, 'batch', 1);
  for (const { rows } of deliveries) await writer.deliver(rows as never, null);
  const segment = await writer.seal();
  const replace = deliveries.flatMap((delivery) => delivery.replace);
  if (segment) await lake.commitBatch({ run_id: name, batch_id: 'batch', base_version, segments: [segment], replace });
}

const failures = () =>
  lake.query('SELECT document_id, code, value, attempts::INT AS attempts FROM export_failures ORDER BY document_id');
const contents = async () =>
  (await lake.query('SELECT document_id FROM document_contents ORDER BY 1')).map(({ document_id }) => document_id);

describe('documents beyond documents.max_bytes', () => {
  slowIt('are recorded without a request, however many they are, and the others come in', async () => {
    const filings = Array.from({ length: 80 }, (_, n) => filing(n + 1, n % 8 === 0 ? 10 : 2_000));
    const first = service();
    await runExport('one', 1_000, filings, first);
    const small = filings
      .filter(({ documents }) => documents[0]!.size === 10)
      .map(({ documents }) => documents[0]!.document_id);
    expect(first.asked).toEqual(small);
    expect(await contents()).toEqual(small);
    const recorded = await failures();
    expect(recorded).toHaveLength(70);
    expect(recorded[0]).toMatchObject({ code: 'document-too-large', value: '1000', attempts: 1 });
    // The next run asks for nothing either, and one with a higher limit for all of them.
    const second = service();
    await runExport('two', 1_000, filings, second);
    expect(second.asked).toEqual([]);
    const third = service();
    await runExport('three', 2_000, filings, third);
    expect(third.asked).toHaveLength(70);
    expect(await failures()).toEqual([]);
    expect(await contents()).toHaveLength(80);
  });

  it.each([
    ['by the length of its content', null],
    ['by the size in the answer', 4],
  ])('are not stored if only their answer tells: %s; and are requested once for each limit', async (_, states) => {
    const filings = [filing(1, null), filing(2, null)];
    const first = service(undefined, states);
    await runExport('one', 3, filings, first);
    expect(first.asked).toHaveLength(2);
    expect(await contents()).toEqual([]);
    expect(await failures()).toMatchObject([1, 2].map(() => ({ code: 'document-too-large', value: '3', attempts: 1 })));
    const second = service(undefined, states);
    await runExport('two', 3, filings, second);
    expect(second.asked).toEqual([]);
    expect(await failures()).toMatchObject([1, 2].map(() => ({ code: 'document-too-large', value: '3', attempts: 2 })));
    await runExport('three', 4, filings, service(undefined, states));
    expect(await contents()).toHaveLength(2);
    expect(await failures()).toEqual([]);
  });

  it('are known from filing_info rows in the lake', async () => {
    const id = `${accessionNumber(1)}-1`;
    const writer = lake.openStaging('before', 'b', 1);
    writer.append('documents', { document_id: id, accession_number: accessionNumber(1), size: 5_000 });
    const segment = await writer.seal();
    await lake.commitBatch({ run_id: 'before', batch_id: 'b', base_version: -1, segments: [segment!] });
    const asked = service();
    await runExport('one', 1_000, [filing(1, null), filing(2, null)], asked);
    expect(asked.asked).toEqual([`${accessionNumber(2)}-1`]);
    expect(await failures()).toMatchObject([{ document_id: id, code: 'document-too-large' }]);
  });
});

quickDescribe('documents whose answer is longer than the client takes', () => {
  it('are requested once: the next run of the same record spends nothing', async () => {
    const long = `${accessionNumber(1)}-1`;
    const first = service((id) => id === long);
    const filings = [filing(1, null), filing(2, null)];
    await runExport('one', 1_000, filings, first);
    expect(first.asked).toHaveLength(2);
    expect(await failures()).toMatchObject([{ document_id: long, code: 'answer-too-long', attempts: 1 }]);
    const second = service();
    await runExport('two', 1_000, filings, second);
    expect(second.asked).toEqual([]);
    expect(await failures()).toMatchObject([{ document_id: long, code: 'answer-too-long', attempts: 2 }]);
    const changed = service();
    await runExport(
      'three',
      1_000,
      [{ ...filings[0]!, acceptance_datetime: '2024-05-01T10:00:00' }, filings[1]!],
      changed,
    );
    expect(changed.asked).toContain(long);
    expect(await failures()).toEqual([]);
  });

  it('open no circuit, however many they are', async () => {
    const filings = Array.from({ length: 120 }, (_, n) => filing(n + 1, null));
    const asked = service((id) => !id.startsWith(accessionNumber(120)));
    await runExport('one', 1_000, filings, asked);
    expect(asked.asked).toHaveLength(120);
    expect(await failures()).toHaveLength(119);
    expect(await contents()).toHaveLength(1);
  });
});

quickDescribe('memory for large answers', () => {
  it('limits the bytes held at a time, first come, first served', async () => {
    const memory = new AnswerMemory(100);
    const order: string[] = [];
    const holds = [60, 30, 50, 1_000, 5].map((bytes, i) => {
      const hold = memory.hold();
      void hold.take(bytes).then(() => order.push(`${i}`));
      return hold;
    });
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    const released = async (i: number) => {
      holds[i]!.release();
      await settle();
      return order.join();
    };
    await settle();
    expect(order.join()).toBe('0,1');
    expect(await released(0)).toBe('0,1,2');
    expect(await released(1)).toBe('0,1,2');
    expect(await released(2)).toBe('0,1,2,3');
    expect(await released(3)).toBe('0,1,2,3,4');
    expect(await released(4)).toBe('0,1,2,3,4');
  });

  it('is taken once by an answer, and given back once', async () => {
    const memory = new AnswerMemory(100);
    const one = memory.hold();
    await one.take(100);
    await one.take(100);
    one.release();
    one.release();
    const other = memory.hold();
    await other.take(100);
    other.release();
    await memory.hold().take(100);
  });
});

quickDescribe('sizes of documents in the lake', () => {
  it('are read for some hundred filings at a time, in the order of the work', async () => {
    const numbers = Array.from({ length: 1_200 }, (_, i) => accessionNumber(i + 1));
    const asked: number[] = [];
    const query = async (sql: string) => {
      const some = sql.match(/\d{10}-\d{2}-\d{6}/g)!;
      asked.push(some.length);
      return some.map((number) => ({ document_id: `${number}-1`, size: Number(number.slice(-6)) }));
    };
    const sizes = new DocumentSizes({ query } as unknown as Lake, definitionOf('d', TABLES), numbers);
    const step = (number: string) => ({ step: `document:${number}-1` }) as never;
    const bytesOf = (n: number) => {
      const line = { filing: filing(n, null) } as unknown as Parameters<typeof sizes.bytesOf>[0];
      return sizes.bytesOf(line, step(accessionNumber(n)));
    };
    // Lanes are some filings apart.
    for (let n = 9; n <= 1_200; n++) expect([await bytesOf(n), await bytesOf(n - 8)]).toEqual([n, n - 8]);
    expect(asked).toEqual([500, 500, 200]);
  });
});
