/** Real EDGAR files all the way into a lake, compared with an independent reading of them. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { FORM_TABLES } from '../../../src/lake/tables/index.ts';
import { codeBlocks, readMarkdown } from '../../project/unit/docs/markdown-files.ts';
import { truthsOfCatalog } from '../../support/edgar/real-files.ts';
import { sharedFolder } from '../../support/shared.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, type Road, runCommand } from '../../support/test-stack.ts';

describe.skipIf(!sharedFolder || !temporalExecutable)('real filings in a lake', () => {
  let road: Road;
  let lake: Lake;
  const truths = truthsOfCatalog();

  beforeAll(async () => {
    const edgar = join(sharedFolder!, 'edgar');
    road = await buildRoad(edgar);
    const folder = join(road.folder, 'lake');
    const file = road.definition(
      'real',
      'documents: { types: [all], graphics: true, annual_report: true, text: true }',
    );
    const command = runCommand(['export', file, '--lake', folder, '--json'], {
      FILINGLAKE_HOME: road.home,
      FILINGLAKE_API_KEY: road.createKey('unlimited'),
    });
    expect(await command.ended, command.stderr()).toBe(0);
    lake = await openLake(folder);
  });
  afterAll(async () => {
    await lake.close();
    await road.stop();
  });

  it('are as many as there are accession numbers in the files', async () => {
    const rows = await lake.query(
      `SELECT accession_number, form_type, filing_date::VARCHAR AS filed, acceptance_datetime::VARCHAR AS accepted
       FROM filings ORDER BY 1`,
    );
    const expected = truths.map(({ accession_number, form_type, filing_date: d, acceptance_datetime: t }) => ({
      accession_number,
      form_type,
      filed: `${d.slice(0, 4)}-${d.slice(4, 6)}-${d.slice(6)}`,
      accepted: t?.replace(/\D/g, '').replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3 $4:$5:$6') ?? null,
    }));
    expect(rows).toEqual(expected.sort((a, b) => (a.accession_number < b.accession_number ? -1 : 1)));
    expect(rows).toHaveLength(235);
  });

  it('have every document, each with the size and SHA-256 of its bytes', async () => {
    const rows = await lake.query(
      `SELECT d.document_id, d.type, d.filename, d.description, d.size::INTEGER AS listed, c.size::INTEGER AS size, c.sha256
       FROM documents d JOIN document_contents c USING (document_id)`,
    );
    const found = new Map(rows.map((row) => [row.document_id, row]));
    const expected = truths.flatMap(({ accession_number, documents }) =>
      documents.map(({ sequence, type, filename, description, size, sha256, inner_size, inner_sha256 }) => ({
        document_id: `${accession_number}-${sequence}`,
        type,
        filename,
        description,
        listed: inner_size ?? size,
        size: inner_size ?? size,
        sha256: inner_sha256 ?? sha256,
      })),
    );
    expect(rows).toHaveLength(expected.length);
    for (const document of expected) expect(found.get(document.document_id)).toEqual(document);
  });

  it('hold the exact bytes: text as it was decoded, binaries to the byte', async () => {
    const [row] = await lake.query(
      `SELECT count(*)::INTEGER AS n FROM document_contents
       WHERE encoding = 'base64' AND (octet_length(bytes) <> size OR sha256(bytes) <> sha256)`,
    );
    expect(row).toEqual({ n: 0 });
    const [text] = await lake.query(
      `SELECT count(*)::INTEGER AS n FROM document_contents WHERE encoding = 'utf-8' AND sha256(content) <> sha256`,
    );
    expect(text).toEqual({ n: 0 });
  });

  it('have the text of each section that filing_info lists, and no other', async () => {
    const [sections] = await lake.query('SELECT count(*)::INTEGER AS n FROM sections');
    expect(sections!.n).toBeGreaterThan(200);
    const wrong = await lake.query(
      `SELECT accession_number, section FROM sections s FULL JOIN section_contents c USING (accession_number, section)
       WHERE s.section IS NULL OR coalesce(trim(c.html), '') = ''`,
    );
    expect(wrong).toEqual([]);
  });

  it('have their parties in the order of the header, repeats included', async () => {
    const rows = await lake.query(
      'SELECT accession_number, role, cik FROM parties ORDER BY accession_number, position',
    );
    const found = new Map<string, string[]>();
    for (const { accession_number, role, cik } of rows) {
      found.set(String(accession_number), [...(found.get(String(accession_number)) ?? []), `${role} ${cik}`]);
    }
    for (const { accession_number, ciks } of truths) {
      const expected = ciks.map(({ cik, role }) => `${role.toLowerCase().replaceAll('-', '_')} ${Number(cik)}`);
      expect([accession_number, found.get(accession_number) ?? []]).toEqual([accession_number, expected]);
    }
  });

  it('answer the recipes of docs/recipes.md', async () => {
    const recipes = new Map(
      codeBlocks(readMarkdown('docs/recipes.md'), 'sql').map(({ heading, code }) => [heading, code]),
    );
    const answers = new Map<string, Record<string, unknown>[]>();
    // This export has no tables of forms: test/project/unit/docs/recipes.test.ts answers the recipes over them.
    const ofForms = [
      ...FORM_TABLES,
      'f13_positions',
      'annual_facts',
      'fundamentals',
      'fundamentals_of',
      'fundamentals_as_of',
    ];
    const needsForms = (sql: string) => new RegExp(`\\b(?:FROM|JOIN)\\s+(?:${ofForms.join('|')})\\b`).test(sql);
    for (const [heading, sql] of recipes) if (!needsForms(sql)) answers.set(heading, await lake.query(sql));
    expect([...recipes.keys()].filter((heading) => !answers.has(heading))).toEqual([
      'Insider trades on the market',
      'Trades by person and day',
      'Who holds a security',
      'Positions of a manager',
      'What managers bought and sold',
      'Financial values by year',
      'Revenue as first reported and as revised',
      'A panel for a regression',
      'Restatements',
      'Growth by sector',
      'Point in time against latest',
      'Pay of the chief executive',
      'Money raised by state and month',
    ]);
    const [items] = await lake.query('SELECT count(*)::INTEGER AS n FROM items_8k');
    const byMonth = answers.get('8-K items by month')!.map(({ filings }) => Number(filings));
    expect(byMonth.reduce((sum, n) => sum + n, 0)).toBe(items!.n);
    expect(answers.get('What changed since yesterday')).toHaveLength(truths.length);
    expect(answers.get('Who reports on which company')!.length).toBeGreaterThan(5);
    // Reports of 1993 to 2000 whose Item 7 only names the annual report, and reports that have it themselves: one panel without a jump.
    const discussions = answers.get('Length of MD&A by company and year')!.filter(({ is_missing }) => !is_missing);
    const bySource = (source: string) =>
      discussions
        .filter((row) => row.source === source)
        .map(({ cik, header_fiscal_year }) => [cik, Number(header_fiscal_year)]);
    expect(bySource('exhibit')).toEqual([
      ['104938', 1993],
      ['51143', 1997],
      ['64978', 1995],
    ]);
    expect(bySource('item')).toEqual(
      expect.arrayContaining([
        ['320193', 1994],
        ['320193', 1995],
        ['320193', 2000],
        ['37996', 1993],
        ['876134', 2009],
      ]),
    );
    const stubs = discussions.filter(({ cik, characters }) => Number(characters) < 3_000 && cik !== '1779026');
    expect(stubs).toEqual([]);
    const releases = answers.get('Press releases of a sector')!.map(({ document_id }) => document_id);
    expect(releases).toContain('0000796343-23-000044-2');
  });
});
