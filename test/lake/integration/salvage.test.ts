/** What a killed attempt delivered and didn't seal: the next attempt has all of it, delivery by delivery, whatever the files end in. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeUpSegments } from '../../../src/lake/commit/salvage.ts';
import { JOURNAL_FILE, readJournal } from '../../../src/lake/commit/segment-journal.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import type { FileOperations } from '../../../src/lake/storage/local/file-operations.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { FAULTS, failingFiles } from '../../support/lake/failing-files.ts';
import { accession, FEW_TABLES } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { runs } from '../../support/property-runs.ts';

const BATCH = path.join('_staging', 'run', 'batch');
const WIDE_BYTES = 200;

/** Rows of two tables and their coverage; the third filing also has a value in a separate file. */
function delivery(n: number): { rows: Record<string, Row[]>; meta: { done: number[] } } {
  const accession_number = accession(n);
  const text = n === 3 ? 'wide – '.repeat(50) : `text ${n}\n"ü"`;
  return {
    rows: {
      documents: [1, 2].map((sequence) => ({
        document_id: `${accession_number}-${sequence}`,
        accession_number,
        sequence,
      })),
      section_contents: [{ accession_number, section: '1A', html: null, text }],
      coverage: [{ accession_number, step: 'sections', selector: '', revision: 'r', status: 'done' }],
    },
    meta: { done: [n] },
  };
}

const joined = (metas: readonly unknown[]) => ({ done: (metas as { done: number[] }[]).flatMap(({ done }) => done) });

function open(folder: string, storage?: LocalStorage): Promise<Lake> {
  const staging = { wideValueBytes: WIDE_BYTES };
  return openLake(folder, { create: true, tables: FEW_TABLES, staging, ...(storage ? { storage } : {}) });
}

async function deliver(writer: ReturnType<Lake['openStaging']>, ...numbers: number[]): Promise<void> {
  for (const n of numbers) {
    const { rows, meta } = delivery(n);
    await writer.deliver(rows, meta);
  }
}

/** Filings of each table in the sealed segments, as the files have them. */
async function filingsOf(folder: string): Promise<{ done: number[]; tables: Record<string, number[]> }> {
  const storage = new LocalStorage(folder);
  const done: number[] = [];
  const tables: Record<string, number[]> = { documents: [], section_contents: [], coverage: [] };
  for (const segment of await takeUpSegments(storage, { runId: 'run', batchId: 'batch' }, joined)) {
    done.push(...(segment.meta as { done: number[] }).done);
    for (const [table, { rows }] of Object.entries(segment.tables)) {
      const lines = readFileSync(path.join(folder, BATCH, segment.folder, `${table}.ndjson`), 'utf8').split('\n');
      expect(lines.pop()).toBe('');
      expect(lines).toHaveLength(rows);
      const numbers = lines.map((line) => Number((JSON.parse(line) as Row).accession_number!.toString().slice(-6)));
      tables[table]!.push(...new Set(numbers));
    }
  }
  return { done, tables };
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe('what a killed attempt delivered', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('is found by the next attempt, in its place among the sealed ones, and committed whole', async () => {
    const lake = await open(folder);
    const killed = lake.openStaging('run', 'batch', 1);
    await deliver(killed, 1, 2);
    await killed.seal(joined);
    await deliver(killed, 3, 4);
    const successor = await open(folder);
    const segments = await successor.takeUpSegments('run', 'batch', joined);
    expect(segments.map(({ name, meta }) => [name.replace(/\..*/, ''), meta])).toEqual([
      ['1-0', { done: [1, 2] }],
      ['1-1', { done: [3, 4] }],
    ]);
    const next = successor.openStaging('run', 'batch', 2);
    await deliver(next, 5);
    const last = await next.seal(joined);
    await successor.commitBatch({
      run_id: 'run',
      batch_id: 'batch',
      base_version: -1,
      segments: [...segments, last!],
    });
    const rows = await successor.query(
      `SELECT accession_number, text, (SELECT count(*) FROM documents d WHERE d.accession_number = s.accession_number)::INT AS documents
       FROM section_contents s JOIN coverage USING (accession_number) ORDER BY 1`,
    );
    expect(rows).toEqual(
      upTo(5).map((n) => ({
        accession_number: accession(n),
        text: delivery(n).rows.section_contents![0]!.text,
        documents: 2,
      })),
    );
    expect((await checkLake(successor)).problems).toEqual([]);
    await lake.close();
    await successor.close();
  });

  it('is salvaged once, by any number of attempts', async () => {
    await using lake = await open(folder);
    await deliver(lake.openStaging('run', 'batch', 1), 1, 2);
    const first = await lake.takeUpSegments('run', 'batch', joined);
    expect(await lake.takeUpSegments('run', 'batch', joined)).toEqual(first);
    expect(await lake.sealedSegments('run', 'batch')).toEqual(first);
  });

  it('stays as salvaged, whatever an attempt that only seemed dead still writes and seals', async () => {
    await using lake = await open(folder);
    const zombie = lake.openStaging('run', 'batch', 1);
    await deliver(zombie, 1, 2);
    const segments = await lake.takeUpSegments('run', 'batch', joined);
    await deliver(zombie, 3);
    expect(await filingsOf(folder)).toMatchObject({ done: [1, 2], tables: { coverage: [1, 2] } });
    await zombie.seal(joined);
    const all = await lake.takeUpSegments('run', 'batch', joined);
    expect(all).toHaveLength(2);
    const of = { run_id: 'run', base_version: -1 };
    await lake.commitBatch({ ...of, batch_id: 'batch', segments });
    expect(await lake.query('SELECT count(*)::INT AS n FROM coverage')).toEqual([{ n: 2 }]);
  });

  it('is committed once if the attempt that seemed dead seals it too', async () => {
    await using lake = await open(folder);
    const zombie = lake.openStaging('run', 'batch', 1);
    await deliver(zombie, 1, 2, 3);
    await lake.takeUpSegments('run', 'batch', joined);
    await deliver(zombie, 4);
    await zombie.seal(joined);
    const segments = await lake.sealedSegments('run', 'batch');
    expect(segments).toHaveLength(2);
    const result = await lake.commitBatch({ run_id: 'run', batch_id: 'batch', base_version: -1, segments });
    expect(result.tables.coverage).toMatchObject({ rows_new: 4, rows_dropped: 3 });
    expect(result.tables.section_contents).toMatchObject({ rows_new: 4, rows_dropped: 3 });
    expect(await lake.query(`SELECT text FROM section_contents WHERE accession_number = '${accession(3)}'`)).toEqual([
      { text: delivery(3).rows.section_contents![0]!.text },
    ]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('has nothing of a delivery one of whose rows can not be stored', async () => {
    await using lake = await open(folder);
    const writer = lake.openStaging('run', 'batch', 1);
    await deliver(writer, 1);
    const bad = delivery(2);
    bad.rows.coverage![0] = { ...bad.rows.coverage![0]!, accession_number: null };
    await expect(writer.deliver(bad.rows, bad.meta)).rejects.toMatchObject({ code: 'row-invalid' });
    await deliver(writer, 3);
    expect(await filingsOf(folder)).toEqual({
      done: [1, 3],
      tables: { documents: [1, 3], section_contents: [1, 3], coverage: [1, 3] },
    });
  });

  it('is nothing if rows were written without their journal line', async () => {
    await using lake = await open(folder);
    const writer = lake.openStaging('run', 'batch', 1);
    for (let n = 0; n < 20_000; n++) writer.append('filings', { accession_number: accession(n) });
    expect(await lake.takeUpSegments('run', 'batch', joined)).toEqual([]);
  });
});

describe('files of an open segment that end anywhere', () => {
  let template: string;
  let segment: string;
  /** Bytes of each file, and of the separate value. */
  const files = new Map<string, Buffer>();

  beforeAll(async () => {
    template = temporaryFolder();
    const lake = await open(template);
    await deliver(lake.openStaging('run', 'batch', 1), ...upTo(6));
    await lake.close();
    const entries = readdirSync(path.join(template, BATCH));
    segment = entries.find((name) => name.startsWith('1-0.'))!;
    const values = entries.filter((name) => name.endsWith('.value'));
    expect(values).toHaveLength(1);
    const paths = [...readdirSync(path.join(template, BATCH, segment)).map((name) => `${segment}/${name}`), ...values];
    for (const file of paths) files.set(file, readFileSync(path.join(template, BATCH, file)));
    expect(files.size).toBe(5);
  });

  /** The same lake, some files of it as a crash may leave them. */
  function left(spoilt: ReadonlyMap<string, Buffer>): string {
    const folder = path.join(temporaryFolder(), 'lake');
    mkdirSync(path.join(folder, BATCH, segment), { recursive: true });
    for (const [file, bytes] of files) writeFileSync(path.join(folder, BATCH, file), spoilt.get(file) ?? bytes);
    return folder;
  }

  /** The first so many row batches, whole, in every table. */
  async function expectWhole(folder: string, where: string): Promise<number> {
    const { done, tables } = await filingsOf(folder);
    const first = upTo(done.length);
    expect({ done, tables }, where).toEqual({
      done: first,
      tables: { documents: first, section_contents: first, coverage: first },
    });
    rmSync(folder, { recursive: true });
    return done.length;
  }

  it('give the whole row batches, cut at every byte of every file', async () => {
    for (const [file, bytes] of files) {
      let most = 0;
      for (let length = 0; length <= bytes.length; length++) {
        const at = (name: string) => (name === file ? bytes.subarray(0, length) : (files.get(name) ?? null));
        const content = await readJournal(
          at(`${segment}/${JOURNAL_FILE}`)!,
          async (table) => at(`${segment}/${table}.ndjson`),
          async ({ values }) => Object.values(values).every((value) => at(value.file)!.length === value.bytes),
        );
        const { done } = joined(content?.metas ?? []);
        const where = `${file} of ${length} bytes`;
        expect(done, where).toEqual(upTo(done.length));
        for (const table of ['documents', 'section_contents', 'coverage']) {
          const { rows = 0, bytes: upToByte = 0 } = content?.tables[table] ?? {};
          expect(rows, where).toBe(done.length * (table === 'documents' ? 2 : 1));
          const lines = at(`${segment}/${table}.ndjson`)!.toString('utf8', 0, upToByte).split('\n');
          expect(lines, where).toHaveLength(rows + 1);
        }
        expect(done.length, where).toBeGreaterThanOrEqual(most);
        most = done.length;
      }
      expect(most, file).toBe(6);
    }
  });

  it('give those before any byte of the segment that is another one than was written', async () => {
    for (const [file, bytes] of files) {
      if (!file.startsWith(segment)) continue;
      for (let at = 0; at < bytes.length; at++) {
        const spoilt = Buffer.from(bytes);
        spoilt[at]! ^= 1;
        const read = (name: string) => (name === file ? spoilt : (files.get(name) ?? null));
        const content = await readJournal(
          read(`${segment}/${JOURNAL_FILE}`)!,
          async (table) => read(`${segment}/${table}.ndjson`),
          async () => true,
        );
        const { done } = joined(content?.metas ?? []);
        expect(done, `${file} at ${at}`).toEqual(upTo(done.length));
        expect(done.length, `${file} at ${at}`).toBeLessThan(6);
      }
    }
  });

  it('give them also if several files end early, or in zeros, as after a power cut', async () => {
    const end = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), zeros: fc.boolean() });
    const ends = fc.tuple(end, end, end, end);
    const names = [...files.keys()].filter((name) => name.startsWith(segment));
    await fc.assert(
      fc.asyncProperty(ends, async (of) => {
        const spoilt = new Map<string, Buffer>();
        names.forEach((name, i) => {
          const bytes = files.get(name)!;
          const length = Math.round(of[i]!.at * bytes.length);
          const kept = bytes.subarray(0, length);
          spoilt.set(name, of[i]!.zeros ? Buffer.concat([kept, Buffer.alloc(bytes.length - length)]) : kept);
        });
        await expectWhole(left(spoilt), JSON.stringify(of));
      }),
      { numRuns: runs(40) },
    );
  });

  it('are read unchanged if nothing was lost', async () => {
    expect(await expectWhole(left(new Map()), 'whole')).toBe(6);
    expect(files.has(`${segment}/${JOURNAL_FILE}`)).toBe(true);
  });
});

/** Each call fails in one of the three ways, the next call in the next way. */
const STRIDE = process.env.FILINGLAKE_EVERY_FAULT ? 1 : FAULTS.length;

describe('an attempt during which the operating system fails', () => {
  let template: string;
  beforeAll(async () => {
    template = temporaryFolder();
    await (await open(template)).close();
  });

  /** Rows that were reported as safe to an attempt, before the operating system failed. */
  async function attempt(folder: string, operations: FileOperations): Promise<number[]> {
    const lake = await open(folder, new LocalStorage(folder, operations));
    const taken: number[] = [];
    try {
      const writer = lake.openStaging('run', 'batch', 1);
      for (const n of upTo(4)) {
        await deliver(writer, n);
        taken.push(n);
        if (n === 2) await writer.seal(joined);
      }
      // Another attempt, with the same fault.
      await lake.takeUpSegments('run', 'batch', joined);
    } catch {
      // The process is gone.
    }
    await lake.close();
    return taken;
  }

  it.for(FAULTS)(
    'loses no row batch that was reported as safe, and salvages none by halves (%s)',
    { timeout: 120_000 },
    async (fault) => {
      let found = 0;
      for (let at = 1 + (FAULTS.indexOf(fault) % STRIDE); ; at += STRIDE) {
        const folder = path.join(temporaryFolder(), 'lake');
        cpSync(template, folder, { recursive: true });
        const operations = failingFiles(at, fault);
        const taken = await attempt(folder, operations);
        const where = `${fault} at call ${at}`;
        const { done, tables } = await filingsOf(folder);
        expect([...new Set(done)].sort(), where).toEqual(expect.arrayContaining(taken));
        for (const list of Object.values(tables)) expect(new Set(list), where).toEqual(new Set(done));
        found = Math.max(found, new Set(done).size);
        rmSync(folder, { recursive: true });
        if (operations.calls() < at) break;
      }
      expect(found).toBe(4);
    },
  );
});

it('a copy of a lake in mid-batch can be gone on with', async () => {
  const folder = temporaryFolder();
  const lake = await open(folder);
  await deliver(lake.openStaging('run', 'batch', 1), 1, 2, 3);
  const copy = path.join(temporaryFolder(), 'copy');
  cpSync(folder, copy, { recursive: true });
  await lake.close();
  expect((await filingsOf(copy)).done).toEqual([1, 2, 3]);
  expect(existsSync(path.join(copy, BATCH))).toBe(true);
});
