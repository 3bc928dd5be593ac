/** Parts: DuckDB writes rows to Parquet files, with statistics. */
import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { FilinglakeError, quoteList, quoteName, quoteNames, quoteText } from '../../core/index.ts';
import { numberOf, rowsOf } from '../engine/duckdb.ts';
import { engineError } from '../engine/duckdb-errors.ts';
import type { Part } from '../log/log.ts';
import { partStatistics, type RawColumnStatistics } from '../log/statistics.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage, ScratchFile } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import { withRoom } from './memory-room.ts';
import { type LinesSource, readLines, type TableInLines } from './multi-table-ndjson.ts';
import type { SealedSegment } from './staging.ts';
import type { WideRow } from './wide-rows.ts';

/** Larger row groups of text made Spark fail, and one text slow to read: 557 ms at 143 MB, 23 ms at 17 MB. */
const WIDE_ROW_GROUP_BYTES = '16MB';
/** DuckDB's default is 3. Level 1 took a fifth less CPU for `filings` and `coverage`; their files became 5 % larger and 3 % smaller. */
const NARROW_OPTIONS = 'COMPRESSION_LEVEL 1';
/** DuckDB's limit of a line of NDJSON, unless a segment has a longer one. Its buffers grow with it: 16 MB took a tenth more CPU. */
const OBJECT_BYTES_MIN = 2 ** 20;
/** DuckDB's rows of a row group. Statistics are of whole groups: readers of one skip nothing more if its rows are sorted. */
export const ROWS_OF_A_GROUP = 122_880;

/** A written Parquet file that no version names yet. */
export interface BuiltPart {
  readonly scratch: ScratchFile;
  /** Its path for DuckDB: the scratch file, or the lake's path after it was adopted. */
  file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly stats: Part['stats'];
  /** Bytes of its widest row's values, if they are more than a compaction can hold. */
  readonly widest?: number;
}

/** A row with values in separate files. */
export interface WideSource {
  /** The file and the row's line in it. */
  readonly lines: string;
  readonly row: WideRow;
  /** The path for reading a file of its batch's folder. */
  readonly url: (file: string) => string;
}

/** Rows of one table in sealed segments, in a form that SQL can select from. */
export interface SegmentSource {
  /** In the order of the segments. */
  readonly files: readonly string[];
  /** Files with the table's own rows, a line each. */
  readonly own: readonly string[];
  /** Files whose lines also hold rows of other tables. */
  readonly lines: readonly LinesSource[];
  readonly rows: number;
  readonly wide: readonly WideSource[];
  readonly longestLine: number;
  /** Sorted by their keys, each once. */
  readonly ascending: boolean;
}

/** Paths of all files of sealed segments that DuckDB reads. */
export function segmentPaths(segments: readonly SealedSegment[]): string[] {
  return segments.flatMap(({ batchFolder, folder, longestLine, lines = [], wide = {} }) => [
    ...Object.keys(longestLine).map((table) => `${batchFolder}/${folder}/${table}.ndjson`),
    ...lines.map(({ file }) => `${batchFolder}/${folder}/${file}`),
    ...Object.values(wide).flatMap((rows) =>
      rows.flatMap(({ values }) => Object.values(values).map(({ file }) => `${batchFolder}/${file}`)),
    ),
  ]);
}

export function segmentSource(storage: LakeStorage, segments: readonly SealedSegment[], table: string): SegmentSource {
  const files: string[] = [];
  const own: string[] = [];
  const wide: WideSource[] = [];
  const shared = new Map<string, { files: string[]; table: TableInLines }>();
  let rows = 0;
  let longestLine = 0;
  for (const segment of segments) {
    const content = segment.tables[table];
    if (!content) continue;
    const inBatch = (file: string) => storage.url(`${segment.batchFolder}/${file}`);
    const url = (file: string) => inBatch(`${segment.folder}/${file}`);
    for (const { file, shape, longestLine: longest } of segment.lines ?? []) {
      const inLines = shape[table];
      if (inLines === undefined) continue;
      const same = JSON.stringify(inLines);
      const source = shared.get(same) ?? { files: [], table: inLines };
      source.files.push(url(file));
      files.push(url(file));
      shared.set(same, source);
      longestLine = Math.max(longestLine, longest);
    }
    const longest = segment.longestLine[table];
    if (longest !== undefined) {
      own.push(url(`${table}.ndjson`));
      files.push(url(`${table}.ndjson`));
      longestLine = Math.max(longestLine, longest);
    }
    for (const row of segment.wide?.[table] ?? []) wide.push({ lines: url(`${table}.ndjson`), row, url: inBatch });
    rows += content.rows;
  }
  const ascending =
    files.length === 1 && segments.every((segment) => !segment.tables[table] || segment.ascending.includes(table));
  return { files, own, lines: [...shared.values()], rows, wide, longestLine, ascending };
}

/** A `FROM` item over NDJSON with explicit columns, plus the row's ordinal and source. Bytes are base64 text in it. */
export function readSegments(table: TableDefinition, source: SegmentSource): string {
  const objectBytes = Math.max(OBJECT_BYTES_MIN, source.longestLine + 1024);
  const own = source.own.length > 0 ? [{ files: source.own, table: {} }] : [];
  const items = [...source.lines, ...own].map((lines) => readLines(table, lines, objectBytes));
  return items.length === 1 ? items[0]! : `(${items.map((item) => `FROM ${item}`).join(' UNION ALL BY NAME ')})`;
}

/** The table's columns from `readSegments`. */
export function segmentColumns(table: TableDefinition): string {
  return table.columns
    .map(({ name, type }) =>
      type === 'BLOB' ? `from_base64(${quoteName(name)}) AS ${quoteName(name)}` : quoteName(name),
    )
    .join(', ');
}

/**
 * Writes the rows of a query to a Parquet file. If memory runs out, it tries once more with more memory.
 * Narrow tables are sorted by their key, so that readers can skip row groups by their statistics. Wide tables keep their order:
 * after a sort, row groups can't be smaller than 2,048 rows, 143 MB of section text.
 * @param sorted `enough`: the rows keep their order; `cluster`: a wide table is sorted by its `clusteredBy`
 */
export async function buildPart(
  storage: LakeStorage,
  connection: DuckDBConnection,
  table: TableDefinition,
  select: string,
  sorted: 'enough' | 'cluster' | null = null,
): Promise<BuiltPart> {
  const build = () => buildOnce(storage, connection, table, select, sorted);
  return build().catch((error: unknown) => {
    if (isOutOfMemory(error)) return withRoom(connection, build);
    throw error;
  });
}

/** The same, with the default memory. */
export async function buildOnce(
  storage: LakeStorage,
  connection: DuckDBConnection,
  table: TableDefinition,
  select: string,
  sorted: 'enough' | 'cluster' | null = null,
): Promise<BuiltPart> {
  const wide = table.wide.length > 0;
  const scratch = storage.openScratch();
  const by = wide ? (sorted === 'cluster' && table.clusteredBy) || [] : sorted === 'enough' ? [] : table.key;
  const order = by.length === 0 ? '' : `ORDER BY ${quoteNames(by)}`;
  const options = wide ? `ROW_GROUP_SIZE_BYTES '${WIDE_ROW_GROUP_BYTES}'` : NARROW_OPTIONS;
  try {
    const [result] = await rowsOf(
      connection,
      `COPY (SELECT * FROM (${select}) ${order}) TO ${quoteText(scratch.localPath)}
       (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION V1, RETURN_STATS, ${options})`,
    );
    if (!result) throw new Error(`COPY gave no statistics for ${table.name}`);
    const rows = Number(result.count);
    const stats = partStatistics(table, rows, rawStatistics(result.column_statistics));
    return { scratch, file: scratch.localPath, rows, bytes: Number(result.file_size_bytes), stats };
  } catch (error) {
    await scratch.discard();
    throw engineError(storage, table.name, error);
  }
}

/** Moves a built part into the lake's folder, or discards it. It belongs to no version until a commit names it. */
export async function adoptPart(
  storage: LakeStorage,
  table: TableDefinition,
  built: BuiltPart,
  origin: Part['origin'],
): Promise<Part> {
  const part = namedPart(table, built, origin);
  try {
    await adoptAs(storage, partPath(table.name, part.part), built);
  } catch (error) {
    await built.scratch.discard();
    throw error;
  }
  return part;
}

/** The entry of a built part, under a new name. */
export function namedPart(table: TableDefinition, built: BuiltPart, origin: Part['origin']): Part {
  const part = `part-${randomUUID()}.zstd.parquet`;
  const { rows, bytes, stats, widest } = built;
  const columns = table.columns.length;
  return { part, rows, bytes, columns, stats, origin, ...(widest === undefined ? {} : { widest }) };
}

export async function adoptAs(storage: LakeStorage, path: string, built: BuiltPart): Promise<void> {
  await storage.adopt(built.scratch, path);
  built.file = storage.url(path);
}

/** Whether a key occurs more than once in the files. */
export async function hasRepeatedKeys(
  connection: DuckDBConnection,
  table: TableDefinition,
  files: readonly string[],
): Promise<boolean> {
  const key = quoteNames(table.key);
  const from = `read_parquet(${quoteList(files)})`;
  return (
    (await numberOf(
      connection,
      `SELECT count(*) FROM (SELECT 1 FROM ${from} GROUP BY ${key} HAVING count(*) > 1 LIMIT 1)`,
    )) > 0
  );
}

function rawStatistics(json: unknown): Map<string, RawColumnStatistics> {
  const entries = (json ?? []) as { key: string; value: { key: string; value: string }[] }[];
  return new Map(
    entries.map(({ key, value }) => [
      key.replace(/^"|"$/g, '').replaceAll('""', '"'),
      Object.fromEntries(value.map((item) => [item.key, item.value])) as RawColumnStatistics,
    ]),
  );
}

/** Whether DuckDB ran out of memory. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof FilinglakeError && error.code === 'part-failed' && /Out of Memory Error/.test(error.message);
}
