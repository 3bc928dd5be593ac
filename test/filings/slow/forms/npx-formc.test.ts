/** Forms N-PX and C: made-up documents, and the real ones that are at hand. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mapped, rowsOf, said } from '../../../support/forms/mapped.ts';
import { filingOf } from '../../../support/forms/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

describe('N-PX', () => {
  const primary =
    '<edgarSubmission><headerData><submissionType>N-PX</submissionType></headerData><formData><summaryPage><otherManagers2><investmentManagers><serialNo>1</serialNo><name>Other</name></investmentManagers></otherManagers2></summaryPage></formData></edgarSubmission>';
  const vote = (how: string, shares: string) =>
    `<voteRecord><howVoted>${how}</howVoted><sharesVoted>${shares}</sharesVoted><managementRecommendation>FOR</managementRecommendation></voteRecord>`;
  const matter = (votes: string) =>
    `<inf:proxyTable><inf:issuerName>A</inf:issuerName><inf:meetingDate>08/08/2023</inf:meetingDate><inf:voteCategories><inf:voteCategory><inf:categoryType>DIRECTOR ELECTIONS</inf:categoryType></inf:voteCategory></inf:voteCategories><inf:sharesVoted>10.500000</inf:sharesVoted>${votes.replace(/<(\/?)/g, '<$1inf:')}</inf:proxyTable>`;
  const table = (...matters: string[]) => `<inf:proxyVoteTable xmlns:inf="u">${matters.join('')}</inf:proxyVoteTable>`;
  const filing = { accessionNumber: '0000000000-24-000001', filingDate: '2024-08-30' };

  it('keeps matters without a vote, splits votes, and counts through all tables', () => {
    const split = matter(
      `<vote>${vote('FOR', '6')}${vote('AGAINST', '4.5')}</vote><voteManager><otherManagers><otherManager>1</otherManager></otherManagers></voteManager>`,
    );
    const rows = mapped(
      [primary, table(split, matter('')), table(matter(`<vote>${vote('ABSTAIN', '1')}</vote>`))],
      filing,
    );
    expect(rows.npx_matters!.map(({ position, votes, shares_voted }) => [position, votes, shares_voted])).toEqual([
      [0, 2, '10.500000'],
      [1, 0, '10.500000'],
      [2, 1, '10.500000'],
    ]);
    expect(
      rows.npx_votes!.map(({ matter: of, position, how_voted, shares_voted }) => [
        of,
        position,
        how_voted,
        shares_voted,
      ]),
    ).toEqual([
      [0, 0, 'FOR', '6'],
      [0, 1, 'AGAINST', '4.5'],
      [2, 0, 'ABSTAIN', '1'],
    ]);
    expect(rows.npx_categories).toHaveLength(3);
    expect(said(rows.npx_matter_managers![0])).toEqual({ matter: 0, position: 0, manager: '1' });
    expect(said(rows.npx_managers![0])).toEqual({ position: 0, serial_number: 1, name: 'Other' });
    expect([rows.form_problems, rows.form_unknown_elements]).toEqual([undefined, undefined]);
  });

  it('gives no matter of a damaged table, those of the others, and names it', () => {
    const rows = mapped([primary, table(matter('')).slice(0, -5), table(matter(''))], filing);
    expect(rows.npx_matters!.map((row) => row.position)).toEqual([0]);
    expect(rows.form_problems!.map(({ document, reason }) => [document, reason])).toEqual([['doc2.xml', 'malformed']]);
  });
});

describe('Form C', () => {
  it('has a row for the filing, and one for each jurisdiction', () => {
    const rows = mapped(
      '<edgarSubmission><headerData><submissionType>C</submissionType></headerData><formData><offeringInformation><maximumOfferingAmount>4999999.20</maximumOfferingAmount><deadlineDate>04-29-2024</deadlineDate></offeringInformation><annualReportDisclosureRequirements><netIncomePriorFiscalYear>-5.00</netIncomePriorFiscalYear><issueJurisdictionSecuritiesOffering>AL</issueJurisdictionSecuritiesOffering><issueJurisdictionSecuritiesOffering>AK</issueJurisdictionSecuritiesOffering></annualReportDisclosureRequirements></formData></edgarSubmission>',
    );
    expect(said(rows.formc_offerings![0])).toEqual({
      form_type: 'C',
      maximum_amount: '4999999.20',
      deadline: '2024-04-29',
      net_income_prior: '-5.00',
    });
    expect(rows.formc_jurisdictions!.map(({ position, jurisdiction }) => [position, jurisdiction])).toEqual([
      [0, 'AL'],
      [1, 'AK'],
    ]);
  });
});

const folder = sharedFolder === null ? null : join(sharedFolder, 'edgar/xml');
const files = folder === null || !existsSync(folder) ? [] : globSync(['n-px/*.xml', 'form-c/*.xml'], { cwd: folder });

describe.skipIf(files.length === 0)('real N-PX and C documents', () => {
  it.each(files)('%s is mapped whole: no problem, no unknown element', (file) => {
    const rows = rowsOf(filingOf(`edgar/xml/${file}`));
    expect(Object.keys(rows).length).toBeGreaterThan(0);
    expect([rows.form_problems, rows.form_unknown_elements]).toEqual([undefined, undefined]);
  });
});
