/** Writes the folder of a release: parts, manifest, card, metadata, and last the sums of all files. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FilinglakeError } from '../../../core/index.ts';
import { type Lake, MANIFEST, type Release, SUMS, sha256OfFile, sumsText, type WriteOptions } from '../../index.ts';
import { dataCard } from './card.ts';
import { croissant } from './croissant.ts';
import { dataCite } from './datacite.ts';
import type { Citation, ReleaseManifest } from './manifest.ts';
import { proofsOf } from './proofs.ts';

export interface ExportReleaseOptions extends WriteOptions {
  readonly versions: ReleaseManifest['versions'];
  readonly citation: Partial<Citation>;
}

/**
 * @param folder must not exist, or be empty: it appears when it is complete
 * @throws FilinglakeError `output-unwritable`; as `writeReleasedTables`
 */
export async function exportRelease(
  lake: Lake,
  release: Release,
  folder: string,
  { versions, citation, ...options }: ExportReleaseOptions,
): Promise<{ manifest: ReleaseManifest; manifest_sha256: string }> {
  const target = await realpath(folder).catch(() => path.resolve(folder));
  await refuseFilled(target);
  // Two containers can have processes of the same number.
  const draft = `${target}.${randomUUID().slice(0, 8)}.partial`;
  try {
    await mkdir(draft, { recursive: true });
    const tables = await lake.writeReleasedTables(release, draft, options);
    const { exports, proofs } = await proofsOf(lake, release.version);
    const title = citation.title ?? `SEC EDGAR filings: ${release.name}`;
    const manifest: ReleaseManifest = {
      ...tables,
      released_at: release.released_at,
      note: release.note,
      citation: { creators: [], publisher: null, license: null, doi: null, ...citation, title },
      versions,
      exports,
      coverage: proofs,
    };
    const files: Record<string, string> = {
      [MANIFEST]: jsonText(manifest),
      'README.md': dataCard(manifest),
      'croissant.json': jsonText(croissant(manifest)),
      'datacite.json': jsonText(dataCite(manifest)),
    };
    const sums = new Map<string, string>();
    for (const { parts } of Object.values(manifest.tables))
      for (const { file, sha256 } of parts) sums.set(file, sha256);
    for (const [file, text] of Object.entries(files)) {
      await writeFile(path.join(draft, file), text, { flush: true });
      sums.set(file, await sha256OfFile(path.join(draft, file)));
    }
    await writeFile(path.join(draft, SUMS), sumsText(sums), { flush: true });
    await rmdir(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rename(draft, target);
    return { manifest, manifest_sha256: sums.get(MANIFEST)! };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw unwritable(error, target);
  }
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

async function refuseFilled(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unwritable(error, folder);
  });
  if (found === null) return;
  if (found.length > 0)
    throw new FilinglakeError('output-unwritable', `${folder} is not empty`, {
      remedy: 'Name a folder that does not exist yet.',
    });
  // A place where a disk is mounted can't be replaced: known now, not after the work.
  await rmdir(folder)
    .then(() => mkdir(folder))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EBUSY') throw unwritable(error, folder);
      throw new FilinglakeError('output-unwritable', `a disk is mounted at ${folder}: a release can't replace it`, {
        remedy: `Name a folder inside it: ${path.join(folder, 'NAME')}.`,
      });
    });
}

function unwritable(error: unknown, folder: string): unknown {
  if (error instanceof FilinglakeError || !(error instanceof Error) || !('syscall' in error)) return error;
  return new FilinglakeError('output-unwritable', `${folder} can't be written: ${error.message}`, { cause: error });
}
