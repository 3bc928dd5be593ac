/** Lists of subsidiaries as rows. */
import { decimal, integer, position, tablesOf, text } from '../map/descriptor.ts';

export const subsidiariesTable = tablesOf(['all'])('subsidiaries', {
  meaning: 'Subsidiaries that a filing lists: Exhibit 21, and Exhibit 8 of a 20-F. Read from the layout of its pages',
  key: [position],
  columns: [
    text('document', '', 'file name of the exhibit, or its place in the filing, from 1'),
    integer('line', '', 'line of the document in which the name begins, from 1'),
    integer('start_index', '', 'UTF-16 position of the name in the document'),
    text('name', '', 'without marks of footnotes, and without what stands in the next columns'),
    text('other_names', '', 'other and former names, as printed: `d/b/a Acme`', { empty: 'none' }),
    text('jurisdiction', '', 'as printed in the row, or else in a heading above', { empty: 'not stated' }),
    text('jurisdiction_code', '', "EDGAR's code of the place", {
      empty: 'EDGAR has none, or there are several places',
    }),
    text('share', '', 'share that is held, as printed: `99.5 %`', { empty: 'not stated' }),
    decimal('share_percent', '', 'share as a number', { empty: 'no share, or not one number' }),
    text('parent', '', 'its parent, by indent or by words', { empty: 'the filer, or not stated' }),
    integer('parent_position', '', 'position of the parent', { empty: 'no parent, or it is not in the list' }),
    integer('level', '', 'depth of its indent, from 0'),
  ],
});
