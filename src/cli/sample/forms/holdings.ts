/** 13F-HR: the cover and the information table, XML. */
import { americanDay, dayOf } from '../companies/calendar.ts';
import type { PlannedFiling, Submission } from '../companies/filing.ts';
import { Random } from '../companies/random.ts';
import { INDUSTRIES, NAME_ENDS, NAME_STARTS } from '../companies/words.ts';
import { Draft } from './draft.ts';
import { escapeXml } from './page.ts';

/** Values are in dollars since 2023, in thousands of dollars before. */
const DOLLARS_SINCE = dayOf(2023, 1, 3);

type Holding = ReturnType<typeof portfolio>[number];

export function holdingsReport(plan: PlannedFiling): Submission {
  const draft = new Draft(plan);
  const r = draft.random('holdings');
  const holdings = portfolio(plan);
  draft.text(plan.form, 'primary_doc.xml', coverXml(plan, holdings), { wrapper: 'XML' });
  const table = tableXml(holdings, r.chance(0.5) ? 'ns1:' : '');
  draft.text('INFORMATION TABLE', 'infotable.xml', table, { wrapper: 'XML' });
  return draft.submission();
}

/** The manager's positions: the same names from quarter to quarter, other numbers. */
function portfolio({ company, filed, ordinal }: PlannedFiling) {
  const { seed, id } = company;
  const unit = filed >= DOLLARS_SINCE ? 1 : 1000;
  return Array.from({ length: new Random(seed, 'portfolio', id).int(12, 60) }, (_, i) => {
    const one = new Random(seed, 'position', id, i);
    const now = new Random(seed, 'position now', id, i, ordinal);
    const shares = Math.round(Math.exp(one.between(6, 14)) * now.between(0.8, 1.2));
    const trade = one.pick(one.pick(INDUSTRIES).nameWords.split(', '));
    return {
      name: `${one.pick(NAME_STARTS)}${one.pick(NAME_ENDS)} ${trade} ${one.pick(['CORP', 'INC', 'LTD'])}`.toUpperCase(),
      title: one.mix('COM:8, CL A:2, SPONSORED ADR:1'),
      cusip: `${one.symbols('0123456789', 6)}${one.symbols('0123456789ABCDEFGH', 2)}${one.int(0, 9)}`,
      value: Math.round((shares * one.between(4, 300) * now.between(0.8, 1.25)) / unit),
      shares,
    };
  });
}

function coverXml({ company, form, period, filed }: PlannedFiling, holdings: readonly Holding[]): string {
  const day = americanDay(period!);
  const { street1, city, state, zip } = company.address;
  const signer = `Officer 1 of ${escapeXml(company.name)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler" xmlns:com="http://www.sec.gov/edgar/common">
  <schemaVersion>X0202</schemaVersion>
  <headerData><submissionType>${form}</submissionType><filerInfo><liveTestFlag>LIVE</liveTestFlag>
    <filer><credentials><cik>${company.cik.padStart(10, '0')}</cik><ccc>XXXXXXXX</ccc></credentials></filer>
    <periodOfReport>${day}</periodOfReport></filerInfo></headerData>
  <formData>
    <coverPage>
      <reportCalendarOrQuarter>${day}</reportCalendarOrQuarter>
      <isAmendment>${form.endsWith('/A')}</isAmendment>
      <filingManager><name>${escapeXml(company.name)}</name>
        <address><com:street1>${street1}</com:street1><com:city>${city}</com:city><com:stateOrCountry>${state}</com:stateOrCountry><com:zipCode>${zip}</com:zipCode></address></filingManager>
      <reportType>13F HOLDINGS REPORT</reportType>
      <form13FFileNumber>${company.fileNumber}</form13FFileNumber>
      <provideInfoForInstruction5>N</provideInfoForInstruction5>
    </coverPage>
    <signatureBlock><name>${signer}</name><title>Chief Compliance Officer</title><phone>${company.phone}</phone><signature>/s/ ${signer}</signature>
      <city>${city}</city><stateOrCountry>${state}</stateOrCountry><signatureDate>${americanDay(filed)}</signatureDate></signatureBlock>
    <summaryPage><otherIncludedManagersCount>0</otherIncludedManagersCount><tableEntryTotal>${holdings.length}</tableEntryTotal>
      <tableValueTotal>${holdings.reduce((sum, h) => sum + h.value, 0)}</tableValueTotal></summaryPage>
  </formData>
</edgarSubmission>
`;
}

/** @param p the prefix of its names */
function tableXml(holdings: readonly Holding[], p: string): string {
  const rows = holdings.map(
    (h) => `  <${p}infoTable>
    <${p}nameOfIssuer>${escapeXml(h.name)}</${p}nameOfIssuer>
    <${p}titleOfClass>${h.title}</${p}titleOfClass><${p}cusip>${h.cusip}</${p}cusip><${p}value>${h.value}</${p}value>
    <${p}shrsOrPrnAmt><${p}sshPrnamt>${h.shares}</${p}sshPrnamt><${p}sshPrnamtType>SH</${p}sshPrnamtType></${p}shrsOrPrnAmt>
    <${p}investmentDiscretion>SOLE</${p}investmentDiscretion>
    <${p}votingAuthority><${p}Sole>${h.shares}</${p}Sole><${p}Shared>0</${p}Shared><${p}None>0</${p}None></${p}votingAuthority>
  </${p}infoTable>
`,
  );
  const name = p === '' ? 'xmlns' : 'xmlns:ns1';
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${p}informationTable ${name}="http://www.sec.gov/edgar/document/thirteenf/informationtable">\n${rows.join('')}</${p}informationTable>\n`;
}
