/** `read`: the text of a section, heading, chunk, table or document, as it was filed. */
import { describe, expect, it } from 'vitest';
import { AFTER, agentLakeOfFile, LONG_FILING, LONG_TEXT, RISKS_AFTER } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('read', () => {
  keepsLaws(agents, 'read', {
    args: { accession_number: AFTER, section: '1A' },
    paged: { document_id: `${LONG_FILING}-1` },
    before: 'filing-unknown',
  });

  it('reads a section from a heading on, by its words or its position', async () => {
    const of = { accession_number: AFTER, section: '1A' };
    const byWords = await agents.ask('read', { ...of, heading: 'rates of exchange' });
    expect(byWords.filed_content).toBe(RISKS_AFTER.slice(RISKS_AFTER.indexOf('Rates')));
    expect(await agents.ask('read', { ...of, heading: 2 })).toMatchObject({ citation: byWords.citation });
    expect((await agents.ask('read', { ...of, heading: 'weather' })).error.message).toContain(
      '1 Item 1A. Risk Factors',
    );
    expect(await agents.verdictOf(byWords)).toEqual({ equal: true });
  });

  it('reads chunks, which joined are the text', async () => {
    const text = async (chunk: number) => {
      let joined = '';
      for await (const page of agents.pages('read', { document_id: `${LONG_FILING}-1`, chunk }))
        joined += page.filed_content;
      return joined;
    };
    expect((await text(1)) + (await text(2))).toBe(LONG_TEXT);
    expect((await agents.ask('read', { document_id: `${LONG_FILING}-1`, chunk: 3 })).error.code).toBe(
      'passage-missing',
    );
  });

  it('reads the cells of a table with their scale and sign', async () => {
    const table = await agents.ask('read', { document_id: `${AFTER}-1`, table: 1 });
    expect(table).toMatchObject({
      section: '1A',
      scale: 6,
      truncated: false,
      rows: [
        { row: 1, 1: 'In millions', 2: '2023' },
        { row: 2, 1: 'Net sales', 2: '$1,234' },
      ],
    });
    expect(await agents.verdictOf(table)).toEqual({ equal: true });
  });

  it('reads Markdown, and cites the Markdown', async () => {
    const read = await agents.ask('read', { accession_number: AFTER, section: '1A', format: 'markdown' });
    expect(read.filed_content).toMatch(/^#+ Item 1A\. Risk Factors\n/);
    expect(read.citation.format).toBe('markdown');
    expect(await agents.verdictOf(read)).toEqual({ equal: true });
    const { format: _, ...plain } = read.citation;
    expect((await agents.ask('verify', { citations: [plain] })).rows[0].equal).toBe(false);
  });

  it('begins at the first place of words, or at a position', async () => {
    const document = { document_id: `${LONG_FILING}-1` };
    const found = await agents.ask('read', { ...document, find: '"line 17 of"' });
    expect(found.filed_content).toMatch(/^Line 17 of the report/);
    const { citation, filed_content } = await agents.ask('read', { ...document, start: 100, end: 160 });
    expect(filed_content).toBe(LONG_TEXT.slice(citation.start, citation.end));
    expect(citation).toMatchObject({ start: 100, end: 160 });
    const { error } = await agents.ask('read', { ...document, find: 'weather' });
    expect(error).toMatchObject({ code: 'passage-missing', remedy: expect.stringContaining('search_text') });
  });

  it('says which sections a filing has, and what goes together', async () => {
    expect((await agents.ask('read', { accession_number: AFTER, section: '99' })).error.message).toContain(
      'sections: 1A',
    );
    for (const [args, words] of [
      [{}, 'needs accession_number'],
      [{ document_id: `${AFTER}-1`, section: '1A' }, 'without section'],
      [{ accession_number: AFTER, table: 1 }, '`table` needs `document_id`'],
      [{ accession_number: AFTER, section: '1A', chunk: 1 }, 'chunk goes with document_id'],
      [{ document_id: `${LONG_FILING}-1`, heading: 1 }, 'heading goes with section'],
      [{ accession_number: AFTER, section: '1A', heading: 1, format: 'markdown' }, 'without format'],
    ] as const)
      expect((await agents.ask('read', args)).error, JSON.stringify(args)).toMatchObject({
        code: 'tool-input-invalid',
        message: expect.stringContaining(words),
      });
  });

  it('reads nothing of a filing that was not there yet', async () => {
    for (const args of [
      { accession_number: AFTER, section: '1A', heading: 1 },
      { document_id: `${AFTER}-1`, table: 1 },
      { document_id: `${LONG_FILING}-1`, chunk: 1 },
    ])
      expect((await agents.ask('read', { ...args, as_of: '2024-03-04' })).error.code).toBe('filing-unknown');
  });
});
