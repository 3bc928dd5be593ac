/** Results of a query as an Arrow IPC stream, some ten thousand rows at a time. Loaded only when needed. */
import type { DuckDBDataChunk, DuckDBType } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { AsyncByteQueue, Field, makeData, RecordBatch, RecordBatchStreamWriter, Schema, Struct } from 'apache-arrow';
import { Source } from './column.ts';
import { columnFor } from './columns.ts';

/** Readers take batches of tens of thousands of rows faster than DuckDB's chunks of 2,048. Batches of long text end earlier. */
const BATCH_ROWS = 32_768;
const BATCH_BYTES = 32 * 2 ** 20;
/** Rows to take from a chunk before checking the bytes. */
const STRETCH_ROWS = 256;

/** The writer's sink: its bytes are taken at once, so that nothing piles up behind a slow reader. */
class Outbox extends AsyncByteQueue {
  #parts: Uint8Array[] = [];

  override write(bytes: Uint8Array): void {
    this.#parts.push(bytes);
  }

  take(): Buffer {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    return bytes;
  }
}

/**
 * The bytes of an Arrow IPC stream: its schema, batches, its end. Types that Arrow lacks (UUID, INTERVAL, ENUM, BIT …) are texts.
 * @throws FilinglakeError `query-too-large`: a column of one batch is larger than 2 GiB
 */
export async function* arrowStream(
  columns: readonly { name: string; type: DuckDBType }[],
  chunks: AsyncIterable<DuckDBDataChunk>,
): AsyncIterable<Buffer> {
  const builders = columns.map(({ type }) => columnFor(type));
  const schema = new Schema(columns.map(({ name }, i) => new Field(name, builders[i]!.type, true)));
  const outbox = new Outbox();
  const writer = new RecordBatchStreamWriter().reset(outbox, schema);
  const type = new Struct(schema.fields);
  let rows = 0;
  const batch = (): Buffer => {
    const children = builders.map((builder) => builder.finish());
    writer.write(new RecordBatch(schema, makeData({ type, length: rows, nullCount: 0, children })));
    rows = 0;
    return outbox.take();
  };
  yield outbox.take();
  for await (const { chunk, rowCount } of chunks) {
    const sources = builders.map((_, i) => new Source(duckdb.data_chunk_get_vector(chunk, i), rowCount));
    for (let from = 0; from < rowCount; from += STRETCH_ROWS) {
      const to = Math.min(rowCount, from + STRETCH_ROWS);
      for (const [i, builder] of builders.entries()) builder.append(sources[i]!, from, to);
      rows += to - from;
      const bytes = builders.reduce((sum, builder) => sum + builder.bytes, 0);
      if (rows >= BATCH_ROWS || bytes >= BATCH_BYTES) yield batch();
    }
  }
  if (rows > 0) yield batch();
  writer.finish();
  yield outbox.take();
}
