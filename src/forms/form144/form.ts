/** Form 144 and its amendments. */

import type { Form } from '../form.ts';
import { HEADER_DATA } from '../header-data.ts';
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
    {
      table: form144Relationships,
      at: 'formData/issuerInfo/relationshipsToIssuer/relationshipToIssuer',
      number: 'position',
    },
    { table: form144Securities, at: 'formData/securitiesInformation', number: 'position' },
    { table: form144Acquisitions, at: 'formData/securitiesToBeSold', number: 'position' },
    { table: form144Sales, at: 'formData/securitiesSoldInPast3Months', number: 'position' },
    { table: form144PlanDates, at: 'formData/noticeSignature/planAdoptionDates/planAdoptionDate', number: 'position' },
  ],
  ignored: ['schemaVersion', ...HEADER_DATA, 'documents/**'],
};
