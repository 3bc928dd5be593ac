/** Form 144 and its amendments. */
import type { Form } from '../map/form.ts';
import { HEADER_DATA } from '../map/header-data.ts';
import {
  form144Acquisitions,
  form144Notices,
  form144PlanDates,
  form144Relationships,
  form144Sales,
  form144Securities,
} from './tables.ts';

export const form144: Form = {
  name: 'form144',
  types: form144Notices.forms,
  family: /^144\b/,
  root: 'edgarSubmission',
  tables: [
    form144Notices,
    form144Relationships,
    form144Securities,
    form144Acquisitions,
    form144Sales,
    form144PlanDates,
  ],
  sources: [
    { table: form144Notices, at: '' },
    { table: form144Relationships, at: 'formData/issuerInfo/relationshipsToIssuer/relationshipToIssuer' },
    { table: form144Securities, at: 'formData/securitiesInformation' },
    { table: form144Acquisitions, at: 'formData/securitiesToBeSold' },
    { table: form144Sales, at: 'formData/securitiesSoldInPast3Months' },
    { table: form144PlanDates, at: 'formData/noticeSignature/planAdoptionDates/planAdoptionDate' },
  ],
  ignored: ['schemaVersion', ...HEADER_DATA, 'documents/**'],
};
