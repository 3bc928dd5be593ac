/** Schedules 13D and 13G since December 2024: two generations of schemas, one set of tables. */
import type { Form, RowMapping, RowSource } from '../map/form.ts';
import { HEADER_DATA } from '../map/header-data.ts';
import { type Element, textOf } from '../xml/element.ts';
import {
  beneficialAuthorizedPersons,
  beneficialCusips,
  beneficialItems,
  beneficialPersonCodes,
  beneficialPersons,
  beneficialReports,
  beneficialRules,
  beneficialSignatures,
} from './tables.ts';
import { beneficialTextCusips } from './text-tables.ts';

const ISSUER = 'formData/coverPageHeader/issuerInfo';
const codes = (kind: string, at: string): RowSource => ({ table: beneficialPersonCodes, at, set: { kind } });

export const beneficial: Form = {
  name: 'beneficial',
  types: [...beneficialReports.forms, ...beneficialTextCusips.forms],
  family: /^SCHEDULE 13[DG]/,
  namespace: /^schedule13[dg]$/i,
  root: 'edgarSubmission',
  tables: [
    beneficialReports,
    beneficialCusips,
    beneficialRules,
    beneficialPersons,
    beneficialPersonCodes,
    beneficialItems,
    beneficialAuthorizedPersons,
    beneficialSignatures,
  ],
  sources: [
    { table: beneficialReports, at: '' },
    {
      table: beneficialCusips,
      at: [`${ISSUER}/issuerCUSIP`, `${ISSUER}/issuerCusip`, `${ISSUER}/issuerCusips/issuerCusipNumber`],
      rule: (element) => (textOf(element) === null ? null : {}),
    },
    {
      table: beneficialRules,
      at: 'formData/coverPageHeader/designateRulesPursuantThisScheduleFiled/designateRulePursuantThisScheduleFiled',
    },
    {
      table: beneficialPersons,
      at: ['formData/reportingPersons/reportingPersonInfo', 'formData/coverPageHeaderReportingPersonDetails'],
      number: 'person',
      below: 'person',
      sources: [codes('type', 'typeOfReportingPerson'), codes('funds', 'fundType')],
    },
    { table: beneficialAuthorizedPersons, at: 'formData/coverPageHeader/authorizedPersons/notificationInfo' },
    {
      table: beneficialSignatures,
      at: ['formData/signatureInfo/signaturePerson/signatureDetails', 'formData/signatureInformation/signatureDetails'],
      rule: (element, mapping) => ({
        person_name:
          mapping.rows.text(element.parent!, 'signatureReportingPerson') ??
          mapping.rows.text(element.parent!, 'reportingPersonName'),
      }),
    },
  ],
  reads: [
    'formData/signatureInfo/signaturePerson/signatureReportingPerson',
    'formData/signatureInformation/reportingPersonName',
  ],
  ignored: [...HEADER_DATA, 'documents/**', 'formData/items1To7/**', 'formData/items/**'],
  code: items,
};

/** Every text below an item, by the path of its element: the items of 13D and 13G share no columns. */
function items(root: Element, mapping: RowMapping): void {
  const positions = new Map<string, number>();
  const leaf = (element: Element, item: string, field: string): void => {
    const text = textOf(element);
    if (text !== null) {
      const place = `${item} ${field}`;
      const position = positions.get(place) ?? 0;
      positions.set(place, position + 1);
      mapping.emit(beneficialItems, mapping.rows.row(beneficialItems, element, { item, field, position }));
    }
    for (const child of element.children) leaf(child, item, field === '' ? child.name : `${field}.${child.name}`);
  };
  for (const name of ['items1To7', 'items'])
    for (const element of root.all(['formData', name, '*'])) {
      const number = /^item(\w+)$/.exec(element.name)?.[1];
      leaf(element, number ?? element.name, '');
    }
}
