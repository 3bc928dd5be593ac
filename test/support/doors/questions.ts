/** Questions whose answers a reader finds in a filing, and the doors that answer them. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LakeSource, LakeTables, type World } from '../../../src/agents/index.ts';
import { readableText } from '../../../src/filings/documents/index.ts';
import { LakeSandbox, openLake } from '../../../src/lake/index.ts';
import { ask, type Answer as ToolAnswer } from '../agents/agent-lake.ts';
import { commandLine } from '../command-line.ts';
import { realFile, realFiles } from '../edgar/real-files.ts';
import { sharedFolder } from '../shared.ts';
import { type Given, number } from './cells.ts';
import { INPUTS } from './corpus.ts';
import type { Asked } from './doors.ts';
import { type MadeLake, madeLake } from './inputs.ts';
import data from './questions.json' with { type: 'json' };

export type Kind = 'value' | 'section' | 'items' | 'filing' | 'trade' | 'position' | 'holder' | 'count' | 'company';

export interface Question {
  readonly kind: Kind;
  readonly corpus: 'real' | 'made';
  readonly question: string;
  /** Its accession number; `all`: the question is about all of them. */
  readonly filing: string;
  /** The place in the filing at which a reader finds the answer. */
  readonly place: string;
  readonly args: Readonly<Record<string, string | number>>;
  /** A section's answer is its beginning. */
  readonly answer: string | number;
}

export const QUESTIONS = data as readonly Question[];

export interface QuestionWorld extends MadeLake {
  readonly service: { readonly url: string; readonly key: string };
  readonly agents: World;
}

/** Pages of reports, as a downloader leaves them: `file` of `xbrl/inline`. */
const PAGES = [
  {
    file: 'gme-10k-2023.htm',
    accession: '0001326380-24-000012',
    cik: '1326380',
    name: 'GAMESTOP CORP',
    form: '10-K',
    filed: '2024-03-26',
  },
  {
    file: 'vz-10k-2023.htm',
    accession: '0000732712-24-000010',
    cik: '732712',
    name: 'VERIZON COMMUNICATIONS INC',
    form: '10-K',
    filed: '2024-02-09',
  },
  {
    file: 'aapl-20230701.htm',
    accession: '0000320193-23-000077',
    cik: '320193',
    name: 'APPLE INC',
    form: '10-Q',
    filed: '2023-08-04',
  },
] as const;

/** The real filings that questions name. */
function writeReal(folder: string): void {
  const wanted = new Set(QUESTIONS.filter(({ corpus }) => corpus === 'real').map(({ filing }) => filing));
  for (const path of realFiles('full-submissions')) {
    const [, name] = /([\d-]{20})\.txt(?:\.gz)?$/.exec(path) ?? [];
    if (name !== undefined && wanted.has(name)) writeFileSync(join(folder, `${name}.txt`), realFile(path));
  }
  const lines = PAGES.map(({ file, accession, cik, name, form, filed }) => {
    const to = join(folder, cik, accession.replaceAll('-', ''), file);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(
      to,
      execFileSync('xz', ['-dc', join(sharedFolder!, 'xbrl/inline', `${file}.xz`)], { maxBuffer: 2 ** 28 }),
    );
    return `${cik}|${name}|${form}|${filed}|edgar/data/${cik}/${accession}.txt`;
  });
  const head =
    'Description:           Master Index of EDGAR Dissemination Feed\n\nCIK|Company Name|Form Type|Date Filed|File Name';
  writeFileSync(join(folder, 'master.idx'), `${head}\n${'-'.repeat(80)}\n${lines.join('\n')}\n`);
}

export async function questionWorld(corpus: Question['corpus']): Promise<QuestionWorld & { close(): Promise<void> }> {
  const input = INPUTS['complete submissions']!;
  const made = await madeLake(corpus === 'real' ? writeReal : input);
  const lake = await openLake(made.lake);
  const tables = new LakeTables(lake);
  const sandbox = new LakeSandbox(made.lake);
  return {
    ...made,
    agents: { sources: [new LakeSource(tables)], lake: tables, sql: sandbox, exports: null },
    async close() {
      await sandbox.close();
      await tables.close();
      await lake.close();
      await made.close();
    },
  };
}

const text = (value: string | number) => `'${String(value).replaceAll("'", "''")}'`;

/** A decimal without the zeros at its end. */
const short = (column: string) => `regexp_replace(${column}::VARCHAR, '\\.?0+$', '')`;

/** The question in SQL: one row, one column. */
const SQL: Readonly<Record<Kind, (args: Question['args']) => string>> = {
  value: ({ cik, item, year, period, as_of }) =>
    `SELECT value AS answer FROM ${as_of === undefined ? 'fundamentals' : `fundamentals_as_of(${text(as_of)})`}
     WHERE cik = ${text(cik!)} AND item = ${text(item!)} AND fiscal_year = ${year} AND fiscal_period = ${text(period!)} AND value IS NOT NULL${as_of === undefined ? ' AND known_until IS NULL' : ''}`,
  section: ({ accession, code }) =>
    `SELECT text AS answer FROM section_contents WHERE accession_number = ${text(accession!)} AND section = ${text(code!)}`,
  items: ({ accession }) =>
    `SELECT string_agg(item, ' ' ORDER BY item) AS answer FROM items_8k WHERE accession_number = ${text(accession!)}`,
  filing: ({ accession, column }) =>
    `SELECT ${column} AS answer FROM filings WHERE accession_number = ${text(accession!)}`,
  trade: ({ accession, shares }) =>
    `SELECT concat_ws(' ', transaction_code, ${short('price_per_share')}, transaction_date) AS answer FROM ownership_transactions WHERE accession_number = ${text(accession!)} AND shares = ${shares}`,
  position: ({ manager, quarter, cusip }) =>
    `SELECT concat_ws(' ', sum(shares_or_principal)::HUGEINT, sum(value_usd)::HUGEINT) AS answer FROM f13_positions WHERE filer_cik = ${text(manager!)} AND period_of_report = ${text(quarter!)} AND cusip = ${text(cusip!)}`,
  holder: ({ accession, name }) =>
    `SELECT concat_ws(' ', ${short('aggregate_amount')}, ${short('percent_of_class')}) AS answer FROM beneficial_persons WHERE accession_number = ${text(accession!)} AND name = ${text(name!)}`,
  count: ({ form }) => `SELECT count(*) AS answer FROM filings WHERE form_type = ${text(form!)}`,
  company: ({ cik }) => `SELECT ticker AS answer FROM entity_tickers WHERE cik = ${text(cik!)}`,
};

const BY: Readonly<Record<string, string>> = { FY: 'year', Q3: 'quarter' };

/** What the doors of a lake are asked: SQL, and the methods of Python that have no SQL. */
export function askedOf(one: Question): Asked[] {
  const name = one.question;
  const { item, period, cik, as_of, code } = one.args;
  const by = BY[period ?? ''];
  return [
    { name, kind: 'recipe', source: `(${SQL[one.kind](one.args)}) q` },
    ...(one.kind === 'value' && by
      ? [
          {
            name,
            kind: 'panel',
            source: JSON.stringify({ items: [item], by, companies: [cik], as_of: as_of ?? null, comparatives: true }),
          } as const,
        ]
      : []),
    ...(one.kind === 'section' ? [{ name, kind: 'sections', source: String(code) } as const] : []),
  ];
}

/** The answer in what a door gave; an error is a text too. */
export function answerIn({ args, kind }: Question, given: Given): unknown {
  const rows = given.rows.map((row) => Object.fromEntries(row.map((cell, i) => [given.columns[i]![0], cell])));
  if (rows.length > 0 && 'answer' in rows[0]!) return rows.length === 1 ? rows[0].answer : `${rows.length} rows`;
  if (kind === 'section') return rows.find((row) => row.accession_number === args.accession)?.text;
  return rows.find((row) => Number(row.fiscal_year) === args.year && row.fiscal_period === args.period)?.[args.item!];
}

type Special = (one: Question, world: QuestionWorld) => Promise<unknown>;

async function commandJson(args: string[]): Promise<Record<string, unknown>[]> {
  const { status, stdout, stderr } = await commandLine(args);
  return status === 0 ? (JSON.parse(stdout) as Record<string, unknown>[]) : [{ error: stderr }];
}

async function tool(world: QuestionWorld, name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  return ask(world.agents, name, { ...args, budget: 40_000 });
}

async function served(world: QuestionWorld, path: string): Promise<ToolAnswer> {
  const { url, key } = world.service;
  const answer = await fetch(`${url}/v2/${path}`, { headers: { authorization: `Bearer ${key}` } });
  return (await answer.json()) as ToolAnswer;
}

/** The file of a filing, as it was ingested. */
const fileOf = (world: QuestionWorld, accession: string | number) => {
  const page = PAGES.find((one) => one.accession === accession);
  if (page === undefined) return join(world.files, `${accession}.txt`);
  return join(world.files, page.cik, page.accession.replaceAll('-', ''), page.file);
};

/** Rows of a table as `filinglake map` makes them of the file. */
async function mappedRows(world: QuestionWorld, accession: string | number, table: string) {
  const { stdout } = await commandLine(['map', fileOf(world, accession), '--tables', table, '--json']);
  return stdout
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [(JSON.parse(line) as { row: Record<string, unknown> }).row] : []));
}

/** Doors besides those of SQL, by kind; null: no question for the door. A kind that it lacks is none either, and `WHY_NOT` says why. */
export const SPECIAL: Readonly<Record<string, Partial<Record<Kind, Special>>>> = {
  'filinglake panel': {
    async value({ args }, world) {
      const by = BY[args.period!];
      if (by === undefined) return null;
      const asOf = args.as_of === undefined ? [] : ['--as-of', String(args.as_of)];
      const rows = await commandJson([
        'panel',
        '--items',
        String(args.item),
        '--companies',
        String(args.cik),
        '--by',
        by,
        ...asOf,
        '--comparatives',
        '--lake',
        world.lake,
        '--json',
      ]);
      return rows.find((row) => row.fiscal_year === args.year && row.fiscal_period === args.period)?.[args.item!];
    },
  },
  'filinglake map': {
    async value({ args, filing }, world) {
      // What was known at a moment follows from several filings.
      if (args.as_of !== undefined) return null;
      const rows = await mappedRows(world, filing, 'fundamentals');
      return rows.find(
        (row) => row.item === args.item && row.fiscal_year === args.year && row.fiscal_period === args.period,
      )?.value;
    },
    async trade({ args, filing }, world) {
      const rows = await mappedRows(world, filing, 'ownership_transactions');
      const row = rows.find(({ shares }) => Number(shares) === args.shares);
      return row && `${row.transaction_code} ${Number(row.price_per_share)} ${row.transaction_date}`;
    },
    async holder({ args, filing }, world) {
      const row = (await mappedRows(world, filing, 'beneficial_persons')).find(({ name }) => name === args.name);
      return row && `${Number(row.aggregate_amount)} ${Number(row.percent_of_class)}`;
    },
    async position({ args, filing }, world) {
      const rows = (await mappedRows(world, filing, 'f13_holdings')).filter(({ cusip }) => cusip === args.cusip);
      const sum = (column: string) => rows.reduce((all, row) => all + BigInt(Number(row[column])), 0n);
      return `${sum('shares_or_principal')} ${sum('value_usd')}`;
    },
  },
  'filinglake sections': {
    async section({ args, filing }, world) {
      return (await commandLine(['sections', fileOf(world, filing), '--section', String(args.code)])).stdout;
    },
  },
  mcp: {
    async value({ args }, world) {
      const { rows: values } = await tool(world, 'statements', {
        company: args.cik,
        items: [args.item],
        fiscal_years: [args.year],
        periods: [args.period],
        ...(args.as_of !== undefined && { as_of: args.as_of }),
      });
      return values?.[0]?.value;
    },
    section: async ({ args }, world) =>
      (await tool(world, 'read', { accession_number: args.accession, section: args.code })).filed_content,
    async items({ args }, world) {
      const { rows: events } = await tool(world, 'events', { kind: '8-K' });
      const own = (events as ToolAnswer[]).find(({ accession_number }) => accession_number === args.accession);
      return (own?.items_8k as string[] | undefined)
        ?.map((item) => item.split(' ')[0])
        .sort()
        .join(' ');
    },
    async trade({ args }, world) {
      const { rows } = await tool(world, 'ownership', { kind: 'insider', company: args.cik });
      const row = (rows as ToolAnswer[]).find(
        (one) => Number(one.shares) === args.shares && one.accession_number === args.accession,
      );
      return row && `${row.transaction_code} ${Number(row.price_per_share)} ${row.transaction_date}`;
    },
    async position({ args }, world) {
      const { rows } = await tool(world, 'ownership', {
        kind: '13f',
        holder: args.manager,
        quarter: args.quarter,
        cusip: args.cusip,
      });
      const sum = (column: string) => (rows as ToolAnswer[]).reduce((all, row) => all + BigInt(row[column]), 0n);
      return `${sum('shares_or_principal')} ${sum('value_usd')}`;
    },
    async holder({ args }, world) {
      const { rows } = await tool(world, 'ownership', { kind: '13dg' });
      const row = (rows as ToolAnswer[]).find((one) => JSON.stringify(one).includes(String(args.name)));
      return row && `${Number(row.amount ?? row.aggregate_amount)} ${Number(row.percent ?? row.percent_of_class)}`;
    },
    async filing({ args }, world) {
      const { rows: filings } = await tool(world, 'find_filings', { accession_numbers: [args.accession] });
      return filings[0]?.[args.column!];
    },
    count: async ({ args }, world) => (await tool(world, 'find_filings', { forms: [args.form] })).count,
    company: async ({ args }, world) =>
      (await tool(world, 'find_companies', { cik: args.cik })).rows?.[0]?.tickers
        ?.map((one: ToolAnswer | string) => (typeof one === 'string' ? one : one.ticker))
        .join(' '),
  },
  '/v2': {
    async section({ args }, world) {
      const { sections } = await served(world, `filing_sections?accession_number=${args.accession}`);
      const own = (sections as ToolAnswer[] | undefined)?.find(({ section }) => section === args.code);
      return own && readableText(own.html, 'text/html');
    },
    async items({ args }, world) {
      const { items_8k } = await served(world, `filing_info?accession_number=${args.accession}`);
      return (items_8k as ToolAnswer[] | undefined)
        ?.map(({ item }) => item)
        .sort()
        .join(' ');
    },
    filing: async ({ args }, world) =>
      (await served(world, `filing_info?accession_number=${args.accession}`))[args.column!],
    count: async ({ args }, world) => (await served(world, `filing_lookup?form_types=${args.form}`)).count,
    company: async ({ args }, world) =>
      (await served(world, `entity_lookup?ciks=${args.cik}`)).entities?.[0]?.tickers?.join(' '),
  },
  'the page of the company': {
    async value({ args }, world) {
      const line = {
        revenue: 'Revenue',
        net_income: 'Net income',
        total_assets: 'Total assets',
        eps_diluted: 'Earnings per share, diluted',
        eps_basic: 'Earnings per share, basic',
      }[String(args.item)];
      if (args.period !== 'FY' || args.as_of !== undefined || line === undefined) return null;
      const page = await (await fetch(`${world.service.url}/companies/${args.cik}`)).text();
      const years = [...page.matchAll(/<th scope="col" class="number">(\d{4})/g)].map(([, year]) => Number(year));
      const cells = new RegExp(`<th scope="row">${line}</th>(.*?)</tr>`).exec(page)?.[1]?.match(/<td[^>]*>.*?<\/td>/g);
      const shown = cells?.[years.indexOf(Number(args.year))]?.replace(/<[^>]*>|,/g, '').replace('−', '-');
      // It shows whole millions.
      if (shown === undefined || line.startsWith('Earnings per share')) return shown;
      return Math.abs(Number(shown) * 1e6 - Number(QUESTIONS.find((one) => one.args === args)!.answer)) <= 500_000
        ? QUESTIONS.find((one) => one.args === args)!.answer
        : Number(shown) * 1e6;
    },
  },
};

/** Why a door has no answer to some questions. */
export const WHY_NOT: Readonly<Record<string, string>> = {
  'filinglake panel': 'standard items by year, quarter or twelve months alone',
  'filinglake map': 'tables of forms and statements of one file alone',
  'filinglake sections': 'sections alone',
  mcp: 'each kind has a tool',
  '/v2': 'filings as they were filed: values of statements, trades and holdings are in their documents',
  'the page of the company': 'its five lines of annual statements alone',
  'python panel': 'standard items by year, quarter or twelve months alone',
  'python sections': 'sections alone',
};

const words = (value: unknown) =>
  String(value)
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();

/** Why an answer is not that of the filing; null: it is. */
export function wrong({ kind, answer }: Question, given: unknown): string | null {
  const right =
    kind === 'section'
      ? words(given).startsWith(words(answer))
      : typeof answer === 'number'
        ? number(given) === number(answer)
        : words(given) === answer;
  return right ? null : `${words(given).slice(0, 200)}, not ${answer}`;
}
