/** Settings of accounts, from the environment. */
import { invalidValue } from '../../core/index.ts';
import { type AccountSettings, isPostgres } from '../../service/accounts/index.ts';

interface ServiceAddress {
  /** The address at which users reach the service: in mails, and in links of errors */
  publicUrl?: string | undefined;
}

export const ACCOUNTS_OPTION = [
  '--accounts <url>',
  'postgres://… of the accounts, for services on several machines (default: FILINGLAKE_ACCOUNTS, or accounts.db of the catalog)',
] as const;

/** The PostgreSQL server of the accounts; undefined: the catalog has them. @throws FilinglakeError `setting-invalid` */
export function accountsDatabase(given: string | undefined): string | undefined {
  const url = given ?? (process.env.FILINGLAKE_ACCOUNTS || undefined);
  if (url === undefined || (URL.canParse(url) && isPostgres(url))) return url;
  const name = given === undefined ? 'FILINGLAKE_ACCOUNTS' : '--accounts';
  // The value may hold a password: no message repeats it.
  throw invalidValue('setting-invalid', name, 'postgres://USER@HOST:PORT/DATABASE', 'another text');
}

/** @param accounts of `--accounts` @throws FilinglakeError `setting-invalid` */
export function accountSettings(accounts?: string): AccountSettings & ServiceAddress {
  const text = (name: string) => process.env[name] || undefined;
  const url = (name: string, schemes: readonly string[], expected: string) => {
    const value = text(name);
    // The value may hold a password: no message repeats it.
    if (value !== undefined && !(URL.canParse(value) && schemes.includes(new URL(value).protocol))) {
      throw invalidValue('setting-invalid', name, expected, 'another text');
    }
    return value;
  };
  const billingUrl = url('FILINGLAKE_BILLING_URL', ['http:', 'https:'], 'an address with http or https');
  const secret = text('FILINGLAKE_BILLING_SECRET');
  if (billingUrl !== undefined && secret === undefined) {
    throw invalidValue('setting-invalid', 'FILINGLAKE_BILLING_SECRET', 'set with FILINGLAKE_BILLING_URL', '');
  }
  const database = accountsDatabase(accounts);
  return {
    ...(database === undefined ? {} : { database }),
    smtpUrl: url('FILINGLAKE_SMTP_URL', ['smtp:', 'smtps:'], 'smtp://USER:PASSWORD@HOST:PORT or smtps://…'),
    mailFrom: text('FILINGLAKE_MAIL_FROM'),
    operator: text('FILINGLAKE_OPERATOR_MAIL'),
    publicUrl: url('FILINGLAKE_PUBLIC_URL', ['http:', 'https:'], 'an address with http or https'),
    ...(billingUrl === undefined ? {} : { webhook: { url: billingUrl, secret: secret! } }),
  };
}
