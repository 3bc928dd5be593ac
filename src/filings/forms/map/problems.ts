/** The data that a filing's rows lack, as rows: values that don't fit their type, documents that can't be read, unknown elements. */
import { bigint, integer, tablesOf, text } from './descriptor.ts';

const table = tablesOf(['all']);

export const formProblems = table('form_problems', {
  meaning: 'Values and documents of structured forms that do not fit their table: null there, as filed here',
  key: [integer('position', '', 'from 0 within the filing')],
  columns: [
    text('document', '', 'file name of the document; if it has none, its place in the filing, from 1'),
    text(
      'reason',
      '',
      'Of values: not_a_number, not_a_whole_number, out_of_range, rounded (to 12 digits; the value is kept), not_a_date, not_a_boolean, not_a_cik, repeated (a second value; it is left out). Of rows and documents: no_key (a row without its key; it is left out), malformed, left_out (a second document of one kind). no_mapping: a form without tables here; the value is its type, or else its root. unlisted_type: mapped by its namespace or the beginning of its type. no_rows: no list of subsidiaries was found in an exhibit, or no CUSIP in a schedule 13D or 13G of text; the value is its beginning. unread_line: a line of such a list that may be a name, and is in no row. Of XBRL: no_context and no_unit (named by a fact, defined nowhere), ambiguous (defined twice, differently), no_continuation, endless_continuation, unknown_format, format_misfit (a transformation that does not accept the text), not_a_fraction, differs (EDGAR extracted another fact)',
    ),
    text('path', '', 'of the element, by local names', { empty: 'the document as a whole' }),
    text('table_name', '', 'table that the value belongs to', { empty: 'the document as a whole' }),
    text('column_name', '', 'column that the value belongs to', { empty: 'no column' }),
    text('value', '', 'as filed; what is wrong with the document'),
  ],
});

export const formUnknownElements = table('form_unknown_elements', {
  meaning:
    'Elements and attributes with a value that no mapping reads, counted by path: a new version of a form shows up here first',
  key: [
    text('document', '', 'file name of the document; if it has none, its place in the filing, from 1'),
    text('path', '', 'local names from the root, without positions; @ before an attribute'),
  ],
  columns: [
    bigint('occurrences', '', 'how often it has a value in the document'),
    text('example', '', 'the first value, cut at 200 characters'),
  ],
});

/** One number for all mappings. Raise it whenever a row changes. */
export const MAPPING_VERSION = 1;
