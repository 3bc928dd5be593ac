/** Opens accounts at their place: the folder of a catalog, or a PostgreSQL server. */
import type { QuotaPlans } from '../../filings/api/index.ts';
import { KeyQuotas } from './keys/key-quotas.ts';
import { KeyOperations } from './keys/key-register.ts';
import type { Quotas } from './keys/quotas.ts';
import { type AccountsDatabase, AccountsFile } from './store/database.ts';
import { type Asynchronous, running } from './store/operation.ts';

/** Whether it is the address of a PostgreSQL server, not a folder. */
export function isPostgres(place: string): boolean {
  return /^postgres(ql)?:/.test(place);
}

/** @param place folder, or `postgres://…` @throws `catalog-unwritable`, `catalog-unreadable`, `accounts-unreachable` */
export async function openAccounts(place: string, options: { neverWait?: boolean } = {}): Promise<AccountsDatabase> {
  if (!isPostgres(place)) return AccountsFile.open(place, options);
  const { PostgresAccounts } = await import('./postgres/postgres-accounts.ts');
  return PostgresAccounts.open(place);
}

/** Every request is counted: accounts that can't be written are an error. @throws FilinglakeError as openAccounts */
export async function openQuotas(place: string, plans: QuotaPlans, waitMaxMs?: number): Promise<Quotas> {
  if (isPostgres(place)) {
    const { SharedQuotas } = await import('./postgres/shared-quotas.ts');
    return SharedQuotas.open(place, plans, waitMaxMs);
  }
  const quotas = KeyQuotas.open(place, plans, { neverWait: true });
  try {
    quotas.requireWritable();
    return quotas;
  } catch (error) {
    quotas.close();
    throw error;
  }
}

export type OpenKeys = Asynchronous<KeyOperations> & { close(): Promise<void> };

/** @throws FilinglakeError as openAccounts */
export async function openKeys(place: string, plans: QuotaPlans): Promise<OpenKeys> {
  const database = await openAccounts(place);
  const keys = running<KeyOperations, Asynchronous<KeyOperations>>(
    new KeyOperations(plans, () => database.timeOf(new Date())),
    (work) => database.run(work),
  );
  return Object.assign(keys, { close: () => database.close() });
}
