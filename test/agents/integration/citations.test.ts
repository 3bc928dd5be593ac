/** A citation is read again, and a wrong one is noticed. */
import { describe, expect, it } from 'vitest';
import { AFTER, type Answer, agentLakeOfFile, BEFORE, LONG_FILING } from '../../support/agents/agent-lake.ts';
import { bring } from '../../support/lake/small-lake.ts';

const agents = agentLakeOfFile();

const verdicts = async (citations: Answer[]) =>
  (await agents.ask('verify', { citations, budget: 40_000 })).rows as { equal: boolean; why?: string }[];

const CALLS: [string, Record<string, unknown>][] = [
  ['find_companies', { name: 'Co' }],
  ['find_companies', { cik: '1', as_of: '2023-06-01' }],
  ['find_filings', {}],
  ['find_filings', { as_of: '2024-03-04T16:05' }],
  ['outline', { accession_number: AFTER }],
  ['read', { accession_number: AFTER, section: '1A' }],
  ['read', { accession_number: AFTER, section: '1A', format: 'markdown' }],
  ['read', { accession_number: AFTER, section: '1A', heading: 2 }],
  ['read', { document_id: `${AFTER}-1`, table: 1 }],
  ['read', { document_id: `${LONG_FILING}-1`, chunk: 2 }],
  ['find_filings', { words: 'harm' }],
  ['compare', { company: '20', items: [] }],
  ['compare', { company: '20', items: [], as_of: '2024-06-01' }],
  ['read', { document_id: `${LONG_FILING}-1`, find: 'report', start: 900 }],
  ['search_text', { query: 'concern' }],
  ['facts', { concepts: ['Assets', 'NetIncomeLoss', 'Revenues'], revisions: true }],
  ['statements', { company: '24', periods: ['FY', 'Q4', 'TTM'] }],
  ['statements', { company: '24', as_of: '2024-01-01' }],
  ['ownership', { kind: 'insider' }],
  ['ownership', { kind: '13f', cusip: '037833100' }],
  ['ownership', { kind: '13dg' }],
  ['events', { kind: '8-K' }],
  ['compare', { before: BEFORE, after: AFTER, section: '1A' }],
  ['sql', { statement: 'SELECT form_type, count(*) AS n FROM filings GROUP BY ALL' }],
];

describe('each citation', () => {
  it.each(CALLS)('of %s(%j) is equal when it is read again', async (name, args) => {
    const answer = await agents.ask(name, { ...args, budget: 20_000 });
    expect(answer.error).toBeUndefined();
    expect(await agents.verdictOf(answer)).toEqual({ equal: true });
    expect(answer.text.match(/sha256/g), 'one citation').toHaveLength(1);
  });

  it('names the filing on EDGAR under a party of it', async () => {
    const { citation } = await agents.ask('read', { accession_number: AFTER, section: '1A' });
    expect(citation.url).toBe(`https://www.sec.gov/Archives/edgar/data/1/000000000124000031/${AFTER}-index.htm`);
  });
});

describe('a citation that is not right', () => {
  it.each([
    ['of other words', { start: 1 }, 'the content differs'],
    ['beyond the text', { end: 10 ** 6 }, 'the text has'],
    ['of another filing', { accession_number: BEFORE }, 'not here'],
    ['of a section that is not there', { section: '9' }, 'not here'],
    ['of another source', { source: 'service' }, 'has no service'],
  ])('%s is not equal', async (_, change, why) => {
    const { citation } = await agents.ask('read', { accession_number: AFTER, section: '1A' });
    const [verdict] = await verdicts([{ ...citation, ...change }]);
    expect(verdict).toMatchObject({ equal: false, why: expect.stringContaining(why) });
  });

  it('of rows of another call, page or version is not equal', async () => {
    const { citation } = await agents.ask('find_filings', { forms: ['10-K'] });
    expect(citation).toMatchObject({ tool: 'find_filings', args: { forms: ['10-K'] }, rows: expect.any(Number) });
    const wrong = [
      { ...citation, args: {} },
      { ...citation, args: { forms: ['10-K'], nonsense: 1 } },
      { ...citation, tool: 'events' },
      { ...citation, tool: 'verify' },
      { ...citation, from: 1 },
      { ...citation, rows: citation.rows - 1 },
      { ...citation, lake_version: 10 ** 6 },
    ];
    expect((await verdicts(wrong)).map(({ equal }) => equal)).toEqual(wrong.map(() => false));
  });

  it('has arguments that are too long for it given with it', async () => {
    const statement = `SELECT 1 AS n WHERE 'x' = 'x'${" AND 'x' = 'x'".repeat(60)}`;
    const { citation, caveats } = await agents.ask('sql', { statement });
    expect(citation.args).toBeNull();
    expect(caveats).toContainEqual(expect.stringContaining('give its arguments'));
    const { lake_version } = citation;
    expect(await verdicts([{ ...citation, args: { statement, lake_version } }])).toEqual([{ equal: true }]);
  });
});

describe('after the lake has changed', () => {
  it('a citation of the old version is equal, and the newest version says what differs', async () => {
    const { citation, rows: facts } = await agents.ask('facts', { concepts: ['Assets'], company: '20' });
    const { accession_number } = facts[0];
    const rows = await agents.lake.query(`SELECT * FROM xbrl_facts WHERE accession_number = '${accession_number}'`);
    const changed = rows.map((row) => ({ ...row, value: '999', value_number: 999 }));
    await bring(agents.lake, { batch: 'later', run: 'later' }, { xbrl_facts: changed as never }, [
      { table: 'xbrl_facts', columns: ['accession_number'], values: [[accession_number]] },
    ]);
    const now = await agents.lake.currentVersion();
    expect(await verdicts([citation, { ...citation, lake_version: now }])).toMatchObject([
      { equal: true },
      { equal: false, why: 'the content differs' },
    ]);
  });
});
