/** `filinglake accounts …`: what only the operator of a service may do with its accounts. Users have pages. */
import { Command } from 'commander';
import { FilinglakeError } from '../../core/index.ts';
import { type Account, type AccountDesk, moveAccounts, readEmail } from '../../service/accounts/index.ts';
import { requireCatalog } from '../../service/catalog/index.ts';
import { type AccountOptions, planText, withDesk } from '../terminal/account-desk.ts';
import { ACCOUNTS_OPTION, accountsDatabase } from '../terminal/account-settings.ts';
import { counted, printJson, printResult, printTable } from '../terminal/terminal.ts';
import { addPlanCommands } from './accounts-plans.ts';

export function command(): Command {
  const accounts = new Command('accounts').description('Manage the accounts of a service: keys, plans, requests');
  const add = (name: string, description: string) =>
    accounts
      .command(name)
      .description(description)
      .option('--catalog <dir>', 'folder of the catalog, if it has the accounts')
      .option(...ACCOUNTS_OPTION)
      .option('--plans <file>', 'plans file (default: the plans that come with filinglake)')
      .option('--json', 'print JSON');
  add('create <email>', 'Create an account, confirmed, and print a one-time link to log in')
    .option('--plan <name>', 'its plan (default: sign_up of the plans file)')
    .addHelpText('after', '\nExample:\n  filinglake accounts create ada@example.org --catalog ./catalog')
    .action(create);
  add('list [email]', 'List accounts, or show one: plan, keys, history')
    .option('--link', 'print a one-time link to log in to the account (30 minutes)')
    .action((email: string | undefined, options: AccountOptions & { link?: boolean }) =>
      withDesk(options, async (desk) => {
        if (email === undefined) return list(desk, options);
        const account = await desk.register.require(email, desk.now());
        await (options.link ? printLink(desk, account, options) : show(desk, account, options));
      }),
    );
  add('delete <email>', 'Delete an account and its personal data. Its keys end at once')
    .option('--yes', 'without this nothing is deleted')
    .action(remove);
  accounts.addHelpText(
    'after',
    `
Links to log in begin with FILINGLAKE_PUBLIC_URL (default: http://127.0.0.1:8080). Set it to the address of the service.

Examples:
  filinglake accounts list --catalog ./catalog
  filinglake accounts requests --catalog ./catalog
  filinglake accounts requests ada@example.org --grant --catalog ./catalog
  filinglake accounts plan ada@example.org research --catalog ./catalog
  filinglake accounts list --accounts postgres://filinglake@db.example.org/accounts
  filinglake accounts move --catalog ./catalog --accounts postgres://filinglake@db.example.org/accounts`,
  );
  accounts
    .command('move')
    .description('Move accounts.db of a catalog into an empty PostgreSQL database. Stop its services first')
    .requiredOption('--catalog <dir>', 'folder of the catalog')
    .option(...ACCOUNTS_OPTION)
    .option('--json', 'print JSON')
    .action(move);
  addPlanCommands(add);
  return accounts;
}

async function create(text: string, options: AccountOptions & { plan?: string }): Promise<void> {
  await withDesk(options, async (desk) => {
    const email = readEmail(text);
    const plan = options.plan ?? desk.register.signUpPlan;
    desk.requirePlan(plan);
    const account = await desk.register.create(email, null, plan, 'operator', desk.now());
    await printLink(desk, account, options);
  });
}

async function list(desk: AccountDesk, { json }: AccountOptions): Promise<void> {
  const now = desk.now();
  const rows = [];
  for (const { id, ...account } of await desk.register.list(now)) {
    const { requests, bytes } = await desk.keys.usage(id, now);
    rows.push({ ...account, keys: (await desk.keys.list(id)).length, requests, bytes });
  }
  if (json) return printJson(rows);
  const shown = rows.map((row) => ({
    email: row.email,
    plan: planText({ id: 0, ...row }),
    created: row.created_at.slice(0, 10),
    keys: String(row.keys),
    requests: String(row.requests),
  }));
  printTable(shown, ['email', 'plan', 'created', 'keys', 'requests']);
}

async function show(desk: AccountDesk, { id, ...account }: Account, { json }: AccountOptions): Promise<void> {
  const keys = await desk.keys.list(id);
  const history = await desk.subscriptions.history(id);
  const request = await desk.subscriptions.openRequest(id);
  if (json) {
    const open_request = request && { id: request.id, plan: request.plan };
    printJson({ ...account, keys, history, open_request });
    return;
  }
  process.stdout.write(`${account.email}  ${planText({ id, ...account })}  since ${account.created_at.slice(0, 10)}\n`);
  if (request) process.stdout.write(`open request ${request.id}: ${request.plan}\n`);
  const keyRows = keys.map(({ prefix, name, created_at }) => ({
    key: `${prefix}…`,
    name: name ?? '',
    created: created_at.slice(0, 10),
  }));
  printTable(keyRows, ['key', 'name', 'created']);
  const changes = history.map(({ at, kind, from_plan, to_plan, effective, actor }) => ({
    at: at.slice(0, 16).replace('T', ' '),
    change: kind,
    plan: `${from_plan} → ${to_plan}`,
    effective,
    by: actor,
  }));
  printTable(changes, ['at', 'change', 'plan', 'effective', 'by']);
}

async function printLink(desk: AccountDesk, { id, ...account }: Account, { json }: AccountOptions): Promise<void> {
  const link = await desk.logInLink(account.email, desk.now());
  printResult(json, { ...account, log_in_link: link }, link);
}

async function remove(email: string, options: AccountOptions & { yes?: boolean }): Promise<void> {
  await withDesk(options, async (desk) => {
    const account = await desk.register.require(email, desk.now());
    if (!options.yes) {
      throw new FilinglakeError('argument-missing', `${account.email} is not deleted: this can not be undone`, {
        remedy: 'Add --yes to delete it.',
      });
    }
    await desk.deleteAccount(account);
    printResult(options.json, { email: account.email, deleted: true }, `deleted ${account.email}`);
  });
}

async function move(options: AccountOptions & { catalog: string }): Promise<void> {
  requireCatalog(options.catalog);
  const database = accountsDatabase(options.accounts);
  if (database === undefined) throw new FilinglakeError('argument-missing', '--accounts is missing: postgres://…');
  const rows = await moveAccounts(options.catalog, database);
  if (options.json) return printJson(rows);
  const { keys = 0, accounts = 0 } = rows;
  process.stdout.write(
    `moved ${counted(keys, 'key')} and ${counted(accounts, 'account')}; accounts.db is now accounts.db.moved\n`,
  );
}
