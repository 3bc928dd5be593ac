/** More memory for one task at a time. Only single values of tens of megabytes need it. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { rowsOf } from '../engine/duckdb.ts';

/** A value of 256 MiB took 0.8 GB: DuckDB holds it as read, as a page of Parquet, and compressed. */
const ROOM_MIB = 2048;

let turn: Promise<unknown> = Promise.resolve();

/** Runs a task with more memory and one thread. Only one caller of this process at a time: two would need twice as much. */
export function withRoom<Result>(connection: DuckDBConnection, work: () => Promise<Result>): Promise<Result> {
  const next = turn.then(() => inRoom(connection, work));
  turn = next.catch(() => undefined);
  return next;
}

async function inRoom<Result>(connection: DuckDBConnection, work: () => Promise<Result>): Promise<Result> {
  const [before] = await rowsOf(
    connection,
    "SELECT current_setting('memory_limit') AS memory, current_setting('threads')::VARCHAR AS threads",
  );
  await connection.run(`SET threads = 1; SET memory_limit = '${ROOM_MIB}MiB'`);
  try {
    return await work();
  } finally {
    await connection.run(`SET threads = ${Number(before!.threads)}; SET memory_limit = '${String(before!.memory)}'`);
  }
}
