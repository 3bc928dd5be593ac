/** `filinglake fundamentals`: values of a company, and why one of them is what it is. */
import { Command } from 'commander';
import { counted, EXIT, FilinglakeError, invalidValue, quoteText } from '../../core/index.ts';
import { statementItems } from '../../filings/statements/index.ts';
import type { Lake } from '../../lake/index.ts';
import { ciksOf } from '../terminal/companies.ts';
import { Explainer, type Explanation, type SourceFact } from '../terminal/explanation.ts';
import { terminalMemoryBytes, withLake } from '../terminal/lake-folder.ts';
import { knownItem, momentOf, refuseWithoutFundamentals } from '../terminal/statement-options.ts';
import { printJson, printTable } from '../terminal/terminal.ts';

interface Options {
  explain?: boolean;
  asOf?: string;
  json?: boolean;
  lake?: string;
}

type Row = Awaited<ReturnType<Lake['query']>>[number];

export function command(): Command {
  return new Command('fundamentals')
    .description('Show values of a company, and why one of them is what it is')
    .argument('<company>', 'CIK or ticker')
    .argument('[item]', 'revenue, net_income …; docs/guide/fundamentals.md lists them (default: all)')
    .argument('[period]', '2024, 2024Q3, 2024H1, 2024TTM, or the last day: 2024-09-28 (default: all)')
    .option('--explain', 'rule, facts, checks, and the passage in the page; needs an item and a period')
    .option('--as-of <moment>', 'as known then: a day (its beginning), or day and time, Eastern')
    .option('--json', 'print JSON')
    .option('--lake <place>', 'folder or URL of the lake (default: this folder if it is a lake, else ./lake)')
    .addHelpText(
      'after',
      `
--explain shows the text of the page if the lake has the document: documents: { types: [all] } in its export.

Exit code 3: the lake has no such value.

Examples:
  filinglake fundamentals AAPL revenue
  filinglake fundamentals --explain AAPL revenue 2025Q2
  filinglake fundamentals --explain 320193 net_income 2025Q4 --as-of 2025-12-31 --json`,
    )
    .action(run);
}

async function run(
  company: string,
  item: string | undefined,
  period: string | undefined,
  options: Options,
): Promise<void> {
  if (options.explain === true && (item === undefined || period === undefined)) {
    throw new FilinglakeError('argument-missing', '--explain needs an item and a period', {
      remedy: 'Give for example: filinglake fundamentals --explain AAPL revenue 2025Q2.',
    });
  }
  const isWanted = period === undefined ? () => true : periodOf(period);
  const asOf = options.asOf === undefined ? null : momentOf(options.asOf).replace(' ', 'T');
  const items = item === undefined ? statementItems() : [knownItem(item)];
  await withLake(options.lake, { queryMemoryBytes: terminalMemoryBytes() }, async (lake) => {
    const at = await lake.currentVersion();
    await refuseWithoutFundamentals(lake, at);
    const [cik] = (await ciksOf(lake, at, [company])).values();
    const history = await lake.query(
      `SELECT u.*, CASE WHEN list_contains(share_items(), u.item) THEN x.factor END AS split_factor
       FROM fundamentals_standing(${asOf === null ? 'NULL' : quoteText(asOf)}, [${quoteText(cik!)}], [${items.map(quoteText).join(', ')}]) u
       LEFT JOIN split_factors(${asOf === null ? 'NULL' : quoteText(asOf)}, [${quoteText(cik!)}]) x ON x.known_from = u.known_from
       ORDER BY period_end, fiscal_period, known_from, list_position([${items.map(quoteText).join(', ')}], item)`,
      { at },
    );
    const known = history.filter(({ known_from }) => asOf === null || String(known_from) <= asOf);
    const open = known.filter(
      ({ known_until }) => known_until === null || (asOf !== null && String(known_until) > asOf),
    );
    const found = open.filter(isWanted);
    if (found.length === 0) tellNothing(company, item, period, open);
    else if (options.explain === true) {
      const explainer = new Explainer(lake, at);
      const explanations = await Array.fromAsync(found, (row) => explainer.explain(row, known));
      if (options.json) printJson(explanations);
      else process.stdout.write(explanations.map(inWords).join('\n'));
    } else if (options.json) printJson(found.map(shown));
    else printTable(found.map(shown), COLUMNS);
    const older = found.filter(({ split_factor }) => split_factor !== null && Number(split_factor) !== 1);
    if (older.length > 0)
      process.stderr.write(`warning: ${counted(older.length, 'value')} as filed before a split: see split_factor\n`);
  });
}

const COLUMNS = [
  'fiscal_year',
  'fiscal_period',
  'period_end',
  'item',
  'value',
  'unit',
  'method',
  'known_from',
  'split_factor',
];

function shown(row: Row): Record<string, unknown> {
  const value = row.value === null ? row.reason : Number(row.value);
  return Object.fromEntries(COLUMNS.map((name) => [name, name === 'value' ? value : (row[name] ?? '')]));
}

/** A balance of a fourth quarter is that of the year. */
function periodOf(text: string): (row: Row) => boolean {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return ({ period_end }) => period_end === text;
  const found = /^(?:FY)?(\d{4})[- ]?(FY|Q[1-4]|H1|9M|TTM)?$/i.exec(text);
  if (found !== null) {
    const [, year, name = 'FY'] = found;
    const period = name.toUpperCase();
    return (row) =>
      Number(row.fiscal_year) === Number(year) &&
      (row.fiscal_period === period ||
        (period === 'Q4' && row.fiscal_period === 'FY' && (row.statement === 'balance' || row.statement === 'cover')));
  }
  throw invalidValue(
    'argument-invalid',
    'PERIOD',
    'a fiscal year, a period of it, or a day',
    text,
    'Give for example 2024, 2024Q3, 2024H1, 2024TTM or 2024-09-28.',
  );
}

function tellNothing(company: string, item = 'value', period: string | undefined, open: readonly Row[]): void {
  const periods = [...new Set(open.map(({ fiscal_year, fiscal_period }) => `${fiscal_year}-${fiscal_period}`))];
  const has = periods.length === 0 ? '' : `; it has ${periods.slice(-12).join(', ')}`;
  process.stderr.write(`the lake has no ${item} of ${company}${period === undefined ? '' : ` for ${period}`}${has}\n`);
  process.exitCode = EXIT.finishedWithFailures;
}

const grouped = (value: string) =>
  value.replace(/^(-?)(\d+)/, (_, sign: string, digits: string) => sign + Number(digits).toLocaleString('en-US'));
const termOf = (weight: number, text: string) =>
  `${weight < 0 ? '-' : '+'} ${Math.abs(weight) === 1 ? '' : `${grouped(String(Math.abs(weight)))} × `}${text}`;

function inWords(one: Explanation): string {
  const { item, fiscal_year, fiscal_period, period_start, period_end, value, unit, reason } = one;
  const span = period_start === null ? period_end : `${period_start} to ${period_end}`;
  const lines = [
    `${item} ${fiscal_year} ${fiscal_period} (${span}): ${value === null ? `null, ${reason}` : `${grouped(value)} ${unit}`}`,
  ];
  const say = (name: string, text: string) => lines.push(`  ${name.padEnd(9)} ${text}`);
  say(
    'known',
    `from ${one.known_from}${one.known_until === null ? '' : ` until ${one.known_until}`}${one.value_before === null ? '' : `; before: ${grouped(one.value_before)}`}`,
  );
  say('filing', `${one.accession_number} ${one.form_type ?? ''}`.trimEnd());
  if (one.method !== null) say('method', one.method);
  if (one.rule !== null) {
    say('rule', `${one.rule.name}: ${one.rule.why}`);
    for (const [name, way] of Object.entries(one.rule.way)) say('', `${name}: ${shortened(way)}`);
  }
  for (const { weight, of } of one.parts)
    lines.push(
      ...inWords(of)
        .trimEnd()
        .split('\n')
        .map((line, k) => `  ${k === 0 ? termOf(weight, line) : `  ${line}`}`),
    );
  for (const fact of one.facts) lines.push(...factLines(fact, one.facts.length > 1 || Math.abs(fact.weight) > 1));
  for (const { identity, left, right, tolerance, holds, likeliest_wrong } of one.checks)
    say(
      'check',
      `${identity}: ${grouped(left)} and ${grouped(right)} ${holds ? 'agree' : `DIFFER by more than ${grouped(tolerance)}; the likeliest wrong is ${likeliest_wrong}`}`,
    );
  return `${lines.join('\n')}\n`;
}

const WAY_LENGTH = 100;

/** Lists of concepts are long: --json has them whole. */
function shortened(way: unknown): string {
  const text = (typeof way === 'string' ? way : JSON.stringify(way))
    .replaceAll('us-gaap:', '')
    .replaceAll(/["[\]]/g, '');
  return text.length <= WAY_LENGTH ? text : `${text.slice(0, WAY_LENGTH)} …`;
}

function factLines(fact: SourceFact, isTerm: boolean): string[] {
  const amount = isTerm ? `${termOf(fact.weight, grouped(fact.value))}  ` : '';
  const members = fact.dimensions === '{}' ? '' : ` ${fact.dimensions}`;
  const place = fact.start_index === null ? fact.file : `${fact.file}, ${fact.start_index} to ${fact.end_index}`;
  const missing =
    fact.start_index === null
      ? ''
      : ' (the lake does not have the document: export it with documents: { types: [all] })';
  return [
    `  fact      ${amount}${fact.concept}${members}`,
    `  page      ${place}${fact.printed === null ? missing : `: ${fact.printed}`}`,
    ...(fact.line === null ? [] : [`            ${fact.line}`]),
  ];
}
