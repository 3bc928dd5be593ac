/** Staging: the rows of a batch, sealed a segment at a time. Any worker can continue from the sealed ones. */
import { FilinglakeError } from '../../core/index.ts';
import { batchFolder, pathSegment, runFolder } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { SealedLines } from './multi-table-ndjson.ts';
import type { WideRow } from './wide-rows.ts';

export interface SegmentTable {
  rows: number;
  bytes: number;
}

/** A sealed segment: small enough for a heartbeat, a workflow's history, or another worker. */
export interface SegmentRef {
  /** `<attempt>-<n>.<nonce>`: no other segment ever has this name, not even one of the same batch, attempt and number. */
  readonly name: string;
  readonly tables: Readonly<Record<string, SegmentTable>>;
  /** The meta passed to `seal`: the state of the attempt. */
  readonly meta?: unknown;
}

/** Content of the file that seals a segment. */
export interface SealedSegment extends SegmentRef {
  /** Folder of the segment's NDJSON, within the batch's. */
  readonly folder: string;
  /** Folder of its batch. Not in the file. */
  readonly batchFolder: string;
  /** Bytes of the longest line, of tables that have their own file: DuckDB needs this number if it is beyond 16 MB. */
  readonly longestLine: Readonly<Record<string, number>>;
  /** Tables whose rows are sorted by their keys, each key once: no sort and no search for duplicates is needed. */
  readonly ascending: readonly string[];
  /** Files whose lines hold rows of several tables, beside the tables' own files. */
  readonly lines?: readonly SealedLines[];
  /** By table: rows with values in separate files. */
  readonly wide?: Readonly<Record<string, readonly WideRow[]>>;
  /** For salvaged rows: the folder of the killed attempt. */
  readonly from?: string;
}

export function sealPath(folder: string, name: string): string {
  return `${folder}/${name}.json`;
}

/** Sealed segments of a batch, in the order of attempt and number. */
export async function sealedSegments(storage: LakeStorage, runId: string, batchId: string): Promise<SealedSegment[]> {
  const folder = batchFolder(runId, batchId);
  const names = (await storage.listNames(folder)).flatMap((file) => {
    const match = SEAL_NAME.exec(file);
    return match ? [{ name: match[1]!, attempt: Number(match[2]), number: Number(match[3]) }] : [];
  });
  names.sort((a, b) => a.attempt - b.attempt || a.number - b.number || (a.name < b.name ? -1 : 1));
  return Promise.all(names.map(({ name }) => readSegment(storage, folder, name)));
}

const SEAL_NAME = /^((\d+)-(\d+)\.[0-9a-f]+)\.json$/;

/** @throws FilinglakeError `staging-missing` */
export async function readSegment(storage: LakeStorage, folder: string, name: string): Promise<SealedSegment> {
  const bytes = await storage.read(sealPath(folder, name));
  if (bytes === null) {
    throw new FilinglakeError('staging-missing', `segment ${name} is not in ${storage.name}/${folder}`);
  }
  return { ...(JSON.parse(bytes.toString('utf8')) as Omit<SealedSegment, 'batchFolder'>), batchFolder: folder };
}

/** Rows to delete in the commit of other rows: those whose `columns` are among `values`. */
export interface Replacement {
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: readonly (readonly string[])[];
}

/** A batch that is committed together with others. */
export interface JoinedBatch {
  readonly batch_id: string;
  readonly segments: readonly string[];
}

/** The content of a commit, sealed before it, so that a retry commits the same. */
export interface Manifest {
  readonly run_id: string;
  readonly batch_id: string;
  readonly base_version: number;
  readonly segments: readonly string[];
  readonly replace: readonly Replacement[];
  /** The batches that it consists of; `segments` has those of all. Absent: it is one batch. */
  readonly joins?: readonly JoinedBatch[];
  readonly meta?: unknown;
}

/** The version at which a batch is planned: the first caller sets it. A newer one would miss the commits in between. */
export async function batchBase(
  storage: LakeStorage,
  { run_id, batch_id, base_version }: Pick<Manifest, 'run_id' | 'batch_id' | 'base_version'>,
): Promise<number> {
  const path = `${batchFolder(run_id, batch_id)}/base.json`;
  if (await putOnce(storage, path, Buffer.from(JSON.stringify({ base_version })))) return base_version;
  const first = await storage.read(path);
  // A deleted file means that the batch was committed.
  return first === null ? base_version : (JSON.parse(first.toString('utf8')) as { base_version: number }).base_version;
}

export async function readManifest(storage: LakeStorage, runId: string, batchId: string): Promise<Manifest | null> {
  const sealed = await storage.read(manifestPath(runId, batchId));
  return sealed === null ? null : (JSON.parse(sealed.toString('utf8')) as Manifest);
}

function manifestPath(runId: string, batchId: string): string {
  return `${batchFolder(runId, batchId)}/manifest.json`;
}

/** Seals the manifest, or returns an equal one that was first. @throws FilinglakeError `batch-differs`: it differs */
export async function sealManifest(storage: LakeStorage, manifest: Manifest): Promise<Manifest> {
  const { run_id, batch_id } = manifest;
  const path = manifestPath(run_id, batch_id);
  if (await putOnce(storage, path, Buffer.from(JSON.stringify(manifest)))) return manifest;
  const sealed = await readManifest(storage, run_id, batch_id);
  if (sealed === null) throw new FilinglakeError('staging-missing', `${path} was removed while it was being read`);
  if (!sameSegments(sealed.segments, manifest.segments)) throw batchDiffers(storage, manifest, sealed.segments);
  return sealed;
}

/** Whether two lists name the same segments, in any order. */
export function sameSegments(some: readonly string[], others: readonly string[]): boolean {
  const names = new Set(some);
  return names.size === new Set(others).size && others.every((name) => names.has(name));
}

/** A batch of this id has other content: the run has another history than the lake knows. */
export function batchDiffers(
  storage: LakeStorage,
  batch: { run_id: string; batch_id: string; segments: readonly string[] | null },
  others: readonly string[],
): FilinglakeError {
  const ours = batch.segments === null ? 'to be fetched again' : `of segments ${named(batch.segments)}`;
  return new FilinglakeError(
    'batch-differs',
    `batch ${batch.batch_id} of run ${batch.run_id} is ${ours}, and ${storage.name} has one of segments ${named(others)}`,
  );
}

function named(segments: readonly string[]): string {
  const shown = segments.slice(0, 3).join(', ') || 'none';
  return segments.length > 3 ? `${shown} and ${segments.length - 3} more` : shown;
}

/** Small files that the activities of a run pass to each other: lists of filings, cursors. Written once, never changed. */
export function stagedFilePath(runId: string, name: string): string {
  return `${stagedFilesFolder(runId)}/${pathSegment(name)}`;
}

export function stagedFilesFolder(runId: string): string {
  // A batch's folder never has a plus sign in its name.
  return `${runFolder(runId)}/+files`;
}
