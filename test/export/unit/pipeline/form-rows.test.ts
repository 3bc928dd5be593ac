import { describe, expect, it } from 'vitest';
import { formRows, KEPT_ROWS } from '../../../../src/export/pipeline/fetch/form-rows.ts';

const table = (rows: number) => ({
  accession_number: '0000000007-24-000001',
  step: { form: '13F-HR', filed: '2024-02-14', selector: 'f13_holdings' } as Parameters<typeof formRows>[0]['step'],
  documents: [
    {
      document_id: '1',
      filename: 'table.xml',
      type: 'INFORMATION TABLE',
      text: `<informationTable>${'<infoTable><value>1</value></infoTable>'.repeat(rows)}</informationTable>`,
    } as Parameters<typeof formRows>[0]['documents'][number],
  ],
});

describe('rows of a form', () => {
  it('are mapped once if memory holds them', () => {
    const { count, rows } = formRows(table(KEPT_ROWS));
    expect([count, Array.isArray(rows), [...rows].length]).toEqual([KEPT_ROWS, true, KEPT_ROWS]);
  });

  it('are made again if they are more, and are the same', () => {
    const { count, rows } = formRows(table(KEPT_ROWS + 1));
    expect([count, Array.isArray(rows), [...rows].length]).toEqual([KEPT_ROWS + 1, false, KEPT_ROWS + 1]);
  });
});
