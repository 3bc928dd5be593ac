/** Forms 3, 4 and 5: the ownership XML since June 2003, a page of text before. */
import { dayOf, isoDay } from '../calendar.ts';
import type { PlannedFiling, Submission } from '../filing.ts';
import { Random } from '../random.ts';
import { DocumentList } from './document.ts';
import { party, submissionOf } from './header.ts';

const XML_SINCE = dayOf(2003, 6, 30);

export const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export function ownershipReport(plan: PlannedFiling): Submission {
  const insider = plan.insider!;
  const { company } = plan;
  const r = new Random(company.seed, 'ownership', company.id, plan.ordinal);
  const list = new DocumentList(plan);
  if (plan.filed >= XML_SINCE) {
    const name = r.chance(0.5) ? 'ownership.xml' : `wf-form${plan.form}_${r.int(100_000, 999_999)}.xml`;
    list.text(plan.form, name, ownershipXml(plan, r), {
      description: r.chance(0.5) ? `FORM ${plan.form}` : plan.form,
      wrapper: 'XML',
    });
    if (r.chance(0.03)) {
      const power = `${insider.name} appoints Officer 3 of ${company.name} to sign forms 3, 4 and 5.\n`;
      list.text('EX-24', 'attorney.txt', power, { description: 'POWER OF ATTORNEY' });
    }
  } else {
    list.text(plan.form, `form${plan.form}.txt`, ownershipText(plan, r), { description: `FORM ${plan.form}` });
  }
  const owner = party(plan, 'reporting_owner', insider, '34', company.fileNumber);
  const issuer = party(plan, 'issuer', company, null, null);
  // The order is not fixed on EDGAR either.
  return submissionOf(plan, '34', {
    documents: list.documents,
    parties: r.chance(0.7) ? [owner, issuer] : [issuer, owner],
  });
}

const flag = (value: boolean) => (value ? '1' : '0');

function ownershipXml(plan: PlannedFiling, r: Random): string {
  const { company, insider, form } = plan;
  const period = isoDay(plan.period!);
  const value = (tag: string, text: string, footnote = '', pad = '                ') =>
    `${pad}<${tag}>\n${pad}    <value>${text}</value>\n${footnote ? `${pad}    <footnoteId id="${footnote}"/>\n` : ''}${pad}</${tag}>\n`;
  let held = r.int(400, 900_000);
  const price = r.between(3, 180);
  let rows = '';
  const count = form === '3' ? 1 : Number(r.mix('1:5, 2:3, 3:2, 6:1'));
  const footnotes: string[] = [];
  for (let i = 0; i < count; i++) {
    const code = r.mix('S:5, A:3, M:3, P:2, F:2, G:1');
    const shares = r.int(20, Math.max(21, Math.floor(held / 4)));
    const acquired = code === 'A' || code === 'M' || code === 'P';
    held += acquired ? shares : -shares;
    const footnote = r.chance(0.3) ? `F${footnotes.length + 1}` : '';
    if (footnote) {
      footnotes.push(
        `The price is a weighted average of trades between $${(price * 0.98).toFixed(2)} and $${(price * 1.02).toFixed(2)}; ${insider!.name} will give the single prices on request.`,
      );
    }
    if (form === '3') {
      rows += `        <nonDerivativeHolding>\n${value('securityTitle', 'Common Stock', '', '            ')}            <postTransactionAmounts>\n${value('sharesOwnedFollowingTransaction', String(held))}            </postTransactionAmounts>\n            <ownershipNature>\n${value('directOrIndirectOwnership', 'D')}            </ownershipNature>\n        </nonDerivativeHolding>\n`;
      continue;
    }
    rows += `        <nonDerivativeTransaction>\n${value('securityTitle', 'Common Stock', '', '            ')}${value('transactionDate', period, '', '            ')}            <transactionCoding>\n                <transactionFormType>${form}</transactionFormType>\n                <transactionCode>${code}</transactionCode>\n                <equitySwapInvolved>0</equitySwapInvolved>\n            </transactionCoding>\n            <transactionAmounts>\n${value('transactionShares', String(shares))}${value('transactionPricePerShare', code === 'A' || code === 'G' ? '0' : (price * r.between(0.98, 1.02)).toFixed(2), footnote)}${value('transactionAcquiredDisposedCode', acquired ? 'A' : 'D')}            </transactionAmounts>\n            <postTransactionAmounts>\n${value('sharesOwnedFollowingTransaction', String(held))}            </postTransactionAmounts>\n            <ownershipNature>\n${value('directOrIndirectOwnership', r.chance(0.85) ? 'D' : 'I')}            </ownershipNature>\n        </nonDerivativeTransaction>\n`;
  }
  const { address } = company;
  const owner = insider!;
  return `<?xml version="1.0"?>
<ownershipDocument>

    <schemaVersion>${plan.filed >= dayOf(2023, 2, 1) ? 'X0508' : 'X0306'}</schemaVersion>

    <documentType>${form}</documentType>

    <periodOfReport>${period}</periodOfReport>

    <notSubjectToSection16>0</notSubjectToSection16>

    <issuer>
        <issuerCik>${company.cik.padStart(10, '0')}</issuerCik>
        <issuerName>${escapeXml(company.name)}</issuerName>
        <issuerTradingSymbol>${company.tickers[0]?.ticker ?? 'NONE'}</issuerTradingSymbol>
    </issuer>

    <reportingOwner>
        <reportingOwnerId>
            <rptOwnerCik>${owner.cik.padStart(10, '0')}</rptOwnerCik>
            <rptOwnerName>${escapeXml(owner.name)}</rptOwnerName>
        </reportingOwnerId>
        <reportingOwnerAddress>
            <rptOwnerStreet1>C/O ${escapeXml(company.name.toUpperCase())}</rptOwnerStreet1>
            <rptOwnerStreet2>${address.street1.toUpperCase()}</rptOwnerStreet2>
            <rptOwnerCity>${address.city.toUpperCase()}</rptOwnerCity>
            <rptOwnerState>${address.state}</rptOwnerState>
            <rptOwnerZipCode>${address.zip}</rptOwnerZipCode>
            <rptOwnerStateDescription></rptOwnerStateDescription>
        </reportingOwnerAddress>
        <reportingOwnerRelationship>
            <isDirector>${flag(owner.post === 'director')}</isDirector>
            <isOfficer>${flag(owner.post === 'officer')}</isOfficer>
            <isTenPercentOwner>${flag(owner.post === 'owner')}</isTenPercentOwner>
            <isOther>0</isOther>
${owner.title ? `            <officerTitle>${owner.title}</officerTitle>\n` : ''}        </reportingOwnerRelationship>
    </reportingOwner>

    <nonDerivativeTable>
${rows}    </nonDerivativeTable>
${footnotes.length > 0 ? `\n    <footnotes>\n${footnotes.map((text, i) => `        <footnote id="F${i + 1}">${escapeXml(text)}</footnote>\n`).join('')}    </footnotes>\n` : ''}
    <ownerSignature>
        <signatureName>/s/ ${escapeXml(owner.name)}</signatureName>
        <signatureDate>${isoDay(plan.filed)}</signatureDate>
    </ownerSignature>
</ownershipDocument>
`;
}

function ownershipText(plan: PlannedFiling, r: Random): string {
  const { company, insider } = plan;
  const shares = r.int(100, 90_000);
  return `
UNITED STATES SECURITIES AND EXCHANGE COMMISSION
WASHINGTON, D.C. 20549
FORM ${plan.form}
STATEMENT OF CHANGES IN BENEFICIAL OWNERSHIP

1. Reporting person: ${insider!.name}
   ${company.address.street1}, ${company.address.city}, ${company.address.state}
2. Issuer: ${company.name} (${company.tickers[0]?.ticker ?? 'no symbol'})
4. Statement for: ${isoDay(plan.period!)}
6. Relationship: (${insider!.post === 'director' ? 'X' : ' '}) Director  (${insider!.post === 'officer' ? 'X' : ' '}) Officer  (${insider!.post === 'owner' ? 'X' : ' '}) 10% Owner
<TABLE>
<CAPTION>
Table I -- Non-Derivative Securities
<S>                         <C>          <C>     <C>          <C>
Title of Security           Date         Code    Amount       Price
Common Stock                ${isoDay(plan.period!)}   ${r.pick(['P', 'S'])}       ${String(shares).padEnd(12)} ${r.between(2, 60).toFixed(2)}
</TABLE>
/s/ ${insider!.name}
`;
}
