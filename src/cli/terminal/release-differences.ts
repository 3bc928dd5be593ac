/** Prints what became of a release, and writes the rows that differ: `lake release rebuild`. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Lake } from '../../lake/index.ts';
import {
  differenceLines,
  type ReleaseDifferences,
  type ReleaseManifest,
  releaseDifferences,
} from '../../lake/report/index.ts';
import { openOutput } from './output.ts';
import { counted, formatCount, printTable } from './terminal.ts';

export interface DifferenceOptions {
  rows?: string;
  parquet?: string;
}

/** @param folder of the manifest */
export async function findDifferences(
  lake: Lake,
  manifest: ReleaseManifest,
  folder: string,
  { rows, parquet }: DifferenceOptions,
): Promise<ReleaseDifferences> {
  if (rows === undefined && parquet === undefined) return releaseDifferences(lake, manifest, folder);
  if (parquet !== undefined) await mkdir(parquet, { recursive: true });
  await using output = rows === undefined ? null : await openOutput(rows);
  const lines = new PassThrough();
  const written = output?.write(lines);
  written?.catch(() => {});
  try {
    const found = await releaseDifferences(lake, manifest, folder, async (changes, table, fateOf) => {
      if (parquet !== undefined) await changes.writeParquet(path.join(parquet, `${changes.table}.parquet`));
      if (output !== null) await pipeline(differenceLines(changes, table, fateOf), lines, { end: false });
    });
    lines.end();
    await written;
    await output?.done();
    return found;
  } catch (error) {
    lines.end();
    // A full disk ends the stream too: its error says so.
    await written;
    throw error;
  }
}

/** Whether every row and filing of the release is in the lake as it was. */
export function hasAll({ tables, filings }: ReleaseDifferences): boolean {
  const isThere = Object.values(tables).every(
    ({ same, changed, withdrawn }) => same || (changed === 0 && withdrawn === 0),
  );
  return isThere && (filings === null || filings.withdrawn === 0);
}

export function printDifferences({ tables, filings }: ReleaseDifferences): void {
  const text = (n: number | null) => (n === null ? '?' : formatCount(n));
  const rows = Object.entries(tables).map(([table, { same, equal, changed, withdrawn, added }]) => ({
    table,
    equal: text(equal),
    changed: text(changed),
    withdrawn: text(withdrawn),
    new: text(added),
    digest: same ? 'the same' : 'another',
  }));
  printTable(rows, ['table', 'equal', 'changed', 'withdrawn', 'new', 'digest']);
  if (filings === null) return;
  const { equal, changed, withdrawn, unfetched } = filings;
  const failed = unfetched === 0 ? '' : `, ${formatCount(unfetched)} not fetched`;
  process.stdout.write(
    `${counted(equal, 'filing')} equal, ${formatCount(changed)} changed, ${formatCount(withdrawn)} withdrawn, ${formatCount(filings.new)} new${failed}\n`,
  );
}
