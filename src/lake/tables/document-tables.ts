/** `document_tables`. */
import { accession, column, documentId, table, text, toFiling } from './table.ts';

export const documentTables = table({
  name: 'document_tables',
  meaning:
    'Cells of the tables in the requested HTML documents, those of notes included. Tables that only place text are left out, and so are typewritten ones: `text` and `chunks` have these as they are set. Made by the export',
  key: ['document_id', 'table_number', 'row_number', 'column_number'],
  columns: [
    documentId,
    accession,
    column('table_number', 'INTEGER', 'place of the table in the document, from 1'),
    text(
      'section',
      'code of the section of a 10-K, 10-Q or 20-F that the table is in; null outside all, and in other documents',
    ),
    column('row_number', 'INTEGER', 'from 1; cells without text have no row'),
    column('column_number', 'INTEGER', 'first column, from 1; spanned columns count'),
    column('row_span', 'INTEGER', 'rows that the cell spans'),
    column('column_span', 'INTEGER', 'columns that it spans, those of a sign joined to its number included'),
    text('text', 'white space collapsed; a sign or bracket in a cell of its own is joined to its number'),
    column(
      'number',
      'DECIMAL(38,12)',
      'the printed number: (1,234) is -1234; null if the cell is not a number, or a dash',
    ),
    text('unit', 'the sign beside the number: $, %'),
    text('marks', 'marks of footnotes beside the text: (1), *'),
    column(
      'scale',
      'INTEGER',
      'power of ten by which the amounts of the table are multiplied: 3, 6 or 9; null if no words say so. Ratios, shares and amounts per share may have another',
    ),
    text(
      'scale_from',
      'place of those words: table (in it, or just above) or above (farther above, valid for the tables that follow)',
    ),
    column('start_index', 'BIGINT', 'UTF-16 position in `document_contents.content`'),
  ],
  unit: ['document_id'],
  references: [toFiling, { columns: ['document_id'], table: 'document_contents' }],
  sources: ['document'],
  rows: {
    document: ({ document_id, accession_number, tables = [] }, add) =>
      tables.forEach(({ table: table_number, section, scale, scale_from, cells }, i) => {
        cells.forEach(({ row, column: first, rowspan, colspan, text: own, number, unit, marks, start_index }, k) => {
          add(`tables[${i}].cells[${k}]`, {
            document_id,
            accession_number,
            table_number,
            section,
            row_number: row,
            column_number: first,
            row_span: rowspan,
            column_span: colspan,
            text: own,
            number,
            unit,
            marks,
            scale,
            scale_from,
            start_index,
          });
        });
      }),
  },
});
