/**
 * Rows with values of tens of megabytes: stored unchanged, replaced, found twice, skipped by compactions. The limits here are
 * lower.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { type Row, TABLES } from '../../../src/lake/tables/index.ts';
import { accession } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const WIDE_BYTES = 1_000;
const NAMES = ['filings', 'section_contents', 'document_contents', 'coverage'];
const TABLES_HERE = TABLES.filter(({ name }) => NAMES.includes(name));

function open(folder = temporaryFolder()): Promise<Lake> {
  return openLake(folder, { create: true, tables: TABLES_HERE, staging: { wideValueBytes: WIDE_BYTES } });
}

function document(n: number, content: string | null, bytes: string | null = null): Row {
  const accession_number = accession(n);
  const encoding = bytes === null ? 'utf-8' : 'base64';
  return {
    document_id: `${accession_number}-1`,
    accession_number,
    content_type: "text/'html'\0",
    encoding,
    content,
    bytes,
    size: 7,
  };
}

async function deliver(lake: Lake, batch: string, ...deliveries: Record<string, Row[]>[]) {
  const writer = lake.openStaging('run', batch, 1);
  for (const rows of deliveries) await writer.deliver(rows, null);
  return (await writer.seal())!;
}

async function bring(
  lake: Lake,
  batch: string,
  rows: Record<string, Row[]>,
  more: Partial<Parameters<Lake['commitBatch']>[0]> = {},
) {
  const segments = [await deliver(lake, batch, rows)];
  const base_version = await lake.currentVersion();
  return lake.commitBatch({ run_id: 'run', batch_id: batch, base_version, segments, ...more });
}

const WIDE = 'wide – \0 "\\" \u{1F600}\n'.repeat(200);

describe('a row with a value beyond the limit', () => {
  it.for(['plain', "with ' [ ] * ? { } ü"])('is stored unchanged, among others (a folder %s)', async (name) => {
    await using lake = await open(path.join(temporaryFolder(), name));
    const halfPair = `${'x'.repeat(2_000)}\ud800`;
    const blob = Buffer.from(Array.from({ length: 5_000 }, (_, i) => i % 256));
    const section = { accession_number: accession(5), section: '1A', title: "it's", html: `<p>${WIDE}`, text: WIDE };
    await bring(lake, 'b', {
      document_contents: [
        document(1, 'small'),
        document(2, WIDE),
        document(3, halfPair),
        document(4, null, blob.toString('base64')),
        document(5, null, Buffer.from('abc').toString('base64')),
      ],
      section_contents: [section, { ...section, section: '2', html: 'small', text: null }],
    });
    const rows = await lake.query(
      'SELECT content, hex(bytes) AS bytes, content_type, size FROM document_contents ORDER BY document_id',
    );
    expect(rows.map(({ content }) => content)).toEqual(['small', WIDE, `${'x'.repeat(2_000)}\ufffd`, null, null]);
    expect(rows.map(({ bytes }) => bytes)).toEqual([null, null, null, blob.toString('hex').toUpperCase(), '616263']);
    expect(new Set(rows.map(({ content_type, size }) => `${content_type} ${size}`))).toEqual(
      new Set(["text/'html'\0 7"]),
    );
    const sections = await lake.query('SELECT title, html, text FROM section_contents ORDER BY section');
    expect(sections).toEqual([
      { title: "it's", html: `<p>${WIDE}`, text: WIDE },
      { title: "it's", html: 'small', text: null },
    ]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('is stored once if it is repeated, with the later value', async () => {
    await using lake = await open();
    const result = await bring(lake, 'b', {
      document_contents: [document(1, WIDE), document(2, WIDE), document(1, 'later'), document(2, `${WIDE}later`)],
    });
    expect(result.tables.document_contents).toMatchObject({ rows_new: 2, rows_dropped: 2 });
    expect(await lake.query('SELECT content FROM document_contents ORDER BY 1')).toEqual([
      { content: 'later' },
      { content: `${WIDE}later` },
    ]);
  });

  it('takes the place of another, and gives its own up', async () => {
    await using lake = await open();
    await bring(lake, 'a', { document_contents: [document(1, WIDE), document(2, `${WIDE}2`), document(3, 'small')] });
    const replace = [{ table: 'document_contents', columns: ['document_id'], values: [[`${accession(1)}-1`]] }];
    const result = await bring(lake, 'b', { document_contents: [document(1, `new ${WIDE}`)] }, { replace });
    expect(result.tables.document_contents).toMatchObject({ rows_new: 0, rows_replaced: 1, rows_total: 3 });
    expect(await lake.query('SELECT content FROM document_contents ORDER BY document_id')).toEqual([
      { content: `new ${WIDE}` },
      { content: `${WIDE}2` },
      { content: 'small' },
    ]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('goes with its batch: nothing of it stays staged', async () => {
    await using lake = await open();
    await bring(lake, 'b', { document_contents: [document(1, WIDE)] });
    await lake.dropBatch('run', 'b');
    expect(readdirSync(path.join(lake.root, '_staging', 'run'))).toEqual([]);
  });
});
