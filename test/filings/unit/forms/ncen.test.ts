import { describe, expect, it } from 'vitest';
import { mapped, rowsOf, said } from '../../../support/forms/mapped.ts';
import { filingOf } from '../../../support/forms/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

describe('N-CEN', () => {
  const report = (registrant: string, fund = '') =>
    mapped(
      `<edgarSubmission><headerData><submissionType>N-CEN</submissionType></headerData><formData><registrantInfo>${registrant}</registrantInfo><managementInvestmentQuestionSeriesInfo><managementInvestmentQuestion><mgmtInvFundName>A</mgmtInvFundName>${fund}</managementInvestmentQuestion></managementInvestmentQuestionSeriesInfo></formData></edgarSubmission>`,
    );

  it('reads a no from an element, and a yes from the group of its details', () => {
    const no = report('<isClaimFiled>N</isClaimFiled>', '<isForeignSubsidiary>N</isForeignSubsidiary>');
    expect([no.ncen_reports![0]!.has_bond_claim, no.ncen_funds![0]!.has_foreign_subsidiary]).toEqual([false, false]);
    const yes = report(
      '<claimFiled isClaimFiled="Y" totalClaimAmount="5"/>',
      '<foreignInvestments isForeignSubsidiary="Y"/><interFundLendingDetails isInterfundLending="Y"/>',
    );
    expect(yes.ncen_reports![0]!.has_bond_claim).toBe(true);
    expect([yes.ncen_funds![0]!.has_foreign_subsidiary, yes.ncen_funds![0]!.lent_to_funds]).toEqual([true, true]);
    // Details without a column are counted, not lost.
    expect(yes.form_unknown_elements).toMatchObject([
      { path: expect.stringMatching(/@totalClaimAmount$/), example: '5' },
    ]);
  });

  it('numbers providers by kind, and gives no row for N/A', () => {
    const custodian = (name: string) => `<custodian><custodianName>${name}</custodianName></custodian>`;
    const rows = report(
      '',
      `<fundType>N/A</fundType><custodians>${custodian('B')}${custodian('C')}</custodians><admins><admin><adminName>D</adminName><adminCountry>GB</adminCountry></admin></admins><brokers><broker><brokerName>E</brokerName><grossCommission>0.04000000</grossCommission></broker></brokers>`,
    );
    expect(rows.ncen_fund_terms).toBeUndefined();
    expect(rows.ncen_providers!.map(said)).toEqual([
      { fund: 0, kind: 'custodian', position: 0, name: 'B' },
      { fund: 0, kind: 'custodian', position: 1, name: 'C' },
      { fund: 0, kind: 'administrator', position: 0, name: 'D', country: 'GB' },
    ]);
    expect(rows.ncen_brokers!.map(said)).toEqual([
      { fund: 0, kind: 'broker', position: 0, name: 'E', amount: '0.04000000' },
    ]);
    expect([rows.form_problems, rows.form_unknown_elements]).toEqual([undefined, undefined]);
  });

  it.skipIf(sharedFolder === null)('takes everything from the real ones, and every record is a row', () => {
    for (const file of ['0001410368-26-010921.txt', '0001410368-26-010918.txt']) {
      const filing = filingOf(`edgar/full-submissions/${file}`);
      const rows = rowsOf(filing);
      expect([rows.form_problems, rows.form_unknown_elements]).toEqual([undefined, undefined]);
      const xml = filing.documents.find(({ type }) => type === 'N-CEN')!.text();
      const records = (...names: string[]) => xml.match(new RegExp(`<(${names.join('|')})[ >/]`, 'g'))?.length;
      expect([
        rows.ncen_directors!.length,
        rows.ncen_director_files!.length,
        rows.ncen_funds!.length,
        rows.ncen_classes!.length,
        rows.ncen_lending_agents!.length,
        rows.ncen_brokers!.length,
        rows.ncen_credit_users!.length,
        rows.ncen_etfs?.length,
        rows.ncen_authorized_participants?.length,
      ]).toEqual(
        [
          ['director'],
          ['fileNumberInfo'],
          ['managementInvestmentQuestion'],
          ['sharesOutstanding'],
          ['securityLending'],
          ['brokerDealer', 'broker', 'principalTransaction'],
          ['creditUser'],
          ['exchangeTradedFund'],
          ['authorizedParticipant'],
        ].map((names) => records(...names)),
      );
      expect(rows.ncen_providers).toHaveLength(
        records(
          'investmentAdviser',
          'transferAgent',
          'pricingService',
          'custodian',
          'shareholderServicingAgent',
          'admin',
          'liquidityClassificationService',
          'collateralManager',
        )!,
      );
      expect(rows.ncen_providers!.filter(({ name }) => name === null)).toEqual([]);
      // Exact amounts: the sum of the text equals the sum of the rows.
      const filed = [
        ...xml.matchAll(/<(?:grossCommission|brokerDealerCommission|principalTotalPurchaseSale)>([^<]+)/g),
      ];
      expect(rows.ncen_brokers!.map(({ amount }) => amount).sort()).toEqual(filed.map((match) => match[1]).sort());
    }
  });
});
