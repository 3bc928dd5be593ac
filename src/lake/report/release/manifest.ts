/** The whole manifest of a release's folder: what the lake knows, and what exports recorded. */
import { counted } from '../../../core/index.ts';
import type { LakeManifest } from '../../release/manifest.ts';
import type { Proofs, ReleasedExport } from './proofs.ts';

/** How people find and cite the data. */
export interface Citation {
  readonly title: string;
  readonly creators: readonly string[];
  readonly publisher: string | null;
  /** SPDX name, or a URL. */
  readonly license: string | null;
  readonly doi: string | null;
}

export interface ReleaseManifest extends LakeManifest {
  readonly released_at: string;
  readonly note: string | null;
  readonly citation: Citation;
  readonly versions: { readonly filinglake: string; readonly mapping: number };
  /** Their definitions make the data again. */
  readonly exports: readonly ReleasedExport[];
  readonly coverage: Proofs;
}

/** Tables with rows, by name. */
export function filledTables({ tables }: LakeManifest): [string, LakeManifest['tables'][string]][] {
  return Object.entries(tables).filter(([, { rows }]) => rows > 0);
}

/** In one sentence. */
export function summaryOf({ coverage, lake }: ReleaseManifest): string {
  const { rows, first, last } = coverage.filings;
  const span = first === null ? '' : `, filed from ${first} to ${last}`;
  return `${counted(rows, 'filing')} of SEC EDGAR${span}, as tables of Parquet files. Version ${lake.version} of a lake, made with filinglake.`;
}

/** Author (year): title. Version. Digest. */
export function citationText(manifest: ReleaseManifest): string {
  const { citation, name, digest, released_at } = manifest;
  const by = citation.creators.length === 0 ? '' : `${citation.creators.join('; ')} `;
  const doi = citation.doi === null ? '' : ` https://doi.org/${citation.doi}.`;
  return `${by}(${released_at.slice(0, 4)}): ${citation.title.replace(/\s+/g, ' ')}. Release ${name}.${doi} Digest of rows: ${digest}.`;
}
