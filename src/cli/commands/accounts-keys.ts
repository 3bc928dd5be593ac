/** `filinglake accounts key-create|key-rotate|key-revoke|usage`: the keys of an account, and what they used. */
import type { Command } from 'commander';
import type { AccountDesk, NewAccountKey } from '../../accounts/index.ts';
import { invalidValue } from '../../core/index.ts';
import { type AccountOptions, withDesk } from '../terminal/account-desk.ts';
import { formatBytes, formatCount, printJson, printResult, printTable } from '../terminal/terminal.ts';

type Add = (name: string, description: string) => Command;

export function addKeyCommands(add: Add): void {
  add('key-create <email>', 'Create a key of an account and print it. It is shown once')
    .option('--name <text>', 'a name for lists', '')
    .action((email: string, options: AccountOptions & { name: string }) =>
      withKeys(email, options, async (desk, id) =>
        printKey(await desk.keys.create(id, options.name, desk.now()), options),
      ),
    );
  add(
    'key-rotate <email> <key>',
    'Replace a key by a new one. The old one ends at once, the usage of the month stays',
  ).action((email: string, key: string, options: AccountOptions) =>
    withKeys(email, options, async (desk, id) =>
      printKey(await desk.keys.rotate(id, prefixOf(key), desk.now()), options),
    ),
  );
  add('key-revoke <email> <key>', 'Revoke a key at once (401)').action(
    (email: string, key: string, options: AccountOptions) =>
      withKeys(email, options, async (desk, id) => {
        const revoked = await desk.keys.revoke(id, prefixOf(key), desk.now());
        printResult(options.json, revoked, `revoked ${revoked.prefix}…`);
      }),
  );
}

export function addUsageCommand(add: Add): void {
  add('usage <email>', 'Show the usage of a month by day and operation')
    .option('--month <YYYY-MM>', 'another month than this one (UTC)')
    .action((email: string, options: AccountOptions & { month?: string }) =>
      withKeys(email, options, async (desk, id) => {
        const { month } = options;
        if (month !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
          throw invalidValue('argument-invalid', '--month', 'a month, YYYY-MM', month);
        }
        const usage = await desk.keys.usage(id, desk.now(), month);
        if (options.json) return printJson(usage);
        const rows = usage.days.map(({ day, operation, requests, bytes }) => ({
          ...{ day, operation, requests: formatCount(requests), bytes: formatBytes(bytes) },
        }));
        printTable(rows, ['day', 'operation', 'requests', 'bytes']);
        process.stdout.write(`${usage.month}: ${formatCount(usage.requests)} requests, ${formatBytes(usage.bytes)}\n`);
      }),
    );
}

function withKeys(
  email: string,
  options: AccountOptions,
  use: (desk: AccountDesk, account: number) => Promise<void>,
): Promise<void> {
  return withDesk(options, async (desk) => use(desk, (await desk.register.require(email, desk.now())).id));
}

function printKey(key: NewAccountKey, { json }: AccountOptions): void {
  printResult(json, key, key.api_key);
}

/** A whole key may be given too. */
function prefixOf(key: string): string {
  return key.replace(/…$/, '').slice(0, 11);
}
