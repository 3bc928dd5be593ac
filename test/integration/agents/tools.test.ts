/** Each tool: what it is for, and the mistake that its description warns of. Exports by real runs are in test/e2e/agents. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/agents/index.ts';
import {
  AFTER,
  AgentLake,
  type Answer,
  BEFORE,
  citationsIn,
  id,
  LONG_FILING,
  LONG_TEXT,
  RISKS_AFTER,
} from '../../support/agents/agent-lake.ts';

let agents: AgentLake;
beforeAll(async () => {
  agents = await AgentLake.open();
});
afterAll(() => agents.close());

const verdictsOf = async (answer: Answer) =>
  (await agents.ask('verify', { citations: citationsIn({ ...answer, text: null }).slice(0, 50), budget: 40_000 }))
    .verdicts as Answer[];

/** A describe for each tool. */
const TRIED: Record<string, () => void> = {
  find_companies() {
    it('finds a company by a former name, and names it as it is now', async () => {
      const { companies } = await agents.ask('find_companies', { name: 'old name' });
      expect(companies).toMatchObject([
        { cik: '1', name: 'Company 1', other_names: expect.arrayContaining(['Old Name Inc']) },
      ]);
    });

    it('wants one of its arguments', async () => {
      expect((await agents.ask('find_companies')).error.code).toBe('tool-input-invalid');
    });
  },
  find_filings() {
    it('takes a form by its whole name: 10-K is not 10-K/A', async () => {
      const { filings } = await agents.ask('find_filings', { forms: ['10-K/A'] });
      expect(filings.length).toBeGreaterThan(0);
      expect(new Set(filings.map((one: Answer) => one.form_type))).toEqual(new Set(['10-K/A']));
    });

    it('finds filings by words of their texts, each once, as of a moment too', async () => {
      const words = { words: 'competition "one supplier"' };
      const found = await agents.ask('find_filings', words);
      expect(found.filings.map((one: Answer) => one.accession_number)).toEqual([AFTER, BEFORE]);
      expect(found.count).toBe(2);
      expect(await agents.ask('find_filings', { ...words, as_of: '2024-01-01' })).toMatchObject({ count: 1 });
      expect((await agents.ask('find_filings', { words: 'pandemic', as_of: '2024-01-01' })).count).toBe(0);
      expect((await verdictsOf(found)).every(({ equal }) => equal)).toBe(true);
    });
  },
  outline() {
    it('has the parts of a filing with their lengths, and those inside a section', async () => {
      const { parts } = await agents.ask('outline', { accession_number: AFTER });
      expect(parts).toContainEqual(
        expect.objectContaining({ part: 'section', section: '1A', kind: 'text', characters: RISKS_AFTER.length }),
      );
      expect(parts).toContainEqual(expect.objectContaining({ part: 'document', tables: 1 }));
      const inside = await agents.ask('outline', { accession_number: AFTER, section: 'Item 1A' });
      expect(inside.parts).toMatchObject([
        { part: 'heading', position: 1, level: 1, start: 0, end: RISKS_AFTER.length },
        { part: 'heading', position: 2, level: 2, heading: 'Rates of exchange move.' },
        { part: 'table', document_id: `${AFTER}-1`, table: 1, rows: 2, columns: 2, first_cell: 'In millions' },
      ]);
    });
  },
  read() {
    it('reads a section from a heading on, by its words or its position', async () => {
      const of = { accession_number: AFTER, section: '1A' };
      const byWords = await agents.ask('read', { ...of, heading: 'rates of exchange' });
      expect(byWords.filed_content).toBe(RISKS_AFTER.slice(RISKS_AFTER.indexOf('Rates')));
      expect(await agents.ask('read', { ...of, heading: 2 })).toMatchObject({ citation: byWords.citation });
      expect((await agents.ask('read', { ...of, heading: 'weather' })).error.message).toContain(
        '1 Item 1A. Risk Factors',
      );
      expect(await verdictsOf(byWords)).toEqual([{ equal: true }]);
    });

    it('reads chunks, which joined are the text', async () => {
      const read = async (chunk: number) => {
        let text = '';
        for await (const page of agents.pages('read', { document_id: `${LONG_FILING}-1`, chunk }))
          text += page.filed_content;
        return text;
      };
      expect((await read(1)) + (await read(2))).toBe(LONG_TEXT);
      expect((await agents.ask('read', { document_id: `${LONG_FILING}-1`, chunk: 3 })).error.code).toBe(
        'passage-missing',
      );
    });

    it('reads the cells of a table with their scale and sign', async () => {
      const table = await agents.ask('read', { document_id: `${AFTER}-1`, table: 1 });
      expect(table).toMatchObject({
        ...{ section: '1A', scale: 6, truncated: false },
        rows: [
          { row: 1, 1: 'In millions', 2: '2023' },
          { row: 2, 1: 'Net sales', 2: '$1,234' },
        ],
      });
      expect(await verdictsOf(table)).toEqual([{ equal: true }]);
    });

    it('reads Markdown, and cites the Markdown', async () => {
      const read = await agents.ask('read', { accession_number: AFTER, section: '1A', format: 'markdown' });
      expect(read.filed_content).toMatch(/^#+ Item 1A\. Risk Factors\n/);
      expect(read.citation.format).toBe('markdown');
      expect(await verdictsOf(read)).toEqual([{ equal: true }]);
      const { format: _, ...plain } = read.citation;
      expect((await agents.ask('verify', { citations: [plain] })).verdicts[0].equal).toBe(false);
    });

    it('reads nothing of a filing that was not there yet', async () => {
      for (const args of [
        { accession_number: AFTER, section: '1A', heading: 1 },
        { document_id: `${AFTER}-1`, table: 1 },
        { document_id: `${LONG_FILING}-1`, chunk: 1 },
      ])
        expect((await agents.ask('read', { ...args, as_of: '2024-03-04' })).error.code).toBe('filing-unknown');
    });
  },
  search_text() {
    it('finds whole words, and shows where they stand', async () => {
      const found = await agents.ask('search_text', { query: 'pandemic' });
      expect(found).toMatchObject({ count: 1, hits: [{ accession_number: AFTER, section: '1A' }] });
      expect(found.hits[0].passages[0].filed_content).toContain('A pandemic closed our plants');
      expect((await agents.ask('search_text', { query: 'pand' })).count).toBe(0);
    });
  },
  facts() {
    it('gives the newest statement of a fact, or all of them', async () => {
      const concepts = { concepts: ['NetIncomeLoss'] };
      const newest = await agents.ask('facts', concepts);
      const all = await agents.ask('facts', { ...concepts, revisions: true });
      expect(all.count).toBeGreaterThanOrEqual(newest.count);
      expect(newest.facts[0]).toMatchObject({ value: expect.any(String), citation: { table: 'xbrl_facts' } });
    });
  },
  statements() {
    it('gives items by fiscal period with their filing', async () => {
      const { values } = await agents.ask('statements', { company: '20' });
      expect(values[0]).toMatchObject({
        fiscal_period: 'FY',
        method: expect.any(String),
        citation: { table: 'fundamentals' },
      });
    });
  },
  ownership() {
    it('gives one row for a transaction of several owners', async () => {
      const { rows } = await agents.ask('ownership', { kind: 'insider', budget: 40_000 });
      const keys = rows.map(({ citation }: Answer) => JSON.stringify(citation.key));
      expect(new Set(keys).size).toBe(keys.length);
    });

    it('wants to know which 13F positions', async () => {
      expect((await agents.ask('ownership', { kind: '13f' })).error.code).toBe('tool-input-invalid');
    });
  },
  events() {
    it('gives 8-K items with their titles', async () => {
      const { events } = await agents.ask('events', { kind: '8-K', company: '66' });
      expect(events[0].items_8k).toEqual(['8.01 Other Events']);
    });
  },
  compare() {
    it('tells what is new and gone, not what moved', async () => {
      const { paragraphs, changes } = await agents.ask('compare', { before: BEFORE, after: AFTER, section: '1A' });
      expect(paragraphs).toEqual({ equal: 4, new: 1, gone: 1 });
      expect(changes.map((one: Answer) => [one.change, one.filed_content])).toEqual([
        ['new', 'A pandemic closed our plants. 🏭'],
        ['gone', 'A lawsuit is pending.'],
      ]);
    });

    it('sets items of two fiscal years side by side, each with its citation', async () => {
      const compared = await agents.ask('compare', { company: '20', items: [], budget: 40_000 });
      expect(compared.fiscal_years.after).toBe(compared.fiscal_years.before + 1);
      const both = compared.changes.find((one: Answer) => one.before !== null && one.after !== null);
      expect(Number(both.change)).toBe(Number(both.after.value) - Number(both.before.value));
      expect((await verdictsOf(compared)).every(({ equal }) => equal)).toBe(true);
      expect((await agents.ask('compare', { items: ['revenue'] })).error.code).toBe('tool-input-invalid');
      const first = await agents.ask('compare', { company: '20', items: [], as_of: '2000-01-01' });
      expect(first).toMatchObject({ changes: [], fiscal_years: null });
    });
  },
  sql() {
    it('answers one statement, and keeps its rows under a name', async () => {
      const kept = await agents.ask('sql', {
        statement: 'SELECT cik, count(*) AS n FROM filings GROUP BY ALL',
        keep_as: 'by_cik',
      });
      expect(kept).toMatchObject({ kept_as: 'kept.by_cik' });
      const { rows } = await agents.ask('sql', { statement: 'SELECT sum(n) AS n FROM kept.by_cik' });
      const { count } = await agents.ask('find_filings');
      expect(Number(rows[0].n)).toBe(count);
      expect((await agents.ask('sql', { statement: 'SELECT 1; SELECT 2' })).error.code).toBe('sql-refused');
    });
  },
  plan_export() {
    it('says that a server without a source starts no exports', async () => {
      const definition = { name: 'x', tables: ['filings'] };
      expect((await agents.ask('plan_export', { definition })).error.code).toBe('exports-unsupported');
    });
  },
  start_export() {
    it('wants a plan and a budget', async () => {
      const world = { ...agents.world, exports: {} as NonNullable<AgentLake['world']['exports']> };
      const { ask } = await import('../../support/agents/agent-lake.ts');
      expect(
        (await ask(world, 'start_export', { definition: { name: 'x', tables: ['filings'] } })).error,
      ).toMatchObject({
        code: 'tool-input-invalid',
        remedy: 'Call plan_export first.',
      });
    });
  },
  verify() {
    it('says of each citation whether its content is the same, and why not', async () => {
      const { citation } = await agents.ask('read', { accession_number: AFTER, section: '1A' });
      const { verdicts } = await agents.ask('verify', {
        citations: [
          citation,
          { ...citation, end: citation.end - 1 },
          { ...citation, end: 99_999 },
          { ...citation, release: 'none' },
        ],
      });
      expect(verdicts).toMatchObject([
        { equal: true },
        { equal: false, why: 'the content differs' },
        { equal: false, why: expect.stringContaining(`${RISKS_AFTER.length} characters`) },
        { equal: false, why: expect.stringContaining('release') },
      ]);
    });
  },
};

for (const [name, tried] of Object.entries(TRIED)) describe(name, tried);

describe('the tools', () => {
  it('are each tried here', () => {
    expect(Object.keys(TRIED)).toEqual(TOOLS.map(({ name }) => name));
  });
});

describe('a release of the lake', () => {
  it('is named by the citations of its version, and holds a server to it', async () => {
    const { LakeSource, LakeTables } = await import('../../../src/agents/index.ts');
    const { ask } = await import('../../support/agents/agent-lake.ts');
    const { bring } = await import('../../support/lake/small-lake.ts');
    const release = await agents.lake.makeRelease({ name: '2024-q1' });
    const tables = new LakeTables(agents.lake, release);
    const world = { ...agents.world, sources: [new LakeSource(tables)], lake: tables };
    await bring(
      agents.lake,
      { batch: 'later', run: 'later' },
      { filings: [{ accession_number: id(7, 25), cik: '1', form_type: '10-K', filing_date: '2025-01-02' }] },
    );
    const then = await ask(world, 'find_filings', { company: '1' });
    const now = await agents.ask('find_filings', { company: '1' });
    expect(now.count).toBe(then.count + 1);
    expect(then.filings[0].citation).toMatchObject({ lake_version: release.version, release: '2024-q1' });
    expect(now.filings[0].citation).not.toHaveProperty('release');
    for (const answer of [then, await ask(world, 'read', { accession_number: AFTER, section: '1A' })])
      expect((await verdictsOf(answer)).every(({ equal }) => equal)).toBe(true);
    const other = { ...then.filings[0].citation, lake_version: release.version + 1 };
    expect((await agents.ask('verify', { citations: [other] })).verdicts[0].why).toContain('is version');
    await tables.close();
  });
});
