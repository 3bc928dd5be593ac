/** Single risks of real reports, counted by eye on their pages: all of them, and those under each group that is printed. */
import { describe, expect, it } from 'vitest';
import { findSections, readSections, sectionsHtml } from '../../../../src/filings/documents/index.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';

/** Of each group in its order; a number alone: of a report that prints none. */
const COUNTED: Record<string, number | number[]> = {
  'labelled/alcoa-2015-10k': 28,
  'labelled/amazon-2023-10q': [7, 12, 5],
  'labelled/amazon-2024-10k': [7, 12, 5],
  'labelled/amc-2023-10q': 5,
  'labelled/amd-2023-10k': [10, 20, 7, 2, 3, 4],
  'labelled/amd-2023-10q': [10, 19, 5, 2, 3, 4],
  'labelled/apple-2024-10k': [3, 14, 5, 5, 1],
  'labelled/bearstearns-2005-10k': 16,
  'labelled/boeing-2024-10k': [10, 4, 3, 3, 6],
  'labelled/boeing-2025-10q': 1,
  'labelled/disney-2023-10q': [6],
  'labelled/gamestop-2023-10k': [9, 5, 8, 4, 3, 5, 5],
  'labelled/ko-2024-10k': [11, 7, 3, 8, 5, 2, 6],
  'labelled/meta-2019-10q': [40, 5],
  'labelled/meta-2024-10k': [10, 23, 6, 5, 4],
  'labelled/norfolk-2008-10k': 14,
  'labelled/palantir-2023-10q': [33, 9, 11, 9, 8, 10, 5],
  'labelled/pg-2025-10k': [4, 8, 3, 2],
  'labelled/salesforce-2024-10k': [11, 7, 6, 5, 4, 3],
  'labelled/sandston-2021-10k': [15, 9],
  'labelled/sigmarenopro-2019-10k': [18],
  'labelled/sire-2008-10k': [6, 13, 12, 16, 8, 4],
  'labelled/spatializer-2014-10k': 16,
  'labelled/standardpacific-2011-10k': [6, 10, 4, 4, 2],
  'labelled/tegna-2015-10k': 10,
  'labelled/verizon-2008-10k': 10,
  'labelled/vulcan-2012-10k': [6, 4, 3, 3, 5],
  'labelled/walmart-2010-10k': 12,
  'labelled/walmart-2024-10k': [5, 11, 2, 6],
  'unlabelled/ge-2023-10k': [7, 4, 4, 2],
  'unlabelled/intel-2023-10k': 24,
  'unlabelled/mcdonalds-2023-10k': [6, 8, 4, 7],
  'unlabelled/wellsfargo-2005-10k': 18,
};

describe.skipIf(labels.length === 0)('single risks of 33 reports', () => {
  it('are as many as the pages show in at least 98 of 100, and under their groups in at least 95', {
    timeout: 120_000,
  }, () => {
    let [counted, printed, grouped] = [0, 0, 0];
    for (const [name, sizes] of Object.entries(COUNTED)) {
      const text = filingText(`${name}.htm.gz`);
      const sections = findSections(text, name.endsWith('10q') ? '10-Q' : '10-K');
      const own = sections.filter(({ section }) => /^(?:II-)?1A$/.test(section));
      const [html = ''] = sectionsHtml(text, own);
      const [read] = readSections([{ section: own[0]!.section, html }], { structure: true });
      const { risks } = read!;
      const found: number[] = [];
      for (const [k, { group_heading }] of risks.entries())
        if (k > 0 && group_heading === risks[k - 1]!.group_heading) found[found.length - 1]!++;
        else found.push(1);
      const all = [sizes].flat().reduce((a, b) => a + b);
      if (risks.length === all) counted++;
      if (typeof sizes === 'number')
        expect(new Set(risks.map((one) => one.group_heading)), name).toEqual(new Set([null]));
      else printed++;
      if (found.join() === String(sizes)) grouped += Number(typeof sizes !== 'number');
    }
    expect(counted / Object.keys(COUNTED).length).toBeGreaterThanOrEqual(0.98);
    expect(grouped / printed).toBeGreaterThanOrEqual(0.95);
  });
});
