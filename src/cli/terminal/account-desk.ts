/** Opens the accounts of a catalog for one command. */
import { FilinglakeError } from '../../core/index.ts';
import { type Account, AccountDesk, loadPlans } from '../../service/accounts/index.ts';
import { requireCatalog } from '../../service/catalog/index.ts';
import { accountSettings, accountsDatabase } from './account-settings.ts';

export interface AccountOptions {
  catalog?: string;
  accounts?: string;
  plans?: string;
  json?: boolean;
}

/** @throws FilinglakeError `catalog-missing`, `catalog-unreadable`, `quota-plans-invalid` */
export async function withDesk(
  options: AccountOptions,
  use: (desk: AccountDesk) => Promise<void> | void,
): Promise<void> {
  const plans = loadPlans(options.plans);
  const settings = accountSettings(options.accounts);
  requirePlace(options, requireCatalog);
  const base = settings.publicUrl ?? 'http://127.0.0.1:8080';
  const desk = await AccountDesk.open({
    ...settings,
    catalogFolder: options.catalog,
    plans,
    addressOf: (path) => new URL(path, base).href,
    onFailure: (error) => process.stderr.write(`warning: ${(error as Error).message}\n`),
  });
  try {
    await use(desk);
  } finally {
    await desk.close();
  }
}

/**
 * The place of the accounts: the folder of a catalog, or the address of a PostgreSQL server.
 * @param require checks the catalog's folder before anything is created in it
 * @throws FilinglakeError `argument-missing`, `setting-invalid`; as `require`
 */
export function requirePlace({ catalog, accounts }: AccountOptions, require: (folder: string) => void): string {
  const database = accountsDatabase(accounts);
  if (database !== undefined) return database;
  if (catalog === undefined) {
    throw new FilinglakeError('argument-missing', '--catalog is missing: the folder of the catalog, or --accounts');
  }
  require(catalog);
  return catalog;
}

/** For lists: the plan, and the one that follows. */
export function planText({ plan, next_plan, next_from }: Account): string {
  return next_plan === null ? plan : `${plan}, ${next_plan} from ${next_from}-01 on`;
}
