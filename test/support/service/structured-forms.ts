/** Structured forms, for their pages: a Form 4, a schedule, two reports of a manager, a form without tables, one that is broken. */
import type { MadeFiling } from './small-catalog.ts';

export const FORM4 = '0000100011-25-000001';
export const HOLDINGS = ['0000100012-25-000001', '0000100012-25-000002'] as const;
export const SCHEDULE = '0000100012-25-000003';
export const UNMAPPED = '0000100013-25-000001';
export const BROKEN = '0000100013-25-000002';

export const HOSTILE = '&lt;script&gt;alert(1)&lt;/script&gt;';

const value = (name: string, text: string, note = '') =>
  `<${name}><value>${text}</value>${note === '' ? '' : `<footnoteId id="${note}"/>`}</${name}>`;

/** @param title of the security, as XML */
export const form4Xml = (title = 'Common Stock') => `<ownershipDocument><schemaVersion>X0508</schemaVersion>
<documentType>4</documentType><periodOfReport>2025-03-03</periodOfReport>
<issuer><issuerCik>0000100011</issuerCik><issuerName>ACME ${HOSTILE}</issuerName><issuerTradingSymbol>ACME</issuerTradingSymbol></issuer>
<reportingOwner><reportingOwnerId><rptOwnerCik>0000100099</rptOwnerCik><rptOwnerName>Doe Jane</rptOwnerName></reportingOwnerId>
<reportingOwnerAddress><rptOwnerStreet1>1 Main St</rptOwnerStreet1><rptOwnerCity>Reno</rptOwnerCity><rptOwnerState>NV</rptOwnerState><rptOwnerZipCode>89501</rptOwnerZipCode></reportingOwnerAddress>
<reportingOwnerRelationship><isDirector>1</isDirector><isOfficer>1</isOfficer><isTenPercentOwner>0</isTenPercentOwner><officerTitle>CEO</officerTitle></reportingOwnerRelationship></reportingOwner>
<nonDerivativeTable><nonDerivativeTransaction>${value('securityTitle', title)}${value('transactionDate', '2025-03-03')}
<transactionCoding><transactionFormType>4</transactionFormType><transactionCode>S</transactionCode><equitySwapInvolved>0</equitySwapInvolved></transactionCoding>
<transactionAmounts>${value('transactionShares', '12000')}${value('transactionPricePerShare', '151.5', 'F1')}${value('transactionAcquiredDisposedCode', 'D')}</transactionAmounts>
<postTransactionAmounts>${value('sharesOwnedFollowingTransaction', '301097')}</postTransactionAmounts>
<ownershipNature>${value('directOrIndirectOwnership', 'D')}</ownershipNature></nonDerivativeTransaction></nonDerivativeTable>
<footnotes><footnote id="F1">A weighted average price.</footnote></footnotes>
<ownerSignature><signatureName>/s/ Jane Doe</signatureName><signatureDate>2025-03-04</signatureDate></ownerSignature></ownershipDocument>`;

export const holding = (name: string, cusip: string, shares: number, dollars = shares * 10) =>
  `<infoTable><nameOfIssuer>${name}</nameOfIssuer><titleOfClass>COM</titleOfClass><cusip>${cusip}</cusip><value>${dollars}</value><shrsOrPrnAmt><sshPrnamt>${shares}</sshPrnamt><sshPrnamtType>SH</sshPrnamtType></shrsOrPrnAmt><investmentDiscretion>SOLE</investmentDiscretion><votingAuthority><Sole>${shares}</Sole><Shared>0</Shared><None>0</None></votingAuthority></infoTable>`;
export const tableXml = (holdings: readonly string[]) =>
  `<informationTable xmlns="http://www.sec.gov/edgar/document/thirteenf/informationtable">${holdings.join('')}</informationTable>`;
export const coverXml = (quarter: string) =>
  `<edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler"><headerData><submissionType>13F-HR</submissionType></headerData><formData><coverPage><reportCalendarOrQuarter>${quarter}</reportCalendarOrQuarter><filingManager><name>BIG CAPITAL</name></filingManager><reportType>13F HOLDINGS REPORT</reportType></coverPage></formData></edgarSubmission>`;

const scheduleXml = `<edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13g"><headerData><submissionType>SCHEDULE 13G</submissionType></headerData><formData>
<coverPageHeader><securitiesClassTitle>Common Stock</securitiesClassTitle><issuerInfo><issuerCik>0000100011</issuerCik><issuerName>ACME CORP</issuerName><issuerCusip>333333333</issuerCusip></issuerInfo></coverPageHeader>
<coverPageHeaderReportingPersonDetails><reportingPersonName>BIG CAPITAL</reportingPersonName><classPercent>5.123456</classPercent></coverPageHeaderReportingPersonDetails>
<items><item1><issuerName>ACME CORP</issuerName></item1><item3><notApplicableFlag>Y</notApplicableFlag></item3><item4><amountBeneficiallyOwned>10000000</amountBeneficiallyOwned></item4></items></formData></edgarSubmission>`;

const xml = (body: string) => `<XML>\n<?xml version="1.0"?>\n${body}\n</XML>`;
const report = (accession: string, filed: string, period: string, quarter: string, holdings: string[]): MadeFiling => ({
  accession,
  form: '13F-HR',
  filed,
  period,
  cik: '0000100012',
  name: 'BIG CAPITAL',
  documents: [
    { type: '13F-HR', filename: 'primary_doc.xml', body: xml(coverXml(quarter)) },
    { type: 'INFORMATION TABLE', filename: 'table.xml', body: xml(tableXml(holdings)) },
  ],
});

export const STRUCTURED_FORMS: readonly MadeFiling[] = [
  {
    accession: FORM4,
    form: '4',
    filed: '20250304',
    period: '20250303',
    cik: '0000100011',
    name: 'ACME CORP',
    role: 'ISSUER',
    formerName: ['ACME TRADING CO', '20190401'],
    others: [['REPORTING-OWNER', '0000100099', 'DOE JANE']],
    documents: [{ type: '4', filename: 'form4.xml', body: xml(form4Xml()) }],
  },
  report(HOLDINGS[0], '20250214', '20241231', '12-31-2024', [
    holding('KEPT INC', '111111111', 1_000),
    holding('SOLD INC', '222222222', 500),
  ]),
  report(HOLDINGS[1], '20250515', '20250331', '03-31-2025', [
    holding('KEPT INC', '111111111', 700),
    holding('KEPT INC', '111111111', 800),
    holding('NEW INC', '333333333', 90),
  ]),
  {
    accession: SCHEDULE,
    form: 'SCHEDULE 13G',
    filed: '20250516',
    cik: '0000100011',
    name: 'ACME CORP',
    role: 'SUBJECT COMPANY',
    others: [['FILED BY', '0000100012', 'BIG CAPITAL']],
    documents: [{ type: 'SCHEDULE 13G', filename: 'primary_doc.xml', body: xml(scheduleXml) }],
  },
  {
    accession: UNMAPPED,
    form: 'MA-I',
    filed: '20250301',
    cik: '0000100013',
    name: 'ADVISER LLC',
    documents: [
      {
        type: 'MA-I',
        filename: 'primary_doc.xml',
        body: xml(
          `<edgarSubmission><formData><applicantName><firstName>Ann</firstName></applicantName><offices><office><city>Reno</city></office><office><city>${HOSTILE}</city></office></offices></formData></edgarSubmission>`,
        ),
      },
    ],
  },
  {
    accession: BROKEN,
    form: '4',
    filed: '20250302',
    cik: '0000100013',
    name: 'ADVISER LLC',
    documents: [{ type: '4', filename: 'form4.xml', body: xml('<ownershipDocument><issuer>') }],
  },
];
