/** Views that measure and compare the texts of sections. */
import { describe, expect, it } from 'vitest';
import { FormDatabase } from '../../../support/forms/form-database.ts';

type Report = [accession: string, cik: string, form: string, day: string, text: string];

async function reports(...list: Report[]) {
  const database = await FormDatabase.create();
  await database.insert(
    'filings',
    list.map(([accession_number, cik, form_type, report_date]) => ({
      accession_number,
      cik,
      form_type,
      report_date,
      filing_date: report_date,
    })),
  );
  await database.insert(
    'section_contents',
    list.map(([accession_number, , , , text]) => ({ accession_number, section: '1A', title: 'Risk Factors', text })),
  );
  return database;
}

const BEFORE = 'Risk Factors\n\nWe may lose customers. Widgets could break considerably.\n\nBanks may fail.';
const NOW =
  'Risk Factors\n\nWe may   lose customers. Widgets could break considerably.\n\nSales\t$12\t13\n\nOur plants are in Example Inc. buildings. Rules may change.';

describe('views of texts', () => {
  it('section_sentences: prose, with a wide gap too, without headings and rows; abbreviations end none', async () => {
    const rows = `\n21   List of our plants.\nThe plan   as amended   is filed.`;
    const database = await reports(['a', '1', '10-K', '2023-12-31', NOW + rows]);
    expect(await database.rows('SELECT position, sentence FROM section_sentences ORDER BY position')).toEqual([
      [1, 'We may   lose customers.'],
      [2, 'Widgets could break considerably.'],
      [3, 'Our plants are in Example Inc buildings.'],
      [4, 'Rules may change.'],
    ]);
  });

  it('section_years: the same section of the same form a year before, not an amendment, a quarter or another company', async () => {
    const database = await reports(
      ['a', '1', '10-K', '2023-12-31', NOW],
      ['b', '1', '10-K405', '2022-12-31', BEFORE],
      ['c', '1', '10-K/A', '2022-12-31', BEFORE],
      ['d', '1', '10-Q', '2022-12-31', BEFORE],
      ['e', '2', '10-K', '2022-12-31', BEFORE],
      ['f', '1', '10-K', '2020-12-31', BEFORE],
    );
    expect(
      await database.rows('SELECT accession_number, before_accession_number FROM section_years ORDER BY 1'),
    ).toEqual([
      ['a', 'b'],
      ['b', null],
      ['d', null],
      ['e', null],
      ['f', null],
    ]);
  });

  it('section_measures: counts of one text, and likeness to the year before; a row for each text, an empty one too', async () => {
    const database = await reports(
      ['a', '1', '10-K', '2023-12-31', NOW],
      ['b', '1', '10-K', '2022-12-31', BEFORE],
      ['c', '2', '10-K', '2022-12-31', ''],
      ['d', '3', '10-K', '2023-12-31', BEFORE],
      ['e', '3', '10-K', '2022-12-31', BEFORE],
    );
    const rows = await database.rows(
      `SELECT accession_number, words, sentences, round(fog, 3), round(number_share, 3), longest_prose, before_accession_number,
         round(cosine, 3), new_sentence_share FROM section_measures ORDER BY 1`,
    );
    // 4 sentences of 18 words, two of them long: 0.4 * (18 / 4 + 200 / 18). Words in common: 13 / sqrt(23 * 15).
    expect(rows[0]).toEqual(['a', '21', '4', 6.244, 0.087, '73', 'b', 0.7, 0.5]);
    expect(rows[1]).toEqual(['b', '13', '3', 8.739, 0, '87', null, null, null]);
    expect(rows[2]).toEqual(['c', '0', '0', null, null, '0', null, null, null]);
    expect((rows[3] as unknown[]).slice(-3)).toEqual(['e', 1, 0]);
  });

  it('section_changes: what came and what went, whatever the white space', async () => {
    const database = await reports(['a', '1', '10-K', '2023-12-31', NOW], ['b', '1', '10-K', '2022-12-31', BEFORE]);
    expect(
      await database.rows('SELECT change, position, sentence FROM section_changes ORDER BY change, position'),
    ).toEqual([
      ['added', 3, 'Our plants are in Example Inc buildings.'],
      ['added', 4, 'Rules may change.'],
      ['removed', 3, 'Banks may fail.'],
    ]);
  });

  it('section_changes: not quotes, hyphens or columns of a typewritten page; a number that differs by its point', async () => {
    const before = `We own "Claris" (a wholly owned unit). Sales rose 1.5 percent. Our Books®. We read.\n\n    10.4   the Indenture was filed.`;
    const now = `We own “Claris” (a wholly-owned unit). Sales rose 15 percent. Our Books®. We write.\n\n  10.4  the Indenture was filed.`;
    const database = await reports(['a', '1', '10-K', '2023-12-31', now], ['b', '1', '10-K', '2022-12-31', before]);
    expect(await database.rows('SELECT change, sentence FROM section_changes ORDER BY change, position')).toEqual([
      ['added', 'Sales rose 15 percent.'],
      ['removed', 'Sales rose 1.5 percent.'],
    ]);
  });

  it('section_changes: numbers with other signs and points are other numbers', async () => {
    const pairs = [
      '-5% of|5% of',
      '$(1.5) for|$1.5 for',
      '$.50 for|$50 for',
      '1-2% of|12% of',
      '1/2 of|12 of',
      '1,5 of|15 of',
    ];
    const said = (k: number) => pairs.map((pair) => `We earned ${pair.split('|')[k]} it.`).join(' ');
    const same = ' COVID-19 came in 2020–2021. It cost $ 2.0 million.';
    const again = ' COVID 19 came in 2020-2021. It cost $2.0 million.';
    const database = await reports(
      ['a', '1', '10-K', '2023-12-31', said(0) + same],
      ['b', '1', '10-K', '2022-12-31', said(1) + again],
    );
    expect(await database.rows('SELECT change, count(*)::INT AS n FROM section_changes GROUP BY 1 ORDER BY 1')).toEqual(
      [
        ['added', 6],
        ['removed', 6],
      ],
    );
  });

  it('section_words: joined with a list of words, they count them', async () => {
    const database = await reports(['a', '1', '10-K', '2023-12-31', BEFORE]);
    expect(
      await database.rows(
        "SELECT sum(occurrences) FROM section_words JOIN (VALUES ('lose'), ('fail'), ('litigation')) AS negative(word) USING (word)",
      ),
    ).toEqual([['2']]);
  });
});
