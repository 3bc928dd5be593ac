/** Answers over a service: words and phrases as of a moment, and citations of rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceSource, type World } from '../../../src/agents/index.ts';
import { FilingClient } from '../../../src/export/client/index.ts';
import { type Answer, ask } from '../../support/agents/agent-lake.ts';
import { LEAST, MOST, walk } from '../../support/agents/tool-laws.ts';
import { FOREIGN, FOREIGN_ITEMS, FOREIGN_REPORTS, FOREIGN_WITHOUT } from '../../support/service/foreign-reports.ts';
import { TestService } from '../../support/service/running-service.ts';
import type { MadeFiling } from '../../support/service/small-catalog.ts';

/** Hits whose filings are listed. */
const LISTED = 300;

const accession = (n: number) => `0000200000-24-${String(n).padStart(6, '0')}`;
/** Two documents each: half of the filings name lighthouses in both, some a phrase. */
const MADE = Array.from({ length: 190 }, (_, n): MadeFiling => {
  const words = `${n % 2 === 0 ? 'lighthouses' : 'harbours'} and ${n % 10 === 0 ? 'going concern' : 'concern going'} 🚀 of ${n}`;
  const body = `<html><body><p>Report ${n}</p><p>The company keeps ${words}.</p></body></html>`;
  const day = new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10).replaceAll('-', '');
  return {
    accession: accession(n),
    form: n % 3 === 0 ? '10-K' : '8-K',
    filed: day,
    cik: String(200_000 + (n % 4)).padStart(10, '0'),
    name: `MADE ${n % 4} CORP`,
    documents: [
      { type: '10-K', filename: 'a.htm', body },
      { type: 'EX-99', filename: 'b.htm', body },
    ],
  };
});
const even = MADE.filter((_, n) => n % 2 === 0).map((one) => one.accession);
const numbers = (rows: readonly Answer[]) => rows.map((row) => row.accession_number as string);

let service: TestService;
let client: FilingClient;
let world: World;
const verdicts = async (citations: Answer[]) =>
  (await agents.ask('verify', { citations, budget: MOST })).rows.map(({ equal }: Answer) => equal);
const agents = { ask: (name: string, args: Record<string, unknown> = {}) => ask(world, name, args) };
beforeAll(async () => {
  service = await TestService.start({ others: [...MADE, ...FOREIGN_REPORTS] });
  client = new FilingClient({ baseUrl: service.service.url, apiKey: service.key });
  world = { sources: [new ServiceSource(client)], lake: null, sql: null, exports: null };
});
afterAll(async () => {
  await client.close();
  await service.stop();
});

it('find_companies says that a service has no former names', async () => {
  expect((await agents.ask('find_companies', { name: 'Gone Name' })).caveats).toEqual([
    expect.stringMatching(/of today/),
  ]);
});

describe('find_filings with words', () => {
  it('has each filing once, the newest first, in its pages too', async () => {
    const found = await agents.ask('find_filings', { words: 'lighthouses', budget: MOST });
    expect(found).toMatchObject({ source: 'service', count: even.length });
    const { items } = await walk(agents, 'find_filings', { words: 'lighthouses' }, [LEAST, 3_000]);
    expect(items.map((item) => JSON.parse(item).accession_number)).toEqual(even.toReversed());
  });

  it('takes phrases, forms, companies and days together', async () => {
    const of = async (args: object) => numbers((await agents.ask('find_filings', { ...args, budget: MOST })).rows);
    const holding = (holds: (n: number) => boolean) =>
      MADE.flatMap((one, n) => (holds(n) ? [one.accession] : [])).reverse();
    expect(await of({ words: '"going concern"' })).toEqual(holding((n) => n % 10 === 0));
    expect(await of({ words: '"going concern"', forms: ['10-K'] })).toEqual(holding((n) => n % 30 === 0));
    expect(await of({ words: 'lighthouses', company: '200002', from_date: '2024-02-01' })).toEqual(
      holding((n) => n % 4 === 2 && n >= 31),
    );
    expect(await of({ words: 'lighthouses harbours' })).toEqual([]);
  });

  it('hides what was accepted later, in the count too', async () => {
    for (const n of [0, 31, 100, 189]) {
      const day = new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10);
      for (const [time, last] of [
        ['16:29:59', n - 1],
        ['16:30', n],
      ] as const) {
        const args = { words: 'lighthouses', as_of: `${day}T${time}` };
        const { items, answers } = await walk(agents, 'find_filings', args, [MOST]);
        const known = even.filter((number) => Number(number.slice(-6)) <= last);
        expect(numbers(items.map((item) => JSON.parse(item))), args.as_of).toEqual(known.toReversed());
        expect(answers[0]!.count).toBe(known.length);
      }
    }
  });

  it('says that it looked at a part of many hits, and what it does not take', async () => {
    const many = await agents.ask('find_filings', { words: 'company keeps', budget: MOST });
    expect(many.count).toBeNull();
    expect(many.caveats).toEqual([expect.stringContaining(`newest ${LISTED} hits`)]);
    const { items } = await walk(agents, 'find_filings', { words: 'company keeps' }, [MOST]);
    expect(items).toHaveLength(LISTED / 2);
    for (const args of [{ items: ['2.02'] }, { order: 'oldest' }])
      expect((await agents.ask('find_filings', { words: 'lighthouses', ...args })).error).toMatchObject({
        code: 'tool-input-invalid',
        message: expect.stringContaining('without items, newest first'),
      });
  });
});

describe('search_text', () => {
  it('shows passages of each document, whose citation is equal', async () => {
    const found = await agents.ask('search_text', { query: '"going concern"', company: '200000', budget: MOST });
    expect(found.count).toBe(found.rows.length);
    expect(new Set(numbers(found.rows))).toEqual(
      new Set(MADE.flatMap((one, n) => (n % 20 === 0 ? [one.accession] : []))),
    );
    for (const { passages } of found.rows) expect(passages[0].filed_content).toContain('going concern 🚀 of');
    expect(await verdicts([found.citation])).toEqual([true]);
  });

  it('has all its hits in its pages, each once', async () => {
    const { items, answers } = await walk(agents, 'search_text', { query: 'harbours' }, [4_000]);
    const documents = items.map((item) => JSON.parse(item).document_id as string);
    expect(answers.length).toBeGreaterThan(1);
    expect(new Set(documents).size).toBe(documents.length);
    expect(documents).toHaveLength(MADE.length - even.length + MADE.length - even.length);
  });

  it('names a lake for sections', async () => {
    expect((await agents.ask('search_text', { query: 'harbours', section: '1A' })).error).toMatchObject({
      code: 'source-missing',
      message: expect.stringContaining('no lake'),
    });
  });
});

describe('citations of rows', () => {
  it.each([
    ['find_filings', {}],
    ['find_filings', { as_of: '2024-03-01' }],
    ['find_filings', { words: 'lighthouses' }],
    ['find_filings', { accession_numbers: [accession(3)] }],
    ['events', { kind: '8-K' }],
    ['find_companies', { name: 'MADE' }],
    ['find_companies', { name: 'MADE', as_of: '2024-03-01' }],
    ['outline', { accession_number: accession(3) }],
  ])('of each page of %s(%j) are equal', async (name, args) => {
    const { answers } = await walk(agents, name, args, [MOST, LEAST]);
    expect(await verdicts(answers.slice(0, 20).map(({ citation }) => citation))).not.toContain(false);
  });

  it('of another call are not equal', async () => {
    const { citation: filings } = await agents.ask('find_filings', { company: '200002' });
    const { citation: parts } = await agents.ask('outline', { accession_number: accession(3) });
    const wrong = [
      { ...filings, args: { company: '200001' } },
      { ...filings, args: { company: '7' } },
      { ...filings, args: { company: '200002', order: 'oldest' } },
      { ...filings, rows: filings.rows - 1 },
      { ...filings, tool: 'facts', args: { concepts: ['Assets'] } },
      { ...filings, tool: 'read', args: { accession_number: accession(3) } },
      { ...parts, args: { accession_number: accession(4) } },
      { ...parts, args: { accession_number: accession(3), section: '1A' } },
    ];
    expect(await verdicts(wrong)).toEqual(wrong.map(() => false));
  });
});

describe('a 20-F', () => {
  it('has its items in outline and read; one without is asked for none', async () => {
    const { rows } = await agents.ask('outline', { accession_number: FOREIGN, budget: MOST });
    const listed = rows.filter(({ part }: Answer) => part === 'section').map(({ section }: Answer) => section);
    expect(listed).toEqual(FOREIGN_ITEMS);
    const read = await agents.ask('read', { accession_number: FOREIGN, section: 'Item 16A', budget: MOST });
    expect(read.filed_content).toMatch(/^Item 16A\. Audit Committee Financial Expert/);
    const none = await agents.ask('read', { accession_number: FOREIGN_WITHOUT, section: '3' });
    expect(none.error.message).toContain('sections: none');
  });
});
