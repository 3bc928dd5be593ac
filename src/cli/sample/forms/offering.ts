/** Form D: notice of an exempt offering, XML. */
import { isoDay, yearOf } from '../companies/calendar.ts';
import type { PlannedFiling, Submission } from '../companies/filing.ts';
import type { Random } from '../companies/random.ts';
import { Draft } from './draft.ts';
import { escapeXml } from './page.ts';

export function exemptOffering(plan: PlannedFiling): Submission {
  const { company, form } = plan;
  const draft = new Draft(plan);
  const items = company.style < 0.6 ? ['06b', '3C', '3C.1'] : ['06b'];
  draft.text(form, 'primary_doc.xml', xml(plan, items, draft.random('offering')), { wrapper: 'XML' });
  return draft.submission({
    parties: [draft.party('filer', company, '33', company.fileNumber)],
    items: items.map((number) => ({ number, words: number })),
  });
}

function xml({ company, form, filed }: PlannedFiling, items: readonly string[], r: Random): string {
  const { address, stateName, phone } = company;
  const name = escapeXml(company.name);
  const offered = r.int(5, 400) * 100_000;
  const sold = Math.round(offered * r.unit());
  return `<?xml version="1.0"?>
<edgarSubmission>
    <schemaVersion>X0708</schemaVersion><submissionType>${form}</submissionType><testOrLive>LIVE</testOrLive>
    <primaryIssuer>
        <cik>${company.cik.padStart(10, '0')}</cik><entityName>${name}</entityName>
        <issuerAddress><street1>${address.street1}</street1><city>${address.city}</city><stateOrCountry>${address.state}</stateOrCountry><stateOrCountryDescription>${stateName.toUpperCase()}</stateOrCountryDescription><zipCode>${address.zip}</zipCode></issuerAddress>
        <issuerPhoneNumber>${phone}</issuerPhoneNumber><jurisdictionOfInc>DELAWARE</jurisdictionOfInc>
        <entityType>Limited Partnership</entityType><yearOfInc><value>${yearOf(filed) - 1}</value></yearOfInc>
    </primaryIssuer>
    <relatedPersonsList><relatedPersonInfo>
        <relatedPersonName><firstName>General Partner 1</firstName><lastName>of ${name}</lastName></relatedPersonName>
        <relatedPersonRelationshipList><relationship>Director</relationship></relatedPersonRelationshipList>
    </relatedPersonInfo></relatedPersonsList>
    <offeringData>
        <industryGroup><industryGroupType>Pooled Investment Fund</industryGroupType></industryGroup>
        <federalExemptionsExclusions>${items.map((item) => `<item>${item}</item>`).join('')}</federalExemptionsExclusions>
        <typeOfFiling><newOrAmendment><isAmendment>${form.endsWith('/A')}</isAmendment></newOrAmendment>
            <dateOfFirstSale><value>${isoDay(filed - r.int(1, 14))}</value></dateOfFirstSale></typeOfFiling>
        <minimumInvestmentAccepted>${r.int(1, 50) * 5000}</minimumInvestmentAccepted>
        <salesCompensationList></salesCompensationList>
        <offeringSalesAmounts><totalOfferingAmount>${offered}</totalOfferingAmount><totalAmountSold>${sold}</totalAmountSold><totalRemaining>${offered - sold}</totalRemaining></offeringSalesAmounts>
        <investors><hasNonAccreditedInvestors>false</hasNonAccreditedInvestors><totalNumberAlreadyInvested>${r.int(1, 180)}</totalNumberAlreadyInvested></investors>
    </offeringData>
</edgarSubmission>
`;
}
