/**
 * Exports straight from a catalog (`service.catalog`). The service runs inside the process that works on the export, on a free port,
 * and ends with it. Its key is made once for a catalog. The home folder has it, readable by the user alone.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openLog, readSettings, type Settings } from '../../core/environment/index.ts';
import { catalogOf, hash64 } from '../../export/index.ts';
import type { OpenedService } from '../../export/runtime/index.ts';

const PLAN = 'unlimited';

function keyFolder({ homeFolder }: Settings): string {
  return join(homeFolder, 'catalog-keys');
}

/** The key of a catalog's own service, made if missing or unknown. @throws `catalog-missing`, `catalog-unwritable` */
export async function catalogKey(catalog: string): Promise<string> {
  // Loaded only for a catalog: most exports read a service.
  const [{ KeyRegister, loadPlans }, { requireCatalog }] = await Promise.all([
    import('../../service/accounts/index.ts'),
    import('../../service/catalog/index.ts'),
  ]);
  const folder = resolve(catalog);
  requireCatalog(folder);
  const keys = keyFolder(readSettings());
  const file = join(keys, `${hash64(folder)}.key`);
  const register = KeyRegister.open(folder, loadPlans());
  try {
    const known = readKey(file);
    if (known !== null && register.isActive(known)) return known;
    const { api_key } = register.createKey(PLAN);
    mkdirSync(keys, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${api_key}\n`, { mode: 0o600 });
    return api_key;
  } finally {
    register.close();
  }
}

/** Whether an export of this home has ever read a catalog. */
export function hasCatalogKeys(): boolean {
  try {
    return readdirSync(keyFolder(readSettings())).length > 0;
  } catch {
    return false;
  }
}

/** Starts the service of a catalog on a free port of this machine. @throws FilinglakeError as `startService` */
export async function openCatalogService(catalog: string): Promise<OpenedService> {
  const { startService } = await import('../../service/index.ts');
  const logger = openLog(readSettings(), 'catalog-service', [await catalogKey(catalog)]);
  const { url, close } = await startService({ catalogFolder: resolve(catalog), port: 0, logger });
  return { url, close };
}

/** Calls `use` with the address of a service: its own, or that of a catalog's service, which runs meanwhile. */
export async function withServiceAddress<Result>(
  baseUrl: string,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  const catalog = catalogOf(baseUrl);
  if (catalog === null) return use(baseUrl);
  const service = await openCatalogService(catalog);
  try {
    return await use(service.url);
  } finally {
    await service.close();
  }
}

function readKey(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
