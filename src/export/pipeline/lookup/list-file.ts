/** Reads the file of a list: text, CSV, or a column of a Parquet file. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { parquetColumn } from '../../../lake/index.ts';
import {
  columnAt,
  type ListKind,
  type NumbersFile,
  type ReadList,
  readValueList,
  valuesOfColumn,
} from '../../definition/index.ts';
import { hash64 } from '../../revisions/index.ts';

/** The first bytes of a Parquet file. */
const PARQUET = 'PAR1';
/** First bytes of texts in UTF-16, as spreadsheets write them. */
const UTF16 = new Set(['fffe', 'feff']);

/** @throws Error with a message for people; one of the system if the file can't be read */
export async function readListFile({ file, column }: NumbersFile, kind: ListKind): Promise<ReadList> {
  const begin = await firstBytes(file);
  if (begin.toString('latin1') === PARQUET) return readParquet(file, kind, column);
  if (UTF16.has(begin.subarray(0, 2).toString('hex'))) throw new Error('it is UTF-16: save it as UTF-8');
  const text = await readFile(file, 'utf8');
  return { ...readValueList(text, { kind, file, column }), hash: hash64(text) };
}

async function readParquet(file: string, kind: ListKind, column: string | undefined): Promise<ReadList> {
  const hash = await contentHash(file);
  const cells = await parquetColumn(file, (names) => columnAt(names, kind, column));
  if ((await contentHash(file)) !== hash) throw new Error('it changed while it was read');
  return { ...valuesOfColumn(cells, kind), hash };
}

async function firstBytes(file: string): Promise<Buffer> {
  await using opened = await open(file);
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(PARQUET.length), 0, PARQUET.length, 0);
  return buffer.subarray(0, bytesRead);
}

/** 64 bits as 16 hexadecimal digits. */
async function contentHash(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 16);
}
