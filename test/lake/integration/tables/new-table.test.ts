/** A table is a file in src/lake/tables and a line in all.ts: everything else that knows tables follows from its descriptor. */
import { describe, expect, it, vi } from 'vitest';
import { tablesDocument } from '../../../../scripts/pages/tables.ts';
import type { FilingClient } from '../../../../src/export/client/index.ts';
import { planLookup } from '../../../../src/export/estimate/index.ts';
import { definitionJsonSchema } from '../../../../src/export/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { EXPORT_TABLES } from '../../../../src/lake/tables/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { definitionOf, filingOfLookup, infoOf, LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';

vi.mock('../../../../src/lake/tables/all.ts', async (original) => {
  const { ALL } = await original<typeof import('../../../../src/lake/tables/all.ts')>();
  const { accession, column, CURRENT_REPORTS, table, text, toFiling } = await import(
    '../../../../src/lake/tables/table.ts'
  );
  const itemCounts = table({
    name: 'item_counts',
    meaning: 'How many exhibits each item of an 8-K lists',
    key: ['accession_number', 'item'],
    columns: [accession, text('item', 'item of the form'), column('exhibits', 'INTEGER', 'exhibits that it lists')],
    unit: ['accession_number'],
    references: [toFiling],
    sources: ['info'],
    forms: CURRENT_REPORTS,
    rows: {
      info: ({ accession_number, items_8k }, add) =>
        (items_8k ?? []).forEach(({ item, exhibits }, i) => {
          add(`items_8k[${i}]`, { accession_number, item, exhibits: exhibits.length });
        }),
    },
  });
  return { ALL: [...ALL, itemCounts] };
});

const DEFINITION = definitionOf('item_counts');

/** A service whose 8-Ks have these items, each with an exhibit. */
function serviceOf(items: readonly string[]) {
  const asked: string[] = [];
  const filingInfo = async (number: string) => {
    asked.push(number);
    const exhibits = [{ exhibit: '99.1', description: null, document_id: null }];
    const items_8k = items.map((item) => ({ item, title: null, exhibits }));
    return { value: { ...infoOf(filingOfLookup(Number(number.slice(-6)))), items_8k } };
  };
  return { asked, client: { filingInfo } as unknown as Partial<FilingClient> };
}

const filings = (acceptance_datetime: string): Filing[] => [
  filingOfLookup(1, { form_type: '8-K', acceptance_datetime }),
  filingOfLookup(2, { form_type: '10-K' }),
];

describe('a table that was added', () => {
  it('can be requested, is estimated, documented and part of the schema of definitions', () => {
    expect(EXPORT_TABLES).toContain('item_counts');
    expect(DEFINITION.tables).toEqual(['filings', 'item_counts']);
    expect(JSON.stringify(definitionJsonSchema())).toContain('"item_counts"');
    expect(tablesDocument()).toContain('| exhibits | INTEGER | exhibits that it lists |');
    const page = { count: 2, received: 2, asked: 2, bytes: 1000, truncated: false };
    const given = { page, filings: filings('2024-03-01T10:00:00'), covered: new Map(), knownCiks: new Set<string>() };
    const plan = planLookup({ definition: DEFINITION, ...given, today: null });
    expect(plan.steps).toContainEqual(
      expect.objectContaining({ step: 'filing_info', tables: ['item_counts'], requests: 1 }),
    );
  });

  it('is fetched for the forms that have it, checked, not requested again, and replaced when its filing changes', async () => {
    const runs = new LakeOfRuns(await openLake(temporaryFolder(), { create: true }));
    const run = async (service: ReturnType<typeof serviceOf>, accepted: string) => {
      const planned = await runs.lookUp(DEFINITION, { records: filings(accepted) });
      await runs.fetch(planned, service.client);
      const { problems } = await checkLake(runs.lake);
      expect(problems).toEqual([]);
      return runs.rows('SELECT item, exhibits FROM item_counts ORDER BY item');
    };
    const first = serviceOf(['2.02', '9.01']);
    const rows = [
      { item: '2.02', exhibits: 1 },
      { item: '9.01', exhibits: 1 },
    ];
    expect(await run(first, '2024-03-01T10:00:00')).toEqual(rows);
    expect(first.asked).toEqual(['0000000001-24-000001']);
    const second = serviceOf(['2.02', '9.01']);
    expect(await run(second, '2024-03-01T10:00:00')).toEqual(rows);
    expect(second.asked).toEqual([]);
    const changed = serviceOf(['5.02']);
    expect(await run(changed, '2024-03-01T11:00:00')).toEqual([{ item: '5.02', exhibits: 1 }]);
    await runs.lake.close();
  });
});
