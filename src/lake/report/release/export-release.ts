/** Writes the folder of a release: parts, manifest, card, metadata, and last the sums of all files. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Lake } from '../../lake.ts';
import { MANIFEST, SUMS, sumsText } from '../../release/manifest.ts';
import type { Release } from '../../release/releases.ts';
import { sha256OfFile, type WriteOptions } from '../../release/write-release.ts';
import { inNewFolder } from '../new-folder.ts';
import { dataCard } from './card.ts';
import { croissant } from './croissant.ts';
import { dataCite } from './datacite.ts';
import type { Citation, ReleaseManifest } from './manifest.ts';
import { proofsOf } from './proofs.ts';

export interface ExportReleaseOptions extends WriteOptions {
  readonly versions: ReleaseManifest['versions'];
  readonly citation: Partial<Citation>;
}

/** @param folder new or empty: it appears when complete @throws `output-unwritable`; as `writeReleasedTables` */
export async function exportRelease(
  lake: Lake,
  release: Release,
  folder: string,
  { versions, citation, ...options }: ExportReleaseOptions,
): Promise<{ manifest: ReleaseManifest; manifest_sha256: string }> {
  return inNewFolder(folder, async (draft) => {
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
    return { manifest, manifest_sha256: sums.get(MANIFEST)! };
  });
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
