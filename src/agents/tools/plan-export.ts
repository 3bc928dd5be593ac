/** `plan_export`. Nothing is spent before a plan was shown: its token belongs to one definition. */
import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { FilinglakeError } from '../../core/index.ts';
import { paging } from './arguments.ts';
import type { Exports } from './exports.ts';
import { tool, type World } from './tool.ts';

/** Members of a definition that a caller may give: service, key, lake and files are the server's. */
export const definitionInput = z
  .looseObject({ name: z.string().max(60), tables: z.array(z.string().max(60)).max(100) })
  .describe(
    'name; tables; select: {} (all filings) or form_types, date_from, date_to, entity_query {tickers, ciks}, items, accession_numbers; documents …',
  );

export const planExport = tool({
  name: 'plan_export',
  title: 'Plan an export',
  description:
    'What an export into the lake would cost: filings, requests, bytes, months of quota. Sends one or two requests, which count. The definition is that of filinglake export without service, lake and files; tables as in sql schema: []. The answer has a `plan` that start_export needs.',
  input: z.strictObject({ definition: definitionInput, ...paging }),
  needs: 'exports',
  cites: false,
  async run({ args, world, signal, position }) {
    const planned = await exportsOf(world).plan(args.definition, signal);
    const { steps, notes, ...sums } = planned;
    return {
      head: {
        filings: sums.filings,
        requests: sums.requests,
        bytes: sums.bytes,
        months_of_quota: sums.months,
        requests_left_this_month: sums.requestsLeft,
        exact: sums.exact,
        plan: planToken(args.definition, sums.requests, sums.bytes),
      },
      rows: steps.slice(position).map((step) => ({ ...step, tables: [...step.tables] })),
      total: steps.length,
      caveats: notes.slice(0, 4).map((note) => note.slice(0, 200)),
    };
  },
});

export function exportsOf({ exports }: World): Exports {
  if (exports !== null) return exports;
  throw new FilinglakeError('source-missing', 'this server starts no exports');
}

/** Plans of this server: a new server must plan again. */
const SECRET = randomBytes(32);

function planToken(definition: Readonly<Record<string, unknown>>, requests: number, bytes: number | null): string {
  const sums = `${requests}.${bytes ?? ''}`;
  return `${sums}.${createHmac('sha256', SECRET)
    .update(`${sums} ${canonical(definition)}`)
    .digest('base64url')
    .slice(0, 22)}`;
}

/** What the plan said. @throws FilinglakeError `plan-unknown` */
export function readPlan(
  token: string,
  definition: Readonly<Record<string, unknown>>,
): { requests: number; bytes: number | null } {
  const found = /^(\d{1,15})\.(\d{0,18})\.[\w-]{22}$/.exec(token);
  if (found !== null) {
    const [requests, bytes] = [Number(found[1]), found[2] === '' ? null : Number(found[2])];
    if (planToken(definition, requests, bytes) === token) return { requests, bytes };
  }
  throw new FilinglakeError('plan-unknown', `"${token.slice(0, 60)}" is not a plan of this definition`);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
