/** `filinglake plan FILE`: estimates an export before it runs. */
import { Command } from 'commander';
import type { ParsedDefinition } from '../../export/index.ts';
import { type PlannedExport, planOf } from '../../export/runtime/index.ts';
import { MAX_WINDOW } from '../../filings/api/index.ts';
import { absolutePlace } from '../../lake/index.ts';
import { withServiceAddress } from '../terminal/catalog-service.ts';
import {
  type DefinitionOptions,
  keyOf,
  readDefinitions,
  SET_HELP,
  tellWarnings,
  withRefreshOption,
  withSetOption,
} from '../terminal/definition-file.ts';
import { watchInterrupts } from '../terminal/interruption.ts';
import { wholeNumber } from '../terminal/option-values.ts';
import { counted, formatBytes, formatCount, formatDuration, formatTable, printJson } from '../terminal/terminal.ts';

interface Options extends DefinitionOptions {
  lake?: string;
  sample?: string;
  json?: boolean;
}

export function command(): Command {
  const plan = new Command('plan')
    .description(
      'Estimate an export: requests, bytes, months of quota, time. Sends one request, two for the whole registry of entities',
    )
    .argument('<file>', 'the export definition (YAML)')
    .argument('[names...]', 'which exports of a file with several (default: all)')
    .option('--lake <place>', 'folder or URL of the lake (default: that of the definition, else ./lake)')
    .option('--sample <filings>', 'filings to examine, 10,000 at most (default: as few as are needed)')
    .option('--json', 'print the plan as JSON');
  return withRefreshOption(withSetOption(plan))
    .addHelpText(
      'after',
      `
Requests are exact if all filings of the selection were examined, else scaled from a sample. Bytes are estimated from
the sizes that the lookup states. For a list of accession numbers no request is sent. A file with several exports is
estimated for each export and in total.

${SET_HELP}

Examples:
  filinglake plan annual-reports.yaml --sample 10000
  filinglake plan annual-reports.yaml --set date_from=2020-01-01`,
    )
    .action(run);
}

async function run(file: string, names: string[], options: Options): Promise<void> {
  const parsed = await readDefinitions(file, names, options);
  tellWarnings(file, parsed);
  const sample = options.sample === undefined ? null : wholeNumber('--sample', 1, MAX_WINDOW)(options.sample);
  using interruption = watchInterrupts();
  const plans = await Array.fromAsync(parsed, (one) => planned(one, options.lake, sample, interruption.signal));
  const [only] = plans;
  if (plans.length > 1) {
    if (options.json) printJson(plansJson(plans));
    else process.stdout.write(plansText(plans));
  } else if (options.json) printJson(only!.plan);
  else process.stdout.write(planText(only!));
}

interface NamedPlan {
  name: string;
  maxRequests: number | null;
  plan: PlannedExport;
}

async function planned(
  parsed: ParsedDefinition,
  lake: string | undefined,
  sample: number | null,
  signal: AbortSignal,
): Promise<NamedPlan> {
  const { definition } = parsed;
  const folder = absolutePlace(lake ?? definition.lake);
  const apiKey = await keyOf(parsed);
  const plan = await withServiceAddress(definition.service.base_url, (address) =>
    planOf({ definition, apiKey, address, lake: folder, sample, signal }),
  );
  return { name: definition.name, maxRequests: definition.budget.max_requests, plan };
}

/** Exports of one file may fetch the same filings. Each is estimated alone, so the total is a maximum. */
function totalOf(plans: readonly NamedPlan[]) {
  const bytes = plans.map(({ plan }) => plan.bytes);
  return {
    requests: plans.reduce((sum, { plan }) => sum + plan.requests, 0),
    bytes: bytes.includes(null) ? null : bytes.reduce<number>((sum, n) => sum + n!, 0),
    spent: {
      requests: plans.reduce((sum, { plan }) => sum + plan.spent.requests, 0),
      bytes: plans.reduce((sum, { plan }) => sum + plan.spent.bytes, 0),
    },
  };
}

function plansJson(plans: readonly NamedPlan[]) {
  return { exports: plans.map(({ name, plan }) => ({ name, ...plan })), total: totalOf(plans) };
}

function plansText(plans: readonly NamedPlan[]): string {
  const total = totalOf(plans);
  const each = plans.map((plan) => `${plan.name}\n${planText(plan)}\n`).join('');
  const bytes = total.bytes === null ? '?' : formatBytes(total.bytes);
  return `${each}in total: ${counted(total.requests, 'request')}, ${bytes}; filings that two of them fetch are counted twice\n`;
}

/** Whether the numbers are exact, an estimate, or a minimum. */
type Certainty = 'exact' | 'about' | 'at least';

function certaintyOf({ whole, filings, sampled, entities, steps }: PlannedExport): Certainty {
  if (whole) return 'exact';
  // All were examined, and some don't state their needs.
  if (sampled > 0 && sampled === filings) return 'at least';
  const isCounted = steps.every(({ step }) => step === 'entities') ? entities !== null : filings !== null;
  return isCounted ? 'about' : 'at least';
}

const REQUESTS_WORDS: Record<Certainty, string> = {
  exact: 'exact: all filings were examined',
  about: 'an estimate: see the note',
  'at least': 'the minimum: see the note',
};

/** A plan for people: which numbers are exact, estimated, or a minimum. */
export function planText({ plan, maxRequests }: Pick<NamedPlan, 'plan' | 'maxRequests'>): string {
  const { steps, requests, bytes, months, seconds, spent, quota, notes, stops_by_budget, whole_filings } = plan;
  const certainty = certaintyOf(plan);
  const head = certainty === 'exact' ? 'requests' : `requests, ${certainty}`;
  const rows = [...steps, { step: 'in all', tables: [], requests, bytes }].map((step) => ({
    step: step.step,
    [head]: formatCount(step.requests),
    'bytes, about': step.bytes === null ? '?' : formatBytes(step.bytes),
    tables: step.tables.join(', '),
  }));
  const left = quota?.requests_left ?? null;
  const lines: [string, string][] = [
    ...foundLines(plan, certainty),
    ['requests', REQUESTS_WORDS[certainty]],
    ['bytes', 'an estimate from the sizes of the submissions'],
    [
      'quota',
      spent.requests === 0
        ? 'not known: no request was sent'
        : left === null
          ? 'the service states no limit of requests'
          : `${counted(left, 'request')} left this month; ${monthsText(months)}`,
    ],
    [
      'time',
      seconds === null || plan.requests_per_second === null
        ? 'not known: no run has used this service for this lake yet'
        : `${certainty === 'at least' ? 'at least' : 'about'} ${seconds < 1 ? 'a second' : formatDuration(seconds)} at ${plan.requests_per_second.toFixed(1)} requests a second, the best of the last runs`,
    ],
  ];
  if (months !== 1 && whole_filings !== null) lines.push(['', wholeText(whole_filings)]);
  if (stops_by_budget > 0) {
    lines.push([
      'budget',
      `budget.max_requests or max_bytes stops it before the end${maxRequests === null ? '' : ` (max_requests: ${formatCount(maxRequests)})`}`,
    ]);
  }
  for (const note of notes) lines.push(['note', note]);
  lines.push(['this cost', `${counted(spent.requests, 'request')}, ${formatBytes(spent.bytes)}`]);
  return `${formatTable(rows, ['step', head, 'bytes, about', 'tables'])}\n${lines.map(([name, value]) => `${name.padEnd(10)} ${value}\n`).join('')}`;
}

/** Numbers of entities and filings. An export of entities alone has no filings. */
function foundLines(plan: PlannedExport, certainty: Certainty): [string, string][] {
  const { entities, filings, sampled, known, older, steps } = plan;
  const lines: [string, string][] = [];
  const isOfEntities = steps.every(({ step }) => step === 'entities');
  if (entities !== null || isOfEntities) {
    const many = entities === null ? 'not stated by the service' : formatCount(entities);
    lines.push(['entities', `${many}; not compared with the lake`]);
  }
  if (isOfEntities && sampled === 0) return lines;
  // Hits of a search are counted. Their filings are scaled from the examined ones.
  const isScaled = certainty === 'about' && steps.some(({ step }) => step === 'fulltext_search');
  const many = filings === null ? `at least ${formatCount(sampled)}` : formatCount(filings);
  const inLake =
    sampled === filings
      ? `the lake has ${formatCount(known)} of them complete`
      : known === 0
        ? `the lake has none of the ${formatCount(sampled)} examined`
        : `the lake has ${filings === null ? '' : 'about '}${formatCount(known)} of them complete`;
  lines.push(['filings', `${isScaled ? 'about ' : ''}${many}; ${inLake}`]);
  if (older > 0) {
    const amount = certainty === 'exact' ? formatCount(older) : `about ${formatCount(older)}`;
    lines.push(['changed', `${amount} of them changed since they were fetched, and are fetched again`]);
  }
  return lines;
}

/** Of a quota that doesn't last for all filings. */
function wholeText({ this_month, a_month }: NonNullable<PlannedExport['whole_filings']>): string {
  const later = a_month === null ? '' : `, ${formatCount(a_month)} in each later one`;
  return `about ${counted(this_month, 'whole filing')} this month${later}, the newest first`;
}

function monthsText(months: number | null): string {
  if (months === null) return 'the number of months is not known';
  return months === 1 ? 'it fits into this month' : `it takes ${formatCount(months)} months, this one included`;
}
