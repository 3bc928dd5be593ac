/** Definitions that contradict themselves, or can select nothing: refused with the place, or reported as a warning. */
import { formsOfFamily, isEightK, isFormFamily, kinLeftOut, sectionFamily } from '../../filings/api/index.ts';
import { type Forms, isEntityTable, TABLE_GROUPS, tableNamed, tablesNamed } from '../../lake/tables/index.ts';
import { isRelativeDate, resolveDate } from './dates.ts';
import { choiceOfCodes, type ExportDefinition, isEntityFilter, isGraphicType } from './definition.ts';
import { withoutFiles } from './listed-entities.ts';
import type { TellAt } from './mistakes.ts';
import type { DefinitionYaml } from './schema.ts';
import { type PlacedValues, positionOf } from './yaml-values.ts';

/** Small companies filed 10-KSB and 10-QSB until March 2009. */
const LAST_KIN = '2009-03-16';

/** All filters of a selection must match: both lists in one selection would not mean the companies of either. */
const BOTH_LISTS_REMEDY =
  'For the companies of either list, write two exports with the same lake, one for each file: under exports, or in two definitions.';

/** Any day shows whether one relative date is after another. */
const SOME_DAY = '2024-02-29';

/** @param tell receives each of them */
export function tellImpossible(given: DefinitionYaml, values: PlacedValues, tell: TellAt): void {
  const at = (...path: (string | number)[]) => positionOf(values, path);
  refuseService(given, at, tell);
  refuseFilters(given, at, tell);
  refuseKinds(given, at, tell);
  refuseDocuments(given, at, tell);
  refuseLeftOut(given, at, tell);
}

/** The tables of left-out data have no rows without another table of a form. */
function refuseLeftOut({ tables }: DefinitionYaml, at: PlaceOf, tell: TellAt): void {
  const isAlong = (name: string) =>
    tableNamed(name)?.sources.includes('forms') && tableNamed(name)!.group === undefined;
  const place = tables.findIndex(isAlong);
  if (place < 0 || tablesNamed(tables).some((name) => tableNamed(name)!.group !== undefined)) return;
  tell(
    `${tables[place]} has rows only along with tables of a form, and tables names none`,
    at('tables', place),
    null,
    `Add a form: ${[...TABLE_GROUPS.keys()].join(', ')}.`,
  );
}

type PlaceOf = (...path: (string | number)[]) => ReturnType<typeof positionOf>;

function refuseService({ service }: DefinitionYaml, at: PlaceOf, tell: TellAt): void {
  if (service === undefined) return;
  const { catalog, base_url, api_key, edgar } = service;
  if (catalog !== undefined && base_url !== undefined) {
    tell('service has both catalog and base_url', at('service', 'catalog'), null, 'Leave one of them out.');
  }
  if (catalog !== undefined && api_key !== undefined) {
    tell('service.catalog needs no api_key', at('service', 'api_key'), null, 'Leave api_key out.');
  }
  if (edgar !== undefined && catalog === undefined) {
    tell('service.edgar needs service.catalog', at('service', 'edgar'), null, 'Name the folder of a catalog.');
  }
}

function refuseFilters({ select, service }: DefinitionYaml, at: PlaceOf, tell: TellAt): void {
  const { date_from, date_to, form_types, excluded_form_types, items, entity_query, entities } = select;
  if (isAfter(date_from, date_to)) {
    tell(`select.date_from (${date_from}) is after select.date_to (${date_to})`, at('select', 'date_from'));
  }
  for (const name of ['form_types', 'excluded_form_types'] as const) {
    const place = select[name]?.findIndex((form) => isFormFamily(form) && formsOfFamily(form).length === 0) ?? -1;
    if (place >= 0)
      tell(
        `${select[name]![place]} is not a family of forms`,
        at('select', name, place),
        null,
        'Write 10-K*, 13F-*, DEF*. List other types one by one, with their amendments: [8-K, 8-K/A].',
      );
  }
  const excluded = new Set(excluded_form_types?.map((form) => form.toUpperCase()));
  const both = form_types?.findIndex((form) => excluded.has(form.toUpperCase())) ?? -1;
  if (both >= 0) {
    tell(`${form_types![both]} is in form_types and in excluded_form_types`, at('select', 'form_types', both));
  }
  if (form_types?.length && select.exclude_amendments && form_types.every((form) => /\/A$/i.test(form))) {
    tell('form_types names amendments only, and exclude_amendments leaves them out', at('select', 'form_types'));
  }
  if (items?.length && form_types?.length && !form_types.some(isEightK)) {
    tell('items are those of 8-K filings, and form_types names no 8-K', at('select', 'items'));
  }
  const { query, files } = withoutFiles(entity_query);
  const listed = Object.keys(files);
  if (listed.length > 1) {
    const place = at('select', 'entity_query', listed[1]!);
    tell('only one of ciks, tickers and names can be in a file', place, null, BOTH_LISTS_REMEDY);
  }
  if (files.names && query?.ciks !== undefined) {
    const remedy = 'Leave ciks out: the names stand for the CIKs of their companies.';
    tell("names in a file can't be combined with ciks", at('select', 'entity_query', 'ciks'), null, remedy);
  }
  if (files.names && service?.edgar !== undefined) {
    const remedy = 'List ciks or tickers: EDGAR is asked by those.';
    tell("names in a file can't be combined with service.edgar", at('select', 'entity_query', 'names'), null, remedy);
  }
  if (query !== undefined && listed.length === 0 && !isEntityFilter(query)) {
    const remedy = entities === 'query' ? 'Leave entity_query out to ask for all entities.' : undefined;
    tell('select.entity_query has no filter', at('select', 'entity_query'), null, remedy);
  }
}

/** A date and one relative to an unknown day can't be compared yet. */
function isAfter(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || isRelativeDate(from) !== isRelativeDate(to)) return false;
  return resolveDate(from, SOME_DAY) > resolveDate(to, SOME_DAY);
}

/** Filters of filings that have no effect or contradict another key. */
function refuseKinds({ select, tables }: DefinitionYaml, at: PlaceOf, tell: TellAt): void {
  const { accession_numbers, entities, fulltext } = select;
  const filters = ['form_types', 'excluded_form_types', 'exclude_amendments', 'items', 'date_from', 'date_to'] as const;
  const isGiven = (name: keyof typeof select) => {
    const value = select[name];
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  };
  if (entities === 'query') {
    if (!tables.some(isEntityTable)) {
      tell(
        'entities: query asks for entities, and tables names no table of them',
        at('select', 'entities'),
        null,
        'Add entities to tables.',
      );
    }
    const useless =
      tables.every(isEntityTable) && ([...filters, 'fulltext', 'accession_numbers'] as const).find(isGiven);
    if (useless) {
      tell(
        `select.${useless} selects filings, and tables names tables of entities only`,
        at('select', useless),
        null,
        'Add filings to tables.',
      );
    }
  }
  if (accession_numbers !== undefined) {
    const others =
      entities === 'query'
        ? [...filters, 'fulltext' as const]
        : [...filters, 'fulltext' as const, 'entity_query' as const];
    const other = others.find(isGiven);
    if (other) tell(`select.accession_numbers can't be combined with ${other}`, at('select', other));
  }
  if (fulltext !== undefined && !/[\p{L}\p{N}]/u.test(fulltext.query)) {
    tell('select.fulltext.query has no word', at('select', 'fulltext', 'query'));
  }
}

function refuseDocuments({ documents }: DefinitionYaml, at: PlaceOf, tell: TellAt): void {
  const types = documents?.types ?? [];
  const graphic = types.findIndex(isGraphicType);
  if (graphic >= 0 && !documents?.graphics) {
    tell(`documents.types names ${types[graphic]}, and documents.graphics is false`, at('documents', 'types', graphic));
  }
  if (types.length > 1 && types.includes('all')) {
    tell("documents.types: 'all' can't be combined with other types", at('documents', 'types', types.indexOf('all')));
  }
}

/** Tables that only some forms have, together with those of the same forms. */
function tablesOfForms(names: readonly string[]): Map<Forms, string[]> {
  const tables = new Map<Forms, string[]>();
  for (const name of names) {
    const forms = tableNamed(name)?.forms;
    if (forms) tables.set(forms, [...(tables.get(forms) ?? []), name]);
  }
  return tables;
}

/** The pattern of tables that belong to no form. */
const NEVER = '^$';

/** Allowed definitions that yield nothing. */
export function warningsOf(definition: ExportDefinition): string[] {
  const { form_types, date_from } = definition.select;
  const warnings: string[] = [];
  for (const form of ['10-K', '10-Q'] as const) {
    const kin = kinLeftOut(form_types ?? [], form);
    if (kin.length > 0 && (date_from === undefined || (!isRelativeDate(date_from) && date_from < LAST_KIN)))
      warnings.push(
        `form_types leaves out ${kin.join(', ')}, under which such reports were filed too, most of them until 2009; ${form}* names all`,
      );
  }
  const has = (tables: readonly string[]) => tables.filter((table) => (definition.tables as string[]).includes(table));
  const sections = has(['sections', 'section_contents']);
  if (sections.length === 0 && definition.sections) {
    warnings.push('sections.codes has no effect: tables has neither sections nor section_contents');
  }
  const ofForm = definition.tables.filter((name) => tableNamed(name)?.sources.some((source) => source === 'forms'));
  // The XML of XBRL is in exhibits, which only `all` stores.
  const isOfXml = (name: string) => /^(?!xbrl|statements)./.test(tableNamed(name)?.group ?? '');
  const mapped = definition.documents.types.includes('all') ? ofForm : ofForm.filter(isOfXml);
  if (mapped.length > 0 && has(['document_contents']).length > 0 && definition.documents.xml === 'json') {
    warnings.push(
      'document_contents stores XML as JSON: filinglake remap can make no tables of forms from it. For that set documents.xml to raw',
    );
  }
  if (!form_types) return warnings;
  const families = form_types.flatMap((form) => sectionFamily(form) ?? []);
  if (
    sections.length > 0 &&
    families.length > 0 &&
    families.every((family) => choiceOfCodes(definition, family)?.length === 0)
  ) {
    warnings.push(`${sections.join(' and ')} will stay empty: sections.codes names none of those forms`);
  }
  for (const [{ has: mayHave, pattern, words }, tables] of tablesOfForms(definition.tables)) {
    // Tables that belong to no form, such as form_problems, get rows with any table of a form.
    if (pattern === NEVER && ofForm.length > tables.length) continue;
    if (!form_types.some((form) => mayHave(form))) warnings.push(`${tables.join(' and ')} will stay empty: ${words}`);
  }
  return warnings;
}
