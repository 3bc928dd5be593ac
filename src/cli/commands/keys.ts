/** `filinglake keys create|list|rotate|revoke`: the API keys of a catalog's service. */
import { Command } from 'commander';
import { loadPlans, type OpenKeys, openKeys } from '../../service/accounts/index.ts';
import { requireCatalog, requireReadable } from '../../service/catalog/index.ts';
import { type AccountOptions as Options, requirePlace } from '../terminal/account-desk.ts';
import { ACCOUNTS_OPTION } from '../terminal/account-settings.ts';
import { formatBytes, formatCount, printJson, printResult, printTable } from '../terminal/terminal.ts';

export function command(): Command {
  const keys = new Command('keys').description('Manage the API keys of a service').addHelpText(
    'after',
    `
Examples:
  filinglake keys create --plan unlimited --catalog ./catalog
  filinglake keys list --catalog ./catalog
  filinglake keys rotate fl_Ab12Cd34 --catalog ./catalog`,
  );
  const withCommonOptions = (sub: Command) =>
    sub
      .option('--catalog <dir>', 'folder of the catalog')
      .option(...ACCOUNTS_OPTION)
      .option('--plans <file>', 'plans file (default: the plans that come with filinglake)')
      .option('--json', 'print JSON');
  withCommonOptions(
    keys.command('create').description('Create a key and print it. It is shown once: only its hash is stored'),
  )
    .requiredOption('--plan <name>', 'plan of the key: free, research, institution, unlimited, or one of --plans')
    .option('--name <text>', 'a name for lists')
    .addHelpText(
      'after',
      `
Examples:
  export FILINGLAKE_API_KEY=$(filinglake keys create --plan free --catalog ./catalog)
  filinglake keys create --plan unlimited --catalog ./catalog --json`,
    )
    .action((options: Options & { plan: string; name?: string }) =>
      withRegister(options, requireReadable, async (register) => {
        const key = await register.createKey(options.plan, undefined, options.name ?? null);
        printResult(options.json, key, key.api_key);
      }),
    );
  withCommonOptions(keys.command('list').description('List keys and their usage of this month (UTC)')).action(
    (options: Options) =>
      withRegister(options, requireListable, async (register) => {
        const list = await register.listKeys();
        if (options.json) return printJson(list);
        const rows = list.map((key) => ({
          key: `${key.prefix}…`,
          name: key.account ?? key.name ?? '',
          plan: key.plan,
          created: key.created_at.slice(0, 10),
          state: key.revoked_at ? 'revoked' : key.closed_at ? 'closed' : 'active',
          requests: formatCount(key.requests),
          bytes: formatBytes(key.bytes),
        }));
        printTable(rows, ['key', 'name', 'plan', 'created', 'state', 'requests', 'bytes']);
      }),
  );
  withCommonOptions(
    keys
      .command('rotate')
      .description('Replace a key by a new one and print it. The old one ends at once, the usage of the month stays')
      .argument('<key>', 'the key, or its beginning as list shows it'),
  ).action((key: string, options: Options) =>
    endKey(options, async (register) => {
      const made = await register.rotateKey(withoutEllipsis(key));
      printResult(options.json, made, made.api_key);
    }),
  );
  withCommonOptions(
    keys
      .command('revoke')
      .description('Revoke a key at once (401)')
      .argument('<key>', 'the key, or its beginning as list shows it')
      .option('--close', 'close its account: all keys of it get 403, and it gets no others'),
  ).action((text: string, options: Options & { close?: boolean }) =>
    endKey(options, async (register) => {
      const name = withoutEllipsis(text);
      const key = await (options.close ? register.closeAccount(name) : register.revokeKey(name));
      printResult(options.json, key, `${options.close ? 'closed' : 'revoked'} ${key.prefix}… (${key.plan})`);
    }),
  );
  return keys;
}

function withoutEllipsis(key: string): string {
  return key.replace(/…$/, '');
}

/** A key must be revocable even if the filings can't be read. */
function endKey(options: Options, end: (register: OpenKeys) => Promise<void>): Promise<void> {
  return withRegister(options, requireCatalog, end);
}

function requireListable(folder: string): void {
  requireCatalog(folder);
  requireReadable(folder);
}

/** @param require checks the catalog's folder before anything is created in it */
async function withRegister(
  options: Options,
  require: (folder: string) => void,
  use: (register: OpenKeys) => Promise<void>,
): Promise<void> {
  const plans = loadPlans(options.plans);
  const register = await openKeys(requirePlace(options, require), plans);
  try {
    await use(register);
  } finally {
    await register.close();
  }
}
