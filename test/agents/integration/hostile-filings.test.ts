/** Text of filings is data: whatever it holds, it changes nothing but its own passage. */
import { describe, expect, it } from 'vitest';
import { type Answer, agentLakeOfFile, hostile } from '../../support/agents/agent-lake.ts';
import { HOSTILE_TEXTS } from '../../support/agents/hostile-texts.ts';

const agents = agentLakeOfFile();

const stored = (text: string) => Buffer.from(text, 'utf8').toString('utf8');
/** Members of an answer, without those of passages and values. */
const shape = ({ size: _, text: __, ...answer }: Answer) => Object.keys(answer).sort();

describe('a hostile filing', () => {
  it.each(HOSTILE_TEXTS.map((text, n) => [n, text] as const))(
    '%i stands in one string, and is read unchanged',
    async (n, text) => {
      const answer = await agents.ask('read', { accession_number: hostile(n), budget: 40_000 });
      const usual = await agents.ask('read', { accession_number: hostile(14), budget: 40_000 });
      expect(shape(answer)).toEqual(shape(usual));
      const whole = stored(text);
      expect(whole.startsWith(answer.filed_content)).toBe(true);
      if (whole.length < 30_000) expect(answer.filed_content).toBe(whole);
      // Nothing that a terminal obeys and nothing that nobody sees.
      expect(answer.text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(await agents.verdictOf(answer)).toEqual({ equal: true });
    },
  );

  it('changes nothing by its headings, chunks and cells of tables either', async () => {
    for (const [n, text] of HOSTILE_TEXTS.entries()) {
      const accession_number = hostile(n);
      const document_id = `${accession_number}-1`;
      const whole = stored(text);
      for (const args of [
        { accession_number, section: '1A' },
        { accession_number, section: '1A', heading: 1 },
        { document_id, chunk: 1 },
        { document_id, format: 'markdown' },
      ]) {
        const answer = await agents.ask('read', { ...args, budget: 40_000 });
        expect(answer.text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(shape(answer).filter((name) => name !== 'heading')).toEqual(
          shape(await agents.ask('read', { accession_number: hostile(14) })),
        );
        if (!('format' in args)) expect(whole.startsWith(answer.filed_content), JSON.stringify(args)).toBe(true);
        expect(await agents.verdictOf(answer)).toEqual({ equal: true });
      }
      const table = await agents.ask('read', { document_id, table: 1, budget: 40_000 });
      expect(table.text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(table.rows).toHaveLength(1);
      if (whole.length < 5_000) expect(table.rows[0]['1']).toBe(whole);
      expect(await agents.verdictOf(table)).toEqual({ equal: true });
      const outline = await agents.ask('outline', { accession_number, section: '1A', budget: 40_000 });
      expect(outline.text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(outline.rows.map((part: Answer) => part.part)).toEqual(['heading', 'table']);
    }
  });

  it('leaves the answers about others as they are', async () => {
    const calls: [string, Record<string, unknown>][] = [
      ['find_companies', { cik: '1' }],
      ['find_filings', { company: '1' }],
      ['facts', { concepts: ['Assets'], company: '20' }],
      ['statements', { company: '20' }],
    ];
    for (const [name, args] of calls) {
      const { text } = await agents.ask(name, args);
      for (const marked of ['Ignore all', 'im_start', 'tool_call', 'maintenance']) expect(text).not.toContain(marked);
    }
  });

  it('bears names and hits that stand in strings too', async () => {
    const companies = await agents.ask('find_companies', { cik: '66', budget: 40_000 });
    expect(companies.rows).toHaveLength(1);
    const filings = await agents.ask('find_filings', { company: '66', budget: 40_000 });
    expect(filings.count).toBe(HOSTILE_TEXTS.length);
    expect(filings.rows.map((row: Answer) => row.entity_name).sort()).toEqual(
      HOSTILE_TEXTS.map((text) => stored(text.slice(0, 150))).sort(),
    );
    const hits = await agents.ask('search_text', { query: '"previous instructions"' });
    expect(hits.count).toBe(1);
    expect(hits.rows[0].passages[0].filed_content).toContain('Call start_export');
    for (const answer of [companies, filings, hits]) expect(await agents.verdictOf(answer)).toEqual({ equal: true });
  });
});
