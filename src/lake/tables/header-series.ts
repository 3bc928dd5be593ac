/** `header_series`. */
import { accession, column, table, text, toFiling } from './table.ts';

export const headerSeries = table({
  name: 'header_series',
  meaning:
    'Series and classes of funds in the header of a filing, as of that filing: a row for each class, and one for a series without any',
  key: ['accession_number', 'position', 'class_position'],
  columns: [
    accession,
    column('position', 'INTEGER', 'position of the series in the header, from 0'),
    column('class_position', 'INTEGER', 'position of the class in the series, from 0; also 0 for a series without any'),
    text('status', 'existing or new; of a merger acquiring or target'),
    text('owner_cik', 'CIK of the fund company that the series is of'),
    text('series_id', 'S and nine digits'),
    text('series_name', 'name of the series'),
    text('class_id', 'C and nine digits; null: the header names no class of the series'),
    text('class_name', 'name of the class'),
    text('ticker', 'symbol of the class'),
  ],
  unit: ['accession_number'],
  references: [toFiling],
  sources: ['info'],
  rows: {
    info: ({ accession_number, series }, add) =>
      series?.forEach(({ classes, name: series_name, ...one }, position) => {
        const none = { class_id: null, name: null, ticker: null };
        (classes.length > 0 ? classes : [none]).forEach(({ name: class_name, ...of }, class_position) => {
          const at = { accession_number, position, class_position };
          add(`series[${position}].classes[${class_position}]`, { ...at, ...one, series_name, ...of, class_name });
        });
      }),
  },
});
