/** Walk 2: lock-up agreements, from a form that EDGAR does not have. */
import type { Walk } from './walk.ts';

export const FORM_TABLE_WALK: Walk = {
  'src/filings/forms/lockup/tables.ts': `/** Table of lock-up agreements. */
import { cik, date, position, tablesOf } from '../map/descriptor.ts';

export const lockups = tablesOf(['LOCKUP'])('lockups', {
  meaning: 'Lock-up agreements, one row each',
  key: [position],
  columns: [
    cik('holder_cik', 'cik', 'holder of the shares'),
    date('expires_on', 'expires', 'last day of the agreement'),
  ],
});
`,
  'src/filings/forms/lockup/form.ts': `/** Form LOCKUP. */
import type { Form } from '../map/form.ts';
import { lockups } from './tables.ts';

export const lockup: Form = {
  name: 'lockup',
  types: lockups.forms,
  root: 'edgarSubmission',
  tables: [lockups],
  sources: [{ table: lockups, at: 'holders/holder' }],
  ignored: ['submissionType'],
};
`,
  'src/filings/forms/registry.ts': [
    { before: 'import { ncen }', insert: "import { lockup } from './lockup/form.ts';\n" },
    { before: '  effect,\n', insert: '  lockup,\n' },
  ],
  'docs/guide/forms.md': [{ before: '`effect`, ', insert: '`lockup`, ' }],
  'test/filings/unit/forms/lockup.test.ts': `import { expect, it } from 'vitest';
import { mapped, said } from '../../../support/forms/mapped.ts';

it('is a row for each holder; a day that is none is null, and a row of form_problems', () => {
  const holder = '<holder><cik>0000000007</cik><expires>soon</expires></holder>';
  const rows = mapped(
    \`<edgarSubmission><submissionType>LOCKUP</submissionType><holders>\${holder}</holders></edgarSubmission>\`,
  );
  expect(rows.lockups!.map(said)).toEqual([{ position: 0, holder_cik: '7' }]);
  expect(rows.form_problems).toMatchObject([{ reason: 'not_a_date', column_name: 'expires_on', value: 'soon' }]);
});
`,
};
