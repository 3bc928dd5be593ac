/** Form EFFECT: the SEC files it when a registration statement becomes effective. */
import type { Form } from '../map/form.ts';
import { effectFilers, effectNotices } from './tables.ts';

export const effect: Form = {
  name: 'effect',
  types: effectNotices.forms,
  root: 'edgarSubmission',
  tables: [effectNotices, effectFilers],
  sources: [
    { table: effectNotices, at: '' },
    { table: effectFilers, at: 'effectiveData/filer' },
  ],
  ignored: ['submissionType', 'testOrLive'],
};
