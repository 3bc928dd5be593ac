/** A lake for the tools of agents: that of the recipes, with texts, and with filings that are hostile to their reader. */
import { cpSync, existsSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { callTool, LakeSource, LakeTables, TOOLS, type World } from '../../../src/agents/index.ts';
import { type Lake, LakeSandbox, openLake } from '../../../src/lake/index.ts';
import { id, recipeLake } from '../docs/recipe-lake.ts';
import { runFolder } from '../file-folder.ts';
import { bring } from '../lake/small-lake.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { ScriptedExports } from './scripted-exports.ts';

export { id } from '../docs/recipe-lake.ts';

const RISKS = ['Competition may harm us.', 'We depend on one supplier.', 'Rates of exchange move.'];
/** Risk factors of two years of company 1: one paragraph is gone, one is new, one has moved. */
export const RISKS_BEFORE = `Item 1A. Risk Factors\n${RISKS.join('\n')}\nA lawsuit is pending.`;
export const RISKS_AFTER = `Item 1A. Risk Factors\n${[RISKS[2], RISKS[0], RISKS[1]].join('\n')}\nA pandemic closed our plants. 🏭`;
/** 30,000 characters of lines, with pairs of surrogates. */
export const LONG_TEXT = Array.from(
  { length: 600 },
  (_, i) => `Line ${i} of the report: going 🚀 concern\tand “quotes” ${i}`,
).join('\n');

export const BEFORE = id(30, 23);
export const AFTER = id(31);
export const LONG_FILING = id(32);
export const hostile = (n: number) => id(600 + n);

/** A copy of the lake, which the first file of a run makes: to make it takes ten times the CPU of a copy. */
export async function agentLake(): Promise<Lake> {
  const made = join(runFolder('agents'), 'lake');
  if (!existsSync(made)) {
    const folder = mkdtempSync(`${made}-`);
    await (await madeLake(join(folder, 'lake'))).close();
    try {
      renameSync(join(folder, 'lake'), made);
    } catch (error) {
      // Another file was first.
      if (!existsSync(made)) throw error;
    }
  }
  const folder = join(mkdtempSync(join(tmpdir(), 'filinglake-agents-')), 'lake');
  cpSync(made, folder, { recursive: true });
  return openLake(folder);
}

/** Rows beside those of the recipes. */
async function madeLake(folder: string): Promise<Lake> {
  const lake = await recipeLake(folder);
  const filing = (accession_number: string, at: string | null, more: object = {}) => ({
    accession_number,
    cik: '1',
    form_type: '10-K',
    filing_date: at?.slice(0, 10) ?? '2024-06-03',
    entity_name: 'Company 1',
    acceptance_datetime: at,
    ...more,
  });
  const heading = (
    accession_number: string,
    position: number,
    level: number,
    words: string,
    place: [number, number],
  ) => ({
    accession_number,
    section: '1A',
    position,
    level,
    heading: words,
    parent: position === 1 ? null : 1,
    start_index: place[0],
    end_index: place[1],
  });
  const headings = (accession_number: string, text: string) => {
    const second = text.indexOf('\n') + 1;
    return [
      heading(accession_number, 1, 1, 'Item 1A. Risk Factors', [0, text.length]),
      heading(accession_number, 2, 2, text.slice(second, text.indexOf('\n', second)), [second, text.length]),
    ];
  };
  const cell = (
    accession_number: string,
    row_number: number,
    column_number: number,
    text: string,
    more: object = {},
  ) => ({
    document_id: `${accession_number}-1`,
    accession_number,
    table_number: 1,
    section: '1A',
    row_number,
    column_number,
    row_span: 1,
    column_span: 1,
    text,
    start_index: 0,
    ...more,
  });
  const chunk = (accession_number: string, position: number, place: [number, number], above: string[]) => ({
    document_id: `${accession_number}-1`,
    accession_number,
    position,
    headings: JSON.stringify(above),
    kind: 'text',
    text: 'x',
    tokens: 1,
    start_index: place[0],
    end_index: place[1],
  });
  const section = (accession_number: string, code: string, text: string) => ({
    accession_number,
    section: code,
    title: 'Risk Factors',
    heading: 'Item 1A. Risk Factors',
    html: text
      .split('\n')
      .map((line, i) => (i === 0 ? `<h2>${line}</h2>` : `<p>${line}</p>`))
      .join(''),
    text,
    kind: 'text',
    document_id: `${accession_number}-1`,
  });
  const document = (accession_number: string, text: string) => ({
    document_id: `${accession_number}-1`,
    accession_number,
    content_type: 'text/html',
    encoding: 'utf-8',
    content: `<p>${text.length}</p>`,
    size: 1,
    sha256: 'x',
    text,
  });
  await bring(
    lake,
    { batch: 'agents', run: 'agents' },
    {
      filings: [
        filing(BEFORE, '2023-03-01T16:05:00', { report_date: '2022-12-31' }),
        filing(AFTER, '2024-03-04T16:05:00', { report_date: '2023-12-31' }),
        filing(LONG_FILING, '2024-04-01T08:00:00', { cik: '2', form_type: '10-K/A', entity_name: 'Company 2' }),
        ...HOSTILE_TEXTS.map((text, n) =>
          filing(hostile(n), '2024-05-01T09:30:00', { cik: '66', form_type: '8-K', entity_name: text.slice(0, 150) }),
        ),
      ],
      parties: [
        {
          accession_number: BEFORE,
          position: 0,
          role: 'filer',
          cik: '1',
          name: 'Old Name Inc',
          sic: '7372',
          state_of_incorporation: 'DE',
        },
        {
          accession_number: AFTER,
          position: 0,
          role: 'filer',
          cik: '1',
          name: 'Company 1',
          sic: '7373',
          state_of_incorporation: 'NV',
        },
        {
          accession_number: AFTER,
          position: 1,
          role: 'filer',
          cik: '9',
          name: 'Co-Filer LLC',
          state_of_incorporation: 'DE',
        },
        ...Array.from({ length: 20 }, (_, n) => ({
          accession_number: LONG_FILING,
          position: n,
          role: 'filer',
          cik: String(100 + n),
          name: `Guarantor ${n} of the notes of Company 2`,
        })),
        { accession_number: LONG_FILING, position: 20, role: 'filer', cik: '3', name: 'Later Name Ltd' },
      ],
      entity_tickers: [{ cik: '1', position: 0, ticker: 'ONE', exchange: 'NYSE' }],
      documents: [BEFORE, AFTER, LONG_FILING].map((accession_number) => ({
        document_id: `${accession_number}-1`,
        accession_number,
        sequence: 1,
        type: '10-K',
        filename: 'a.htm',
        size: 10,
      })),
      section_contents: [
        section(BEFORE, '1A', RISKS_BEFORE),
        section(AFTER, '1A', RISKS_AFTER),
        ...HOSTILE_TEXTS.map((text, n) => ({
          ...section(hostile(n), '1A', text),
          html: null,
          heading: text.slice(0, 200),
        })),
      ],
      section_headings: [
        ...headings(BEFORE, RISKS_BEFORE),
        ...headings(AFTER, RISKS_AFTER),
        ...HOSTILE_TEXTS.map((text, n) => heading(hostile(n), 1, 1, text.slice(0, 200), [0, text.length])),
      ],
      document_tables: [
        cell(AFTER, 1, 1, 'In millions', { scale: 6, scale_from: 'table' }),
        cell(AFTER, 1, 2, '2023', { scale: 6, scale_from: 'table' }),
        cell(AFTER, 2, 1, 'Net sales', { scale: 6, scale_from: 'table' }),
        cell(AFTER, 2, 2, '1,234', { number: '1234', unit: '$', scale: 6, scale_from: 'table' }),
        ...HOSTILE_TEXTS.map((text, n) => cell(hostile(n), 1, 1, text)),
      ],
      chunks: [
        chunk(LONG_FILING, 1, [0, 1_000], []),
        chunk(LONG_FILING, 2, [1_000, LONG_TEXT.length], ['Item 1A. Risk Factors']),
        ...HOSTILE_TEXTS.map((text, n) => chunk(hostile(n), 1, [0, text.length], [text.slice(0, 200)])),
      ],
      document_contents: [
        document(LONG_FILING, LONG_TEXT),
        ...HOSTILE_TEXTS.map((text, n) => document(hostile(n), text)),
      ],
      items_8k: HOSTILE_TEXTS.map((_, n) => ({ accession_number: hostile(n), item: '8.01', title: null })),
      // The identities of a period that a later amendment states again.
      fundamental_checks: [24, 25].map((n) => ({
        accession_number: id(n),
        file: 'a.htm',
        cik: '24',
        fiscal_year: 2022,
        fiscal_period: 'FY',
        period_end: '2022-12-31',
        registrant: '',
        identity: 'assets_equal_claims',
        left_value: '200',
        right_value: String(n),
        difference: String(200 - n),
        tolerance: '1',
        holds: false,
      })),
    },
  );
  return lake;
}

type SandboxLimits = ConstructorParameters<typeof LakeSandbox>[1];

/** The tools over a lake alone. */
export class AgentLake {
  lake!: Lake;
  world!: World & { readonly lake: LakeTables };
  #sandbox!: LakeSandbox;

  static async open(limits: SandboxLimits = {}): Promise<AgentLake> {
    const agents = new AgentLake();
    await agents.start(limits);
    return agents;
  }

  async start(limits: SandboxLimits = {}): Promise<void> {
    this.lake = await agentLake();
    const tables = new LakeTables(this.lake);
    this.#sandbox = new LakeSandbox(this.lake.root, limits);
    const exports = new ScriptedExports();
    this.world = { sources: [new LakeSource(tables)], lake: tables, sql: this.#sandbox, exports };
  }

  /** What `verify` says of the citation of an answer. */
  async verdictOf({ citation }: Answer): Promise<Answer> {
    return (await this.ask('verify', { citations: [citation] })).rows[0];
  }

  ask(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    return ask(this.world, name, args);
  }

  /** All pages of an answer. */
  async *pages(name: string, args: Record<string, unknown>): AsyncGenerator<Answer> {
    for (let cursor: string | undefined; ; ) {
      const answer = await this.ask(name, { ...args, ...(cursor !== undefined && { cursor }) });
      yield answer;
      if (typeof answer.next !== 'string') return;
      cursor = answer.next;
    }
  }

  async close(): Promise<void> {
    await this.#sandbox.close();
    await this.world.lake.close();
    await this.lake.close();
  }
}

/** A lake for the tests of a file. */
export function agentLakeOfFile(limits: SandboxLimits = {}): AgentLake {
  const agents = new AgentLake();
  beforeAll(() => agents.start(limits));
  afterAll(() => agents.close());
  return agents;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON
export type Answer = Record<string, any>;

/** The answer of a tool as a client reads it, its rows as objects; `size` is that of the whole result as JSON. */
export async function ask(world: World, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const tool = TOOLS.find((one) => one.name === name)!;
  const result = await callTool(tool, args, world, new AbortController().signal);
  const { text } = result.content[0];
  return { ...readAnswer(text), size: JSON.stringify(result).length, text };
}

/** A row, whatever of it stands once in its answer. */
export const sortedJson = (row: Answer) => JSON.stringify(Object.fromEntries(Object.entries(row).sort()));

/** What the instructions of the server say of rows, and of what is absent. */
export function readAnswer(text: string): Answer {
  const { same, columns, rows, ...answer } = JSON.parse(text) as Answer;
  if (answer.error !== undefined) return answer;
  const asObject = (row: unknown[]) => ({
    ...same,
    ...Object.fromEntries((columns as string[]).map((name, i) => [name, row[i]])),
  });
  const { citation, truncated = false, left = truncated ? null : 0, next = null, caveats = [], ...head } = answer;
  return {
    ...head,
    ...(rows && { rows: columns === undefined ? rows : rows.map(asObject) }),
    ...(citation && { citation }),
    truncated,
    left,
    next,
    caveats,
  };
}
