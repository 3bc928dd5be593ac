/** Tables of XBRL: facts of inline documents and instances, and their contexts, units, footnotes, labels and places in statements. */
import { bigint, boolean, date, decimal, double, integer, tablesOf, text } from '../../map/descriptor.ts';

const REPORTS = ['10-K', '10-Q', '20-F', '40-F', '6-K', '8-K', '485BPOS', 'N-CSR', 'S-1', 'S-3', '424B'];
const table = tablesOf(REPORTS);
const file = text('file', '', 'file name of the document; if it has none, its place in the filing, from 1');

export const xbrlFacts = table('xbrl_facts', {
  meaning: 'XBRL facts, one row each: of inline documents, or of instances before 2019 to 2021',
  key: [
    file,
    integer('position', '', 'from 0, by the start of the element in the file; hidden and nested facts count too'),
  ],
  // Text blocks: a row group of them would fill the memory.
  wide: ['value'],
  // One company's facts are what most readers want.
  clusteredBy: ['entity_cik', 'period_end', 'concept'],
  columns: [
    text('fact_id', '', 'id of the element', { empty: 'none' }),
    text(
      'concept',
      '',
      'us-gaap:Assets: the usual prefix of a standard taxonomy (us-gaap, dei, srt, ifrs-full …), else the prefix in the document',
    ),
    text('concept_namespace', '', 'namespace of the concept, as declared', { empty: 'the prefix is not declared' }),
    text('context_id', '', 'contextRef: the context in xbrl_dimensions', { empty: 'none' }),
    text('entity_cik', '', 'identifier of the entity, without leading zeros', { empty: 'no context' }),
    date('period_start', '', 'first day of the period', { empty: 'an instant' }),
    date(
      'period_end',
      '',
      'last day of the period, or the instant; midnight at its beginning is the day before, any other time is cut off',
      { empty: 'for ever' },
    ),
    text('unit', '', 'USD, shares, pure, USD/shares: local names of the measures', { empty: 'not a number' }),
    text(
      'decimals',
      '',
      'accuracy as written: -6, 2, INF; of a precision (before 2009) the decimals that it stands for',
      { empty: 'not said' },
    ),
    text(
      'value',
      '',
      "the number as decimal text, scaled and signed, with EDGAR's own zeros; a text; a text block as HTML; a fraction as numerator/denominator",
      { empty: 'nil or empty; or it could not be made: see form_problems' },
    ),
    double('value_number', '', 'value as floating point, for SQL: value is the truth', { empty: 'not a number' }),
    boolean('is_nil', '', 'xsi:nil'),
    boolean('is_text_block', '', 'HTML text: escape, or a concept whose name ends in TextBlock'),
    text('dimensions', '', 'JSON, {"axis": "member"} by axis; {} if there are none', { empty: 'no context' }),
    text('footnotes', '', 'JSON, sorted ids of footnotes in xbrl_footnotes; [] if there are none'),
    text('language', '', 'xml:lang at this place', { empty: 'not said' }),
    boolean('is_hidden', '', 'inside ix:hidden: nobody sees it in the document', { empty: 'an instance' }),
    text('target', '', 'target document of an inline fact', { empty: 'the usual one' }),
    bigint('start_index', '', 'start of the element in the document, in UTF-16 units'),
    bigint('end_index', '', 'its end'),
  ],
});

export const xbrlDimensions = table('xbrl_dimensions', {
  meaning: 'Dimensions of contexts, one row for a context and axis: xbrl_facts.dimensions for joins',
  key: [file, text('context_id', '', 'id of the context'), text('axis', '', 'name of the axis')],
  columns: [
    text('member', '', 'name of the member; text of a typed member', { empty: 'a typed member that is nil or empty' }),
    boolean('is_typed', '', 'the member is a value, not a name'),
  ],
});

export const xbrlFootnotes = table('xbrl_footnotes', {
  meaning: 'Footnotes of facts, whether a fact refers to them or not',
  key: [file, integer('position', '', 'from 0 within the file')],
  columns: [
    text('footnote_id', '', 'id, else the label of its link'),
    text('language', '', 'xml:lang', { empty: 'not said' }),
    text('text', '', 'without markup', { empty: 'none' }),
  ],
});

export const xbrlLabels = table('xbrl_labels', {
  meaning: 'Labels that a filing gives to concepts, those of standard taxonomies too; several roles a concept',
  key: [file, integer('position', '', 'from 0 within the file')],
  columns: [
    text('concept', '', 'us-gaap:Assets, as in xbrl_facts'),
    text('role', '', 'kind of label: http://www.xbrl.org/2003/role/label is the usual one', { empty: 'not said' }),
    text('language', '', 'xml:lang', { empty: 'not said' }),
    text('label', '', 'the words', { empty: 'none' }),
  ],
});

export const xbrlPresentation = table('xbrl_presentation', {
  meaning: 'Which concepts each statement and note shows, below which, in which order: one row for an arc',
  key: [file, integer('position', '', 'from 0 within the file')],
  columns: [
    text('role', '', 'URI of the statement or note'),
    text('role_definition', '', 'its name: "0000002 - Statement - BALANCE SHEETS"', {
      empty: 'the schema is not at hand',
    }),
    integer('line', '', 'from 0 within the role, in the order of reading', { empty: 'no root leads here' }),
    integer('depth', '', 'how deep below the root, from 0', { empty: 'as line' }),
    text('parent', '', 'concept above'),
    text('concept', '', 'concept shown'),
    text('arc_order', '', 'order below the parent, as written', { empty: 'not said' }),
    text('preferred_label', '', 'role of the label to show; one with "negated" turns the sign', {
      empty: 'the usual one',
    }),
  ],
});

const role = text('role', '', 'URI of the statement or note');
const position = integer('position', '', 'from 0 within the file');
const arcOrder = text('arc_order', '', 'order below the parent, as written', { empty: 'not said' });

export const xbrlCalculation = table('xbrl_calculation', {
  meaning: 'Which concepts add up to which, by statement and note: one row for an arc',
  key: [file, position],
  columns: [
    role,
    text('parent', '', 'the sum'),
    text('concept', '', 'a part of it'),
    double('weight', '', '1 for a part that is added, -1 for one that is taken off', { empty: 'not a number' }),
    arcOrder,
  ],
});

export const xbrlDefinition = table('xbrl_definition', {
  meaning:
    'Dimensions of statements and notes, their domains and members, and other relations of concepts: one row for an arc',
  key: [file, position],
  columns: [
    role,
    text(
      'arcrole',
      '',
      'kind of relation: all, hypercube-dimension, dimension-domain, domain-member, dimension-default …',
    ),
    text('parent', '', 'concept that the arc starts from'),
    text('concept', '', 'concept that it leads to'),
    arcOrder,
    text('target_role', '', 'role in which the relation continues', { empty: 'the same' }),
  ],
});

export const xbrlConcepts = table('xbrl_concepts', {
  meaning: "Concepts that the filing's own schema defines; standard taxonomies are not part of a filing",
  key: [file, position],
  columns: [
    text('concept', '', 'as in xbrl_facts: the prefix of the schema and the name'),
    text('type', '', 'xbrli:monetaryItemType, dtr-types:domainItemType …', { empty: 'not said' }),
    text('balance', '', 'debit or credit', { empty: 'neither: not an amount of money' }),
    text('period_type', '', 'instant or duration', { empty: 'not said' }),
    text('substitution_group', '', 'xbrli:item, xbrldt:dimensionItem, xbrldt:hypercubeItem', { empty: 'not said' }),
    boolean('is_abstract', '', 'a heading, an axis or a member: it has no facts'),
  ],
});

export const xbrlChecks = table('xbrl_checks', {
  meaning: "EDGAR's own extraction of the inline facts of a filing, compared with xbrl_facts",
  key: [text('file', '', 'file name of the extraction')],
  columns: [
    integer('facts', '', 'inline facts that were read'),
    integer('extracted', '', 'facts of the extraction'),
    integer('equal', '', 'facts in both, with the same value, decimals and nil'),
    integer(
      'differ',
      '',
      'facts in both that differ; facts - equal - differ are in xbrl_facts only, extracted - equal - differ in the extraction only',
    ),
  ],
});

const schedules = tablesOf(['10-K', '10-K405', '10-Q', '10-KSB', '10-QSB', 'S-1', 'N-30D', 'NSAR-B']);

export const ex27Facts = schedules('ex27_facts', {
  meaning: 'Financial data schedules (EX-27) of 1993 to 2001: a value each',
  key: [file, integer('position', '', 'from 0 within the file')],
  columns: [
    text('article', '', 'article of Regulation S-X: 5 for companies, 6 for funds, 7 for insurers, 9 for banks', {
      empty: 'not said',
    }),
    text('tag', '', 'TOTAL-ASSETS, NET-INCOME, EPS-PRIMARY …'),
    integer('column_number', '', 'column of the schedule, from 0'),
    text('text', '', 'value as filed, without marks of footnotes'),
    decimal('value', '', 'value as a number, not multiplied', { empty: 'not a number' }),
    decimal('multiplier', '', 'of amounts of money; values per share are not multiplied', { empty: 'not said: 1' }),
    decimal('value_scaled', '', 'value times multiplier; values per share, ratios and yields as they are', {
      empty: 'not a number, or too long',
    }),
    text('currency', '', 'currency', { empty: 'not said: dollars' }),
    text('period_type', '', '3-MOS, YEAR …', { empty: 'not said' }),
    date('fiscal_year_end', '', 'end of the fiscal year', { empty: 'not said' }),
    date('period_start', '', 'first day of the period', { empty: 'not said' }),
    date('period_end', '', 'last day of the period', { empty: 'not said' }),
    text('name', '', 'whose schedule it is', { empty: 'not said: the filer' }),
    text('footnotes', '', 'words of its footnotes', { empty: 'none' }),
  ],
});
