/** `compare`: what is new and gone between two filings, and items of two years. */
import { beforeAll, describe, expect, it } from 'vitest';
import { AFTER, type Answer, agentLakeOfFile, BEFORE, id } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';
import { bring } from '../../../support/lake/small-lake.ts';

const agents = agentLakeOfFile();
const wordsOf = ({ before, after }: Answer) => [before?.filed_content, after?.filed_content];
const risks = (accession_number: string, code: string, lines: readonly string[]) => ({
  accession_number,
  section: code,
  title: null,
  heading: null,
  html: null,
  text: lines.join('\n'),
  kind: 'text',
  document_id: `${accession_number}-1`,
});

describe('compare', () => {
  beforeAll(async () => {
    const lines = (word: string) => Array.from({ length: 60 }, (_, n) => `${word} ${'x'.repeat(n)}`);
    const section_contents = [risks(id(75, 98), '1A', lines('old')), risks(id(76, 99), '1A', lines('new'))];
    const filings = section_contents.map(({ accession_number }) => ({
      accession_number,
      cik: '75',
      form_type: '10-K',
    }));
    await bring(agents.lake, { batch: 'long', run: 'long' }, { filings, section_contents });
  });
  keepsLaws(agents, 'compare', {
    args: { before: BEFORE, after: AFTER, section: '1A' },
    paged: { before: id(75, 98), after: id(76, 99), section: '1A' },
    before: 'filing-unknown',
  });

  it('tells what is new and gone, not what moved', async () => {
    const { paragraphs, rows: changes } = await agents.ask('compare', { before: BEFORE, after: AFTER, section: '1A' });
    expect(paragraphs).toEqual({ equal: 4, changed: 0, new: 1, gone: 1 });
    expect(changes.map((one: Answer) => [one.change, wordsOf(one)])).toEqual([
      ['new', [undefined, 'A pandemic closed our plants. 🏭']],
      ['gone', ['A lawsuit is pending.', undefined]],
    ]);
  });

  it('sets a changed paragraph beside its old words, the likest first, and no other', async () => {
    const [old, now] = [id(73, 98), id(74, 99)];
    const filings = [old, now].map((accession_number, i) => ({
      accession_number,
      cik: '73',
      form_type: '10-K',
      filing_date: `199${8 + i}-12-19`,
      entity_name: 'Changed',
    }));
    const section_contents = [
      risks(old, '1A', [
        'We depend on one supplier of glass in Ohio.',
        'We depend on one supplier of steel.',
        'Rates of exchange move.',
      ]),
      risks(now, '1A', [
        'We depend on two suppliers of steel.',
        'Our customers are few.',
        'We depend on one supplier of glass in Utah.',
      ]),
    ];
    await bring(agents.lake, { batch: 'changed', run: 'changed' }, { filings, section_contents });
    const { paragraphs, rows } = await agents.ask('compare', { before: old, after: now, section: '1A' });
    expect(paragraphs).toEqual({ equal: 0, changed: 2, new: 1, gone: 1 });
    expect(rows.map((one: Answer) => [one.change, ...wordsOf(one)])).toEqual([
      ['changed', 'We depend on one supplier of steel.', 'We depend on two suppliers of steel.'],
      ['new', undefined, 'Our customers are few.'],
      ['changed', 'We depend on one supplier of glass in Ohio.', 'We depend on one supplier of glass in Utah.'],
      ['gone', 'Rates of exchange move.', undefined],
    ]);
  });

  it('takes the two newest filings of a company, as of a moment', async () => {
    const of = { company: '1', section: '1A' };
    expect(await agents.ask('compare', of)).toMatchObject({ before: id(5), after: AFTER });
    expect(await agents.ask('compare', { ...of, as_of: '2024-03-04T16:04:59' })).toMatchObject({
      before: BEFORE,
      after: id(5),
    });
    const { error } = await agents.ask('compare', { ...of, as_of: '2024-03-01' });
    expect(error).toMatchObject({
      code: 'filing-unknown',
      message: expect.stringContaining('no two filings of form 10-K'),
    });
  });

  it('sets items of two fiscal years side by side, with their filings', async () => {
    const compared = await agents.ask('compare', { company: '20', items: [], budget: 40_000 });
    expect(compared.fiscal_years.after).toBe(compared.fiscal_years.before + 1);
    const both = compared.rows.find((one: Answer) => one.before !== null && one.after !== null);
    expect(Number(both.change)).toBe(Number(both.after.value) - Number(both.before.value));
    expect(await agents.verdictOf(compared)).toEqual({ equal: true });
    const first = await agents.ask('compare', { company: '20', items: [], as_of: '2000-01-01' });
    expect(first).toMatchObject({ rows: [], fiscal_years: null });
  });

  it('takes what stands between blank lines of a typewritten text as a paragraph, however it is wrapped', async () => {
    const typed = (a: string, b: string) => `ITEM 7.  DISCUSSION\n\n  ${a}\n\n${b}\n\nSales rose in\nall regions.\n`;
    const [first, second] = [id(70, 95), id(71, 96)];
    const filing = (accession_number: string, filing_date: string) => ({
      accession_number,
      cik: '70',
      form_type: '10-K',
      filing_date,
      entity_name: 'Typed',
    });
    await bring(
      agents.lake,
      { batch: 'typed', run: 'typed' },
      {
        filings: [filing(first, '1995-12-19'), filing(second, '1996-12-19')],
        section_contents: [
          risks(first, '7', [typed('Margins fell\nas prices fell.', 'A plant\nwas closed.')]),
          risks(second, '7', [typed('Margins\nfell as prices fell.', 'Two plants were\nclosed.')]),
        ],
      },
    );
    const compared = await agents.ask('compare', { company: '70', section: '7' });
    expect(compared).toMatchObject({
      before: first,
      after: second,
      filed: { before: '1995-12-19', after: '1996-12-19' },
      paragraphs: { equal: 3, changed: 0, new: 1, gone: 1 },
    });
    expect(compared.rows.map(wordsOf)).toEqual([
      [undefined, 'Two plants were\nclosed.'],
      ['A plant\nwas closed.', undefined],
    ]);
    expect(await agents.verdictOf(compared)).toEqual({ equal: true });
  });

  it('needs no time for a line of blanks that never ends', async () => {
    const number = id(72, 97);
    await bring(
      agents.lake,
      { batch: 'blanks', run: 'blanks' },
      {
        filings: [
          { accession_number: number, cik: '72', form_type: '10-K', filing_date: '1997-12-19', entity_name: 'B' },
        ],
        section_contents: [risks(number, '1', ['a', ' '.repeat(1_000_000), 'b'])],
      },
    );
    const began = process.cpuUsage();
    const { paragraphs } = await agents.ask('compare', { before: number, after: number, section: '1' });
    expect(paragraphs).toEqual({ equal: 2, changed: 0, new: 0, gone: 0 });
    // A search that tries each blank takes minutes.
    expect(process.cpuUsage(began).user).toBeLessThan(20_000_000);
  });

  it('wants a section or items, and what they are of', async () => {
    for (const [args, words] of [
      [{ company: '1' }, 'needs a section, or items'],
      [{ section: '1A' }, 'needs before and after, or a company'],
      [{ items: ['revenue'] }, 'items need a company'],
    ] as const)
      expect((await agents.ask('compare', args)).error, words).toMatchObject({
        code: 'tool-input-invalid',
        message: expect.stringContaining(words),
      });
  });
});
