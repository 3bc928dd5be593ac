/** `filinglake accounts plan|requests`: the plans of accounts. */
import { type Command, Option } from 'commander';
import { FilinglakeError } from '../../core/index.ts';
import type { AccountDesk, PlanRequest } from '../../service/accounts/index.ts';
import { type AccountOptions, planText, withDesk } from '../terminal/account-desk.ts';
import { printJson, printResult, printTable } from '../terminal/terminal.ts';

type Add = (name: string, description: string) => Command;

export function addPlanCommands(add: Add): void {
  add('plan <email> <plan>', 'Give an account a plan, at once')
    .option('--at-month-end', 'from the first of next month (UTC) on')
    .action((email: string, plan: string, options: AccountOptions & { atMonthEnd?: boolean }) =>
      withDesk(options, async (desk) => {
        const account = await desk.register.require(email, desk.now());
        desk.requirePlan(plan);
        if (options.atMonthEnd) await desk.subscriptions.setAtMonthEnd(account, plan, 'operator', desk.now());
        else await desk.subscriptions.set(account, plan, 'operator', desk.now());
        await print(desk, email, options);
      }),
    );
  add('requests [request]', 'List open requests for plans, or settle one: its number or the e-mail address')
    .addOption(new Option('--grant', 'grant it: the plan applies at once').conflicts('refuse'))
    .option('--refuse', 'refuse it')
    .action((request: string | undefined, options: AccountOptions & Verdict) =>
      withDesk(options, (desk) => (request === undefined ? list(desk, options) : settle(desk, request, options))),
    );
}

interface Verdict {
  grant?: boolean;
  refuse?: boolean;
}

async function list(desk: AccountDesk, { json }: AccountOptions): Promise<void> {
  const found = await desk.subscriptions.openRequests();
  const open = found.map(({ account: _, reference: __, ...request }) => request);
  if (json) return printJson(open);
  const rows = open.map(({ id, email, plan, billing, created_at }) => {
    return { request: String(id), email, plan, billing, since: created_at.slice(0, 10) };
  });
  printTable(rows, ['request', 'email', 'plan', 'billing', 'since']);
}

async function settle(desk: AccountDesk, name: string, options: AccountOptions & Verdict): Promise<void> {
  const request = await requestNamed(desk, name);
  if (!options.grant && !options.refuse) {
    throw new FilinglakeError('argument-missing', `the request of ${request.email} is open`, {
      remedy: 'Add --grant or --refuse.',
    });
  }
  await desk.planDesk[options.grant ? 'grant' : 'refuse'](request);
  await print(desk, request.email, options);
}

async function requestNamed(desk: AccountDesk, name: string): Promise<PlanRequest> {
  const isNumber = /^\d+$/.test(name);
  const open = await desk.subscriptions.openRequests();
  const found = open.find(({ id, email }) => (isNumber ? id === Number(name) : email === name.trim().toLowerCase()));
  if (found) return found;
  throw new FilinglakeError('plan-request-unknown', `there is no open request ${isNumber ? name : `of ${name}`}`);
}

async function print(desk: AccountDesk, email: string, { json }: AccountOptions): Promise<void> {
  const { id: _, ...account } = await desk.register.require(email, desk.now());
  printResult(json, account, `${account.email}: ${planText({ id: 0, ...account })}`);
}
