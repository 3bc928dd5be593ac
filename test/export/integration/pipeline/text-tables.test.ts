/** Tables and texts that an export makes of sections and documents: made once, replaced with a changed filing, none lost or doubled. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FilingClient } from '../../../../src/export/client/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { clientOf, closeSound } from '../../../support/pipeline/activity-harness.ts';
import { formFiling } from '../../../support/pipeline/form-service.ts';
import { definitionOf, LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';

const WORDS = 'We make widgets of every size, and our results may suffer if customers or their banks fail to pay us. ';
const risk = (title: string) => `<p><b>${title}</b></p><p>${WORDS}</p>`;
const TABLE =
  '<p>(in thousands)</p><table><tr><td></td><td>2024</td><td>2023</td></tr><tr><td>Sales</td><td>$</td><td>1,234</td><td>(56</td><td>)</td></tr></table>';
const report = (...risks: string[]) =>
  `<html><body><p>FORM 10-K</p><p>Item 1. Business</p><p>${WORDS}</p>${TABLE}<p>Item 1A. Risk Factors</p>${risks.map(risk).join('')}<p>Item 2. Properties</p><p>None.</p></body></html>`;

const filing = (acceptance_datetime = '2024-03-01T10:00:00') =>
  formFiling(1, '10-K', [{ name: 'd.htm', type: '10-K', content: '' }], { acceptance_datetime });

describe('an export of what is made of texts', () => {
  let runs: LakeOfRuns;
  beforeEach(async () => {
    runs = new LakeOfRuns(await openLake(temporaryFolder(), { create: true }));
  });
  afterEach(() => closeSound(runs.lake));

  /** Exports the filing, and gives the names of the requests. */
  async function run(
    definition: ReturnType<typeof definitionOf>,
    {
      risks = ['Widgets may break.', 'Banks may fail.'],
      accepted,
      sales = '1,234',
    }: { risks?: string[]; accepted?: string; sales?: string } = {},
  ): Promise<string[]> {
    const asked: string[] = [];
    const content = report(...risks).replace('1,234', sales);
    const document = () => {
      asked.push('document');
      return content;
    };
    const filingSections = async () => {
      asked.push('sections');
      const html = `<p>Item 1A. Risk Factors</p>${risks.map(risk).join('')}`;
      const one = { section: '1A', title: 'Risk Factors', heading: 'Item 1A. Risk Factors', html };
      const two = {
        section: '1',
        title: 'Business',
        heading: 'Item 1. Business',
        html: `<p>Item 1. Business</p><p>${WORDS}</p>`,
      };
      return { value: { accession_number: filing().accession_number, sections: [two, one] } };
    };
    const planned = await runs.lookUp(definition, { records: [filing(accepted)] });
    await runs.fetch(planned, { ...clientOf({ document }), filingSections } as unknown as FilingClient);
    return asked;
  }

  const risks = async () =>
    (await runs.rows('SELECT heading FROM risk_factors ORDER BY position')).map((row) => row.heading);

  it('writes headings and risks beside the texts that they are placed in, with one request', async () => {
    expect(await run(definitionOf('section_headings, risk_factors'))).toEqual(['sections']);
    expect(
      await runs.rows('SELECT section, level, parent, heading FROM section_headings ORDER BY section, position'),
    ).toEqual([
      { section: '1', level: 1, parent: null, heading: 'Item 1. Business' },
      { section: '1A', level: 1, parent: null, heading: 'Item 1A. Risk Factors' },
      { section: '1A', level: 2, parent: 1, heading: 'Widgets may break.' },
      { section: '1A', level: 2, parent: 1, heading: 'Banks may fail.' },
    ]);
    expect(
      await runs.rows(
        `SELECT r.text = trim(substring(c.text, (r.start_index + 1)::BIGINT, (r.end_index - r.start_index)::BIGINT), chr(10) || ' ') AS same, r.heading
         FROM risk_factors r JOIN section_contents c USING (accession_number, section) ORDER BY position`,
      ),
    ).toEqual([
      { same: true, heading: 'Widgets may break.' },
      { same: true, heading: 'Banks may fail.' },
    ]);
    expect(await run(definitionOf('risk_factors'))).toEqual([]);
  });

  it('requests sections again for a table that the lake lacks, and replaces all of them with a changed filing', async () => {
    expect(await run(definitionOf('section_contents'))).toEqual(['sections']);
    expect(await risks()).toEqual([]);
    expect(await run(definitionOf('risk_factors'))).toEqual(['sections']);
    expect(await risks()).toEqual(['Widgets may break.', 'Banks may fail.']);
    expect(await run(definitionOf('section_contents'))).toEqual([]);
    const changed = { risks: ['Rules may change.'], accepted: '2024-03-02T10:00:00' };
    expect(await run(definitionOf('section_contents'), changed)).toEqual(['sections']);
    expect(await risks()).toEqual(['Rules may change.']);
  });

  it('keeps the headings and risks of chosen sections only', async () => {
    await run(definitionOf('section_headings, risk_factors', 'sections: { codes: ["1"] }'));
    expect(await runs.rows('SELECT DISTINCT section FROM section_headings')).toEqual([{ section: '1' }]);
    expect(await risks()).toEqual([]);
  });

  it('writes the outline of a document, with places in its content', async () => {
    expect(await run(definitionOf('document_headings'))).toEqual(['document']);
    expect(
      await runs.rows(
        `SELECT position, level, parent, heading, substring(content, (start_index + 1)::BIGINT, length(heading)) = heading AS same
         FROM document_headings JOIN document_contents USING (document_id) WHERE heading LIKE '%Risk%' OR heading LIKE 'Banks%' ORDER BY position`,
      ),
    ).toEqual([
      { position: 3, level: 1, parent: null, heading: 'Item 1A. Risk Factors', same: true },
      { position: 5, level: 2, parent: 3, heading: 'Banks may fail.', same: true },
    ]);
    expect(await run(definitionOf('document_headings'))).toEqual([]);
    expect(await run(definitionOf('document_headings, document_tables'))).toEqual(['document']);
    expect(await runs.rows('SELECT count(*)::INTEGER AS n FROM document_headings')).toEqual([{ n: 6 }]);
  });

  it('writes chunks that are the text, and cells of tables with their numbers', async () => {
    expect(await run(definitionOf('chunks, document_tables'))).toEqual(['document']);
    expect(
      await runs.rows(
        `SELECT string_agg(c.text, '' ORDER BY position) = any_value(d.text) AS same, count(*) > 3 AS several,
           min(c.section) FILTER (WHERE c.text LIKE '%Banks may fail.%') AS section FROM chunks c JOIN document_contents d USING (document_id)`,
      ),
    ).toEqual([{ same: true, several: true, section: '1A' }]);
    expect(
      await runs.rows(
        'SELECT section, row_number, text, number::VARCHAR AS number, unit, scale FROM document_tables WHERE row_number = 2 ORDER BY column_number',
      ),
    ).toEqual([
      { section: '1', row_number: 2, text: 'Sales', number: null, unit: null, scale: 3 },
      { section: '1', row_number: 2, text: '$1,234', number: '1234.000000000000', unit: '$', scale: 3 },
      { section: '1', row_number: 2, text: '(56)', number: '-56.000000000000', unit: null, scale: 3 },
    ]);
    expect(await run(definitionOf('document_contents'))).toEqual([]);
    const corrected = { accepted: '2024-03-02T10:00:00', sales: '5,678' };
    expect(await run(definitionOf('document_contents'), corrected)).toEqual(['document']);
    expect(await runs.rows("SELECT text FROM document_tables WHERE text LIKE '$%'")).toEqual([{ text: '$5,678' }]);
    expect(await runs.rows("SELECT count(*)::INTEGER AS n FROM chunks WHERE text LIKE '%5,678%'")).toEqual([{ n: 1 }]);
  });

  it('writes texts as Markdown, and as plain text again if that is asked for', async () => {
    const text = async () =>
      (await runs.rows("SELECT text FROM section_contents WHERE section = '1A'"))[0]!.text as string;
    const markdown = definitionOf('section_contents, risk_factors', 'text_format: markdown');
    expect(await run(markdown)).toEqual(['sections']);
    expect(await text()).toMatch(/^# Item 1A\. Risk Factors\n\n## Widgets may break\.\n\nWe make/);
    expect((await runs.rows('SELECT text FROM risk_factors ORDER BY position'))[1]!.text).toMatch(/^## Banks may fail/);
    expect(await run(markdown)).toEqual([]);
    expect(await run(definitionOf('section_contents'))).toEqual(['sections']);
    expect(await text()).toMatch(/^Item 1A\. Risk Factors\n\nWidgets may break\.\n\nWe make/);
    expect(await risks()).toHaveLength(2);
    expect(await run(definitionOf('section_contents'))).toEqual([]);
  });
});
