/** lake.json: it makes a folder a lake. Written once, never changed. */
import { randomUUID } from 'node:crypto';
import { FilinglakeError } from '../../core/index.ts';
import { LAKE_FILE } from './layout.ts';
import { putOnce } from './put-once.ts';
import type { LakeStorage } from './storage.ts';

/** What a lake has from its beginning. */
export interface LakeIdentity {
  readonly id: string;
  readonly created_at: string;
}

interface LakeFile extends LakeIdentity {
  format: number;
}
const LAKE_FORMAT = 1;

/** Null if there is no lake. @throws FilinglakeError `lake-damaged`, `lake-newer`, `lake-unreadable` */
export async function readLakeFile(storage: LakeStorage): Promise<LakeFile | null> {
  const bytes = await storage.read(LAKE_FILE);
  if (bytes === null) return null;
  let file: Partial<LakeFile> | null;
  try {
    file = JSON.parse(bytes.toString('utf8')) as Partial<LakeFile> | null;
  } catch {
    file = null;
  }
  if (typeof file?.format !== 'number' || typeof file.id !== 'string') {
    throw new FilinglakeError('lake-damaged', `${storage.url(LAKE_FILE)} does not describe a lake`, {
      remedy: 'Name the folder or URL of a lake with --lake. If this file of a lake was lost, restore it from a copy.',
    });
  }
  if (file.format === LAKE_FORMAT) return file as LakeFile;
  throw new FilinglakeError(
    'lake-newer',
    `the lake ${storage.name} has format ${file.format}, this filinglake reads ${LAKE_FORMAT}`,
  );
}

/** Creates it, or returns the one of another process that was first. @throws FilinglakeError `lake-unwritable`, `lake-place-unfit` */
export async function makeLakeFile(storage: LakeStorage): Promise<LakeFile> {
  await storage.proveFit();
  const file: LakeFile = { format: LAKE_FORMAT, id: randomUUID(), created_at: new Date().toISOString() };
  if (await putOnce(storage, LAKE_FILE, Buffer.from(`${JSON.stringify(file)}\n`))) return file;
  return (await readLakeFile(storage)) ?? file;
}
