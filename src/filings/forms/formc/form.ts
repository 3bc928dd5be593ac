/** Form C and its variants: crowdfunding. Details of co-issuers have no table yet; they show among the unknown elements. */
import type { Form } from '../map/form.ts';
import { HEADER_DATA } from '../map/header-data.ts';
import { formcJurisdictions, formcOfferings, formcSignatures } from './tables.ts';

export const formc: Form = {
  name: 'formc',
  types: formcOfferings.forms,
  family: /^C(-[A-Z]+)*(\/A)?(-W)?$/,
  namespace: /^formc$/,
  root: 'edgarSubmission',
  tables: [formcOfferings, formcJurisdictions, formcSignatures],
  sources: [
    { table: formcOfferings, at: '' },
    {
      table: formcJurisdictions,
      at: 'formData/annualReportDisclosureRequirements/issueJurisdictionSecuritiesOffering',
    },
    { table: formcSignatures, at: 'formData/signatureInfo/signaturePersons/signaturePerson' },
  ],
  ignored: ['schemaVersion', ...HEADER_DATA, 'documents/**'],
};
