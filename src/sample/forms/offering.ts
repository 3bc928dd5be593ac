/** Form D: notice of an exempt offering, XML. Several issuers file one together now and then. */
import { isoDay, yearOf } from '../calendar.ts';
import { type Company, sampleCik } from '../company.ts';
import type { PlannedFiling, Submission } from '../filing.ts';
import { Random } from '../random.ts';
import { DocumentList } from './document.ts';
import { party, submissionOf } from './header.ts';
import { escapeXml } from './ownership.ts';

/** Ids of second issuers are after those of the cohort's insiders. */
const SECOND_ISSUER = 112;

export function exemptOffering(plan: PlannedFiling): Submission {
  const { company } = plan;
  const r = new Random(company.seed, 'offering', company.id, plan.ordinal);
  const items = ['06b', ...(company.style < 0.6 ? ['3C', '3C.1'] : [])];
  const issuers = [company, ...(company.style > 0.4 ? [feeder(company)] : [])];
  const list = new DocumentList(plan);
  list.text(plan.form, 'primary_doc.xml', xml(plan, issuers, items, r), { wrapper: 'XML' });
  return submissionOf(plan, '33', {
    documents: list.documents,
    parties: issuers.map((issuer, i) => party(plan, 'filer', issuer, '33', issuer.fileNumber, i)),
    items: items.map((number) => ({ number, words: number })),
  });
}

function feeder(company: Company): Company {
  const slot = company.id % 128;
  return {
    ...company,
    cik: sampleCik(company.id - slot + SECOND_ISSUER + (slot % 16)),
    name: company.name.replace(/ (Partners|Ventures|Real|Holdings)/, ' Feeder $1'),
    formerNames: [],
    fileNumber: `${company.fileNumber.slice(0, -1)}0`,
  };
}

function xml(plan: PlannedFiling, issuers: readonly Company[], items: readonly string[], r: Random): string {
  const issuer = (one: Company, tag: string, pad: string) => `${pad}<${tag}>
${pad}    <cik>${one.cik.padStart(10, '0')}</cik>
${pad}    <entityName>${escapeXml(one.name)}</entityName>
${pad}    <issuerAddress>
${pad}        <street1>${one.address.street1}</street1>
${pad}        <city>${one.address.city}</city>
${pad}        <stateOrCountry>${one.address.state}</stateOrCountry>
${pad}        <stateOrCountryDescription>${one.stateName.toUpperCase()}</stateOrCountryDescription>
${pad}        <zipCode>${one.address.zip}</zipCode>
${pad}    </issuerAddress>
${pad}    <issuerPhoneNumber>${one.phone}</issuerPhoneNumber>
${pad}    <jurisdictionOfInc>DELAWARE</jurisdictionOfInc>
${pad}    <entityType>Limited Partnership</entityType>
${pad}    <yearOfInc>
${pad}        <value>${yearOf(plan.filed) - 1}</value>
${pad}    </yearOfInc>
${pad}</${tag}>
`;
  const offered = r.int(5, 400) * 100_000;
  const sold = Math.round(offered * r.unit());
  const [first, ...others] = issuers;
  return `<?xml version="1.0"?>
<edgarSubmission>

    <schemaVersion>X0708</schemaVersion>

    <submissionType>${plan.form}</submissionType>

    <testOrLive>LIVE</testOrLive>

${issuer(first!, 'primaryIssuer', '    ')}
${others.length > 0 ? `    <issuerList>\n${others.map((o) => issuer(o, 'issuer', '        ')).join('')}    </issuerList>\n` : ''}
    <relatedPersonsList>
        <relatedPersonInfo>
            <relatedPersonName>
                <firstName>General Partner 1</firstName>
                <lastName>of ${escapeXml(first!.name)}</lastName>
            </relatedPersonName>
            <relatedPersonRelationshipList>
                <relationship>Director</relationship>
            </relatedPersonRelationshipList>
        </relatedPersonInfo>
    </relatedPersonsList>

    <offeringData>
        <industryGroup>
            <industryGroupType>Pooled Investment Fund</industryGroupType>
        </industryGroup>
        <federalExemptionsExclusions>
${items.map((item) => `            <item>${item}</item>\n`).join('')}        </federalExemptionsExclusions>
        <typeOfFiling>
            <newOrAmendment>
                <isAmendment>${plan.form.endsWith('/A')}</isAmendment>
            </newOrAmendment>
            <dateOfFirstSale>
                <value>${isoDay(plan.filed - r.int(1, 14))}</value>
            </dateOfFirstSale>
        </typeOfFiling>
        <minimumInvestmentAccepted>${r.int(1, 50) * 5000}</minimumInvestmentAccepted>
        <salesCompensationList></salesCompensationList>
        <offeringSalesAmounts>
            <totalOfferingAmount>${offered}</totalOfferingAmount>
            <totalAmountSold>${sold}</totalAmountSold>
            <totalRemaining>${offered - sold}</totalRemaining>
        </offeringSalesAmounts>
        <investors>
            <hasNonAccreditedInvestors>false</hasNonAccreditedInvestors>
            <totalNumberAlreadyInvested>${r.int(1, 180)}</totalNumberAlreadyInvested>
        </investors>
    </offeringData>
</edgarSubmission>
`;
}
