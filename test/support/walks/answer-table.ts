/** Walk 1: `exhibits`, from filing_info. */
import type { Walk } from './walk.ts';

export const ANSWER_TABLE_WALK: Walk = {
  'src/lake/tables/exhibits.ts': `/** \`exhibits\`. */
import { accession, table, text, toFiling } from './table.ts';

export const exhibits = table({
  name: 'exhibits',
  meaning: 'Exhibits of a filing',
  key: ['document_id'],
  columns: [text('document_id', 'the document'), accession, text('exhibit', 'number of the exhibit: 10.1')],
  unit: ['accession_number'],
  references: [toFiling],
  sources: ['info'],
  needs: ['documents'],
  rows: {
    info: ({ accession_number, documents }, add) =>
      documents.forEach(({ document_id, type }, i) => {
        const exhibit = type?.startsWith('EX-') ? type.slice(3) : null;
        if (exhibit !== null) add(\`documents[\${i}]\`, { document_id, accession_number, exhibit });
      }),
  },
});
`,
  'src/lake/tables/all.ts': [
    { before: 'import { exhibits8k }', insert: "import { exhibits } from './exhibits.ts';\n" },
    { before: '  exhibits8k,', insert: '  exhibits,\n' },
  ],
  'test/support/lake/every-table.ts': [
    { before: '    exhibits_8k: [', insert: "    exhibits: [{ document_id, accession_number, exhibit: '10.1' }],\n" },
  ],
  'test/lake/unit/tables/exhibits.test.ts': `import { expect, it } from 'vitest';
import type { FilingInfo } from '../../../../src/filings/api/index.ts';
import { rowsOf } from '../../../../src/lake/tables/index.ts';

it('is a row for each exhibit', () => {
  const document = { sequence: null, filename: null, description: null, size: null };
  const documents = ['10-K', 'EX-10.1'].map((type, i) => ({ ...document, document_id: \`d\${i}\`, type }));
  const info = { accession_number: 'n', cik: '7', form_type: '10-K', documents, sections: [], items_8k: null, parties: [] };
  const { rows } = rowsOf('info', info as unknown as FilingInfo);
  expect(rows.exhibits).toEqual([{ document_id: 'd1', accession_number: 'n', exhibit: '10.1' }]);
});
`,
};
