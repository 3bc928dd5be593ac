/** `filinglake accounts plan|requests|grant|refuse`: the plans of accounts. */
import type { Command } from 'commander';
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
  add('requests', 'List open requests for plans').action((options: AccountOptions) =>
    withDesk(options, async (desk) => {
      const found = await desk.subscriptions.openRequests();
      const open = found.map(({ account: _, reference: __, ...request }) => request);
      if (options.json) return printJson(open);
      const rows = open.map(({ id, email, plan, billing, created_at }) => ({
        request: String(id),
        email,
        plan,
        billing,
        since: created_at.slice(0, 10),
      }));
      printTable(rows, ['request', 'email', 'plan', 'billing', 'since']);
    }),
  );
  add('grant <request>', 'Grant a request: its number or the e-mail address. The plan applies at once').action(
    (request: string, options: AccountOptions) => settle(request, options, 'grant'),
  );
  add('refuse <request>', 'Refuse a request: its number or the e-mail address').action(
    (request: string, options: AccountOptions) => settle(request, options, 'refuse'),
  );
}

async function settle(name: string, options: AccountOptions, verb: 'grant' | 'refuse'): Promise<void> {
  await withDesk(options, async (desk) => {
    const request = await requestNamed(desk, name);
    await desk.planDesk[verb](request);
    await print(desk, request.email, options);
  });
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
