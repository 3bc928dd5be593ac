/** Withdrawals, from the ledger into the catalog. */
import { join } from 'node:path';
import { DATABASE_FILE, isFileThere, stateOnEdgar } from '../catalog/index.ts';
import type { Ledger } from './ledger.ts';

/** Writes withdrawals into the catalog, if it may lack some. A missing catalog gets them later. @throws as `ingest` */
export async function tellWithdrawn(ledger: Ledger, catalogFolder: string): Promise<void> {
  if (!isFileThere(join(catalogFolder, DATABASE_FILE))) return;
  const withdrawn = ledger.untoldWithdrawn();
  if (withdrawn === null) return;
  await stateOnEdgar({ withdrawn }, catalogFolder);
  ledger.toldWithdrawn();
}
