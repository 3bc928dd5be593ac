/** Rows of a filing's forms and XBRL, and of its statements, which are made from them. */
import {
  type Filing,
  mapFiling as formRows,
  neededFor as formsNeed,
  type ListedFiling,
  type MappedRow,
  type NamedDocument,
  type NeededXbrl,
  type Row,
  xbrlKind,
} from '../../forms/index.ts';
import { FilingFacts } from '../facts.ts';
import { statementRows } from '../fundamentals.ts';
import { type PageReader, printedDocuments, printedRows } from '../printed/rows.ts';
import { statementRules } from '../rules.ts';
import { printedFundamentals, STATEMENT_TABLES } from '../tables.ts';

const PRINTED = printedFundamentals.name;
const NAMES: ReadonlySet<string> = new Set([...STATEMENT_TABLES.map(({ name }) => name), PRINTED]);
/** Tables that statements are made from. */
const FACTS = 'xbrl_facts';
const SCHEDULES = 'ex27_facts';
const LABELS = 'xbrl_labels';
const PAGES = [FACTS, 'xbrl_presentation', 'xbrl_calculation', SCHEDULES];
/** An instance has no page: the words of its lines are those of the label linkbase. */
const sourcesOf = (documents: readonly NamedDocument[]): readonly string[] =>
  documents.some((document) => xbrlKind(document) === 'instance') ? [...PAGES, LABELS] : PAGES;

/**
 * As mapFiling of forms, with statements.
 * @param tables null: all but statements, which keep facts in memory
 * @param pageRows of documents, for printed statements: this room, which workflows load, does not load it
 */
export function* mapFiling(
  filing: Filing,
  tables: ReadonlySet<string> | null = null,
  pageRows: PageReader = noReader,
): Generator<MappedRow> {
  if (tables === null || !tables.values().some((name) => NAMES.has(name))) return yield* formRows(filing, tables);
  const facts = new FilingFacts();
  const sources = sourcesOf(filing.documents.map(({ name, type }) => ({ filename: name, type })));
  const kept = new Map<string, Row[]>(sources.map((name) => [name, []]));
  for (const mapped of formRows(filing, new Set([...tables, ...sources]))) {
    if (mapped.table === FACTS) facts.add(mapped.row);
    else kept.get(mapped.table)?.push(mapped.row);
    if (tables.has(mapped.table) || !sources.includes(mapped.table)) yield mapped;
  }
  const files = new Set(facts.numbers.map(({ file }) => file));
  const pages = filing.documents
    .entries()
    .map(([place, document]) => [document.name ?? String(place + 1), document] as const);
  const texts = new Map(pages.filter(([name]) => files.has(name)).map(([name, { text }]) => [name, text()]));
  const [presentation, calculation] = [kept.get('xbrl_presentation')!, kept.get('xbrl_calculation')!];
  const { accessionNumber } = filing;
  const input = { accessionNumber, texts, rules: statementRules(), labels: kept.get(LABELS) ?? [] };
  for (const own of [facts, ...facts.others()]) {
    const { registrant } = own;
    const rows = statementRows({
      ...input,
      facts: own,
      presentation: rolesOf(presentation, registrant, presentation),
      calculation: rolesOf(calculation, registrant, presentation),
      schedules: registrant === '' ? kept.get(SCHEDULES)! : [],
    });
    for (const mapped of rows) if (tables.has(mapped.table)) yield mapped;
  }
  if (tables.has(PRINTED) && facts.numbers.every(({ concept }) => concept.startsWith('dei:')))
    yield* printedRows(filing, statementRules(), pageRows);
}

const noReader: PageReader = () => {
  throw new Error('printed statements need pageRows of documents');
};

/** Rows of the roles that show a company which files with the filer, by its member; '': all. */
function rolesOf(rows: readonly Row[], registrant: string, presentation: readonly Row[]): readonly Row[] {
  if (registrant === '') return rows;
  const own = new Set(presentation.flatMap(({ role, concept }) => (concept === registrant ? [role] : [])));
  return rows.filter(({ role }) => own.has(role));
}

/**
 * As neededFor of forms, with the tables of statements: they need the facts, and the linkbases that tell of their structure; printed ones
 * need the report and its Exhibit 13, unless its facts are tagged for certain.
 */
export function neededFor<Document extends NamedDocument>(
  filing: ListedFiling,
  documents: readonly Document[],
  wanted: readonly string[],
): NeededXbrl<Document> {
  if (!wanted.includes(PRINTED)) return taggedNeed(filing, documents, wanted);
  const needed = taggedNeed(
    filing,
    documents,
    wanted.filter((name) => name !== PRINTED),
  );
  const { hasFacts, documents: tagged } = formsNeed(filing, documents, [FACTS]);
  const isTagged = hasFacts || tagged.some((document) => xbrlKind(document) === 'instance');
  const printed = isTagged ? [] : printedDocuments(filing.form, documents);
  if (printed.length === 0) return needed;
  return {
    ...needed,
    tables: [...needed.tables, PRINTED].sort(),
    documents: documents.filter((document) => needed.documents.includes(document) || printed.includes(document)),
    undecided: needed.undecided.filter((document) => !printed.includes(document)),
  };
}

function taggedNeed<Document extends NamedDocument>(
  filing: ListedFiling,
  documents: readonly Document[],
  wanted: readonly string[],
): NeededXbrl<Document> {
  const statements = wanted.filter((name) => NAMES.has(name));
  const others = wanted.filter((name) => !NAMES.has(name));
  if (statements.length === 0) return formsNeed(filing, documents, wanted);
  const needed = formsNeed(filing, documents, [...new Set([...others, ...sourcesOf(documents)])]);
  const tables = needed.tables.filter((name) => others.includes(name));
  if (![FACTS, SCHEDULES].some((name) => needed.tables.includes(name))) return formsNeed(filing, documents, others);
  return { ...needed, tables: [...tables, ...statements].sort() };
}
