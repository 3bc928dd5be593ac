/** `exhibits_8k`. */
import { itemsOnce } from './eight-k-items.ts';
import { accession, CURRENT_REPORTS, column, table, text, toFiling } from './table.ts';

export const exhibits8k = table({
  name: 'exhibits_8k',
  meaning: 'Exhibits that 8-K filings list, under the item that lists them',
  key: ['accession_number', 'item', 'position'],
  columns: [
    accession,
    text('item', 'item that lists the exhibit'),
    column('position', 'INTEGER', 'position in the list, from 0'),
    text('exhibit', 'number of the exhibit: 99.1'),
    text('description', 'description in the exhibit index, else of the document'),
    text('document_id', 'the document, if the filing has it'),
  ],
  unit: ['accession_number'],
  references: [
    toFiling,
    { columns: ['accession_number', 'item'], table: 'items_8k' },
    { columns: ['document_id'], table: 'documents' },
  ],
  sources: ['info'],
  forms: CURRENT_REPORTS,
  rows: {
    info: ({ accession_number, items_8k }, add) => {
      for (const { item, exhibits } of itemsOnce(items_8k)) {
        exhibits.forEach(({ exhibit, description, document_id }, position) => {
          add('items_8k.exhibits', { accession_number, item, position, exhibit, description, document_id });
        });
      }
    },
  },
});
