/** 13F-HR: the cover and information table as XML since 2013, tables of text before. */

import { grouped } from '../amounts.ts';
import { americanDay, dayOf, longDay } from '../calendar.ts';
import type { PlannedFiling, Submission } from '../filing.ts';
import { Random } from '../random.ts';
import { INDUSTRIES } from '../words/industries.ts';
import { NAME_ENDS, NAME_STARTS } from '../words/places.ts';
import { DocumentList } from './document.ts';
import { submissionOf } from './header.ts';
import { escapeXml } from './ownership.ts';

const XML_SINCE = dayOf(2013, 5, 20);
/** Values are in dollars since 2023, in thousands of dollars before. */
const DOLLARS_SINCE = dayOf(2023, 1, 3);

interface Holding {
  name: string;
  title: string;
  cusip: string;
  value: number;
  shares: number;
}

export function holdingsReport(plan: PlannedFiling): Submission {
  const r = new Random(plan.company.seed, 'holdings', plan.company.id, plan.ordinal);
  const holdings = portfolio(plan);
  const list = new DocumentList(plan);
  if (plan.filed >= XML_SINCE) {
    list.text(plan.form, 'primary_doc.xml', coverXml(plan, holdings), { wrapper: 'XML' });
    const name = r.chance(0.5) ? 'infotable.xml' : `form13f_${plan.filed}.xml`;
    list.text('INFORMATION TABLE', name, tableXml(holdings, r.chance(0.5) ? 'ns1:' : ''), { wrapper: 'XML' });
  } else {
    list.text(plan.form, '13f.txt', textReport(plan, holdings), { description: `FORM ${plan.form}` });
  }
  return submissionOf(plan, '34', { documents: list.documents });
}

/** The manager's positions: the same names from quarter to quarter, other numbers. */
function portfolio(plan: PlannedFiling): Holding[] {
  const { company } = plan;
  const standing = new Random(company.seed, 'portfolio', company.id);
  const count = standing.int(12, 140);
  const unit = plan.filed >= DOLLARS_SINCE ? 1 : 1000;
  return Array.from({ length: count }, (_, i) => {
    const one = new Random(company.seed, 'position', company.id, i);
    const now = new Random(company.seed, 'position now', company.id, i, plan.ordinal);
    const shares = Math.round(Math.exp(one.between(6, 14)) * now.between(0.8, 1.2));
    return {
      name: `${one.pick(NAME_STARTS)}${one.pick(NAME_ENDS)} ${one.pick(one.pick(INDUSTRIES).nameWords)} ${one.pick(['CORP', 'INC', 'LTD'])}`.toUpperCase(),
      title: one.mix('COM:8, CL A:2, SPONSORED ADR:1'),
      cusip: `${one.symbols('0123456789', 6)}${one.symbols('0123456789ABCDEFGH', 2)}${one.int(0, 9)}`,
      value: Math.round((shares * one.between(4, 300) * now.between(0.8, 1.25)) / unit),
      shares,
    };
  });
}

function coverXml(plan: PlannedFiling, holdings: readonly Holding[]): string {
  const { company } = plan;
  const day = americanDay(plan.period!);
  return `<?xml version="1.0" encoding="UTF-8"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler" xmlns:com="http://www.sec.gov/edgar/common">
  <schemaVersion>X0202</schemaVersion>
  <headerData>
    <submissionType>${plan.form}</submissionType>
    <filerInfo>
      <liveTestFlag>LIVE</liveTestFlag>
      <filer>
        <credentials>
          <cik>${company.cik.padStart(10, '0')}</cik>
          <ccc>XXXXXXXX</ccc>
        </credentials>
      </filer>
      <periodOfReport>${day}</periodOfReport>
    </filerInfo>
  </headerData>
  <formData>
    <coverPage>
      <reportCalendarOrQuarter>${day}</reportCalendarOrQuarter>
      <isAmendment>${plan.form.endsWith('/A')}</isAmendment>
      <filingManager>
        <name>${escapeXml(company.name)}</name>
        <address>
          <com:street1>${company.address.street1}</com:street1>
          <com:city>${company.address.city}</com:city>
          <com:stateOrCountry>${company.address.state}</com:stateOrCountry>
          <com:zipCode>${company.address.zip}</com:zipCode>
        </address>
      </filingManager>
      <reportType>13F HOLDINGS REPORT</reportType>
      <form13FFileNumber>${company.fileNumber}</form13FFileNumber>
      <provideInfoForInstruction5>N</provideInfoForInstruction5>
    </coverPage>
    <signatureBlock>
      <name>Officer 1 of ${escapeXml(company.name)}</name>
      <title>Chief Compliance Officer</title>
      <phone>${company.phone}</phone>
      <signature>/s/ Officer 1 of ${escapeXml(company.name)}</signature>
      <city>${company.address.city}</city>
      <stateOrCountry>${company.address.state}</stateOrCountry>
      <signatureDate>${americanDay(plan.filed)}</signatureDate>
    </signatureBlock>
    <summaryPage>
      <otherIncludedManagersCount>0</otherIncludedManagersCount>
      <tableEntryTotal>${holdings.length}</tableEntryTotal>
      <tableValueTotal>${holdings.reduce((sum, h) => sum + h.value, 0)}</tableValueTotal>
    </summaryPage>
  </formData>
</edgarSubmission>
`;
}

function tableXml(holdings: readonly Holding[], p: string): string {
  const name = p === '' ? 'xmlns' : 'xmlns:ns1';
  let text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${p}informationTable ${name}="http://www.sec.gov/edgar/document/thirteenf/informationtable">\n`;
  for (const h of holdings) {
    text += `  <${p}infoTable>
    <${p}nameOfIssuer>${escapeXml(h.name)}</${p}nameOfIssuer>
    <${p}titleOfClass>${h.title}</${p}titleOfClass>
    <${p}cusip>${h.cusip}</${p}cusip>
    <${p}value>${h.value}</${p}value>
    <${p}shrsOrPrnAmt>
      <${p}sshPrnamt>${h.shares}</${p}sshPrnamt>
      <${p}sshPrnamtType>SH</${p}sshPrnamtType>
    </${p}shrsOrPrnAmt>
    <${p}investmentDiscretion>SOLE</${p}investmentDiscretion>
    <${p}votingAuthority>
      <${p}Sole>${h.shares}</${p}Sole>
      <${p}Shared>0</${p}Shared>
      <${p}None>0</${p}None>
    </${p}votingAuthority>
  </${p}infoTable>
`;
  }
  return `${text}</${p}informationTable>\n`;
}

function textReport(plan: PlannedFiling, holdings: readonly Holding[]): string {
  const { company } = plan;
  const total = holdings.reduce((sum, h) => sum + h.value, 0);
  const rows = holdings
    .map(
      (h) =>
        `${h.name.slice(0, 29).padEnd(30)}${h.title.slice(0, 14).padEnd(16)}${h.cusip} ${grouped(h.value).padStart(10)} ${grouped(h.shares).padStart(12)} SH     SOLE        ${grouped(h.shares).padStart(12)}\n`,
    )
    .join('');
  return `<PAGE>

                                 UNITED STATES
                      SECURITIES AND EXCHANGE COMMISSION
                            Washington, D.C. 20549

                                    Form 13F
                              Form 13F COVER PAGE

Report for the Calendar Year or Quarter Ended: ${longDay(plan.period!)}

Institutional Investment Manager Filing this Report:
Name:    ${company.name}
Address: ${company.address.street1}, ${company.address.city}, ${company.address.state} ${company.address.zip}
Form 13F File Number: ${company.fileNumber}

Form 13F Information Table Entry Total: ${holdings.length}
Form 13F Information Table Value Total: $${grouped(total)} (thousands)

<PAGE>
                           FORM 13F INFORMATION TABLE
<TABLE>
<S>                           <C>             <C>           <C>          <C>    <C>         <C>
NAME OF ISSUER                TITLE OF CLASS  CUSIP      VALUE (x$1000) SHARES         DISCRETION  VOTING SOLE
${rows}</TABLE>
`;
}
