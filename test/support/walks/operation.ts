/** Walk 3: `/v2/filing_exhibits`, the exhibits of a filing. */
import type { Walk } from './walk.ts';

const NAME = 'filing_exhibits';

export const OPERATION_WALK: Walk = {
  'src/filings/api/operations/filing-exhibits.ts': `/** filing_exhibits: docs/api.md#${NAME}. */
import { z } from 'zod';
import { accessionNumber, apiKey } from '../parameters.ts';
import { accessionText, documentIdText, text } from '../records.ts';
import { operation } from './operation.ts';

export const filingExhibitsParametersSchema = z.strictObject({
  ...apiKey,
  accession_number: accessionNumber.optional().describe('required'),
});

export const filingExhibitsSchema = z.object({
  accession_number: accessionText,
  exhibits: z.array(z.object({ document_id: documentIdText, type: text })),
});
export type FilingExhibits = z.infer<typeof filingExhibitsSchema>;

export const filingExhibitsOperation = operation({
  path: '/v2/filing_exhibits',
  summary: 'The exhibits of one filing',
  parameters: filingExhibitsParametersSchema,
  answer: filingExhibitsSchema,
  example: {
    parameters: { accession_number: '0000018230-22-000107' },
    answer: {
      accession_number: '0000018230-22-000107',
      exhibits: [{ document_id: '0000018230-22-000107-2', type: 'EX-99.1' }],
    },
  },
  required: ['accession_number'],
  addition: true,
  combinationError: ({ accession_number }) => (accession_number === undefined ? 'accession_number is required' : null),
});
`,
  'src/filings/api/operations/index.ts': [
    {
      before: 'import { filingInfoOperation }',
      insert: "import { filingExhibitsOperation } from './filing-exhibits.ts';\n",
    },
    { before: "export * from './filing-info.ts'", insert: "export * from './filing-exhibits.ts';\n" },
    { before: '} as const;', insert: '  filing_exhibits: filingExhibitsOperation,\n' },
  ],
  'src/service/catalog/queries/filing-exhibits.ts': `/** filing_exhibits over the catalog: docs/api.md#${NAME}. */
import type { AccessionNumber, FilingExhibits } from '../../../filings/api/index.ts';
import { filing } from './filing-info.ts';
import type { CatalogSource } from './source.ts';

/** Null: there is no such filing. */
export function filingExhibits(source: CatalogSource, accessionNumber: AccessionNumber): FilingExhibits | null {
  const found = filing(source, accessionNumber);
  if (found === null) return null;
  const exhibits = found.documents.filter(({ type }) => type?.startsWith('EX-'));
  return {
    accession_number: found.accession_number,
    exhibits: exhibits.map(({ document_id, type }) => ({ document_id, type })),
  };
}
`,
  'src/service/catalog/queries/index.ts': [
    { before: 'import { filing, filingInfoJson', insert: "import { filingExhibits } from './filing-exhibits.ts';\n" },
    { before: '  coverage,\n', insert: '  filingExhibits,\n' },
  ],
  'src/service/operations/filing-exhibits.ts': `/** GET /v2/filing_exhibits: docs/api.md#${NAME}. */
import { jsonOutcome } from '../answers/outcome.ts';
import { notFound } from '../answers/problem.ts';
import type { ReaderOperation } from './operation.ts';

export const filingExhibits: ReaderOperation<'filing_exhibits'> = {
  lane: 'short',
  deadlineMs: 15_000,
  answer(parameters, { store }) {
    const found = store.filingExhibits(parameters.accession_number!);
    if (found === null) throw notFound(\`filing \${parameters.accession_number} was not found\`);
    return jsonOutcome(JSON.stringify(found), { tagged: true });
  },
};
`,
  'src/service/operations/index.ts': [
    { before: 'import { filingInfo }', insert: "import { filingExhibits } from './filing-exhibits.ts';\n" },
    { before: '  filing_sections: filingSections,', insert: '  filing_exhibits: filingExhibits,\n' },
  ],
  'src/export/client/client.ts': [
    {
      before: '  filingSections(',
      insert: `  filingExhibits(accessionNumber: string, call?: CallOptions) {
    return this.#record('filing_exhibits', { accession_number: accessionNumber }, call);
  }

`,
    },
  ],
  'docs/api.md': [
    {
      before: '## Section codes',
      insert: `## filing_exhibits

\`GET /v2/filing_exhibits\` lists the exhibits of one filing. It is an addition of filinglake: a service without it answers 404.

| parameter | type | default |
|---|---|---|
| \`api_key\` | string | required |
| \`accession_number\` | string | required |

Answer: \`{accession_number, exhibits}\`. Each exhibit has \`document_id\` and \`type\`.

`,
    },
  ],
  'test/service/integration/filing-exhibits.test.ts': `import { expect, it } from 'vitest';
import { FilingClient } from '../../../src/export/client/index.ts';
import { TestService } from '../../support/service/running-service.ts';
import { CURRENT } from '../../support/service/small-catalog.ts';

it('lists the exhibits of a filing', async () => {
  const service = await TestService.start();
  await using client = new FilingClient({ baseUrl: service.service.url, apiKey: service.key });
  const { value } = await client.filingExhibits(CURRENT);
  expect(value.exhibits).toEqual([{ document_id: \`\${CURRENT}-2\`, type: 'EX-99.1' }]);
  await service.stop();
});
`,
};
