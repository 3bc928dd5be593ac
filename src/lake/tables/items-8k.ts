/** `items_8k`. */
import { itemsOnce } from './eight-k-items.ts';
import { accession, CURRENT_REPORTS, column, table, text, toFiling } from './table.ts';

export const items8k = table({
  name: 'items_8k',
  meaning: 'Items that 8-K filings report under',
  key: ['accession_number', 'item'],
  columns: [
    accession,
    text('item', '2.02 since 2004, 1 to 12 before'),
    text('title', 'official title of the item, valid on the filing date'),
    text(
      'named_in',
      'place that names the item: header, body (headings of the report) or both; null if the service does not say',
    ),
    column(
      'start_index',
      'BIGINT',
      "UTF-16 position of the item's heading in the text of the main document; null if only the header names it, or the service does not say",
    ),
    column('end_index', 'BIGINT', 'UTF-16 position of the next heading or of the signatures'),
  ],
  unit: ['accession_number'],
  references: [toFiling],
  sources: ['info'],
  forms: CURRENT_REPORTS,
  rows: {
    info: ({ accession_number, items_8k }, add) => {
      for (const { exhibits: _, ...item } of itemsOnce(items_8k)) add('items_8k', { accession_number, ...item });
    },
  },
});
