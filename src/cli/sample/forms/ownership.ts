/** Forms 3, 4 and 5: the ownership XML. */
import { dayOf, isoDay } from '../companies/calendar.ts';
import type { PlannedFiling, Submission } from '../companies/filing.ts';
import type { Random } from '../companies/random.ts';
import { Draft } from './draft.ts';
import { escapeXml } from './page.ts';

export function ownershipReport(plan: PlannedFiling): Submission {
  const insider = plan.insider!;
  const { company } = plan;
  const draft = new Draft(plan);
  const r = draft.random('ownership');
  const description = r.chance(0.5) ? `FORM ${plan.form}` : plan.form;
  draft.text(plan.form, 'ownership.xml', ownershipXml(plan, r), { description, wrapper: 'XML' });
  const owner = draft.party('reporting_owner', insider, '34', company.fileNumber);
  const issuer = draft.party('issuer', company, null, null);
  // The order is not fixed on EDGAR either.
  return draft.submission({ parties: r.chance(0.7) ? [owner, issuer] : [issuer, owner] });
}

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
  const name = escapeXml(owner.name);
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
        <reportingOwnerId><rptOwnerCik>${owner.cik.padStart(10, '0')}</rptOwnerCik><rptOwnerName>${name}</rptOwnerName></reportingOwnerId>
        <reportingOwnerAddress>
            <rptOwnerStreet1>C/O ${escapeXml(company.name.toUpperCase())}</rptOwnerStreet1><rptOwnerStreet2>${address.street1.toUpperCase()}</rptOwnerStreet2>
            <rptOwnerCity>${address.city.toUpperCase()}</rptOwnerCity><rptOwnerState>${address.state}</rptOwnerState><rptOwnerZipCode>${address.zip}</rptOwnerZipCode>
        </reportingOwnerAddress>
        <reportingOwnerRelationship>
            <isDirector>${Number(owner.post === 'director')}</isDirector><isOfficer>${Number(owner.post === 'officer')}</isOfficer>
            <isTenPercentOwner>${Number(owner.post === 'owner')}</isTenPercentOwner><isOther>0</isOther>${owner.title ? `<officerTitle>${owner.title}</officerTitle>` : ''}
        </reportingOwnerRelationship>
    </reportingOwner>
    <nonDerivativeTable>
${rows}    </nonDerivativeTable>
    <footnotes>${footnotes.map((text, i) => `<footnote id="F${i + 1}">${escapeXml(text)}</footnote>`).join('')}</footnotes>
    <ownerSignature><signatureName>/s/ ${name}</signatureName><signatureDate>${isoDay(plan.filed)}</signatureDate></ownerSignature>
</ownershipDocument>
`;
}
