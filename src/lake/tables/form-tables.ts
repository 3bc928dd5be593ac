/** The tables of structured forms, out of the descriptors of their mappings: a form that is mapped has its tables in the lake. */
import {
  FORM_GROUPS,
  type FormTable,
  familiesOf,
  groupOfForm,
  LEFT_OUT_TABLES,
  XML_FORM_GROUPS,
} from '../../filings/forms/index.ts';
import { PRINTED_TABLES, STATEMENT_TABLES } from '../../filings/statements/index.ts';
import { type Forms, type Table, toFiling } from './table.ts';

/** Names of form tables are known at run time only. */
export type FormTableName = string & { readonly __formTable: true };
type TableOfForm = Table & { readonly name: FormTableName; readonly sources: readonly ['forms'] };

const NO_FORM: Forms = { has: () => false, pattern: '^$', words: 'its rows come along with tables of a form' };

const STATEMENTS = 'statements';
const REPORTS: Forms = {
  has: (formType) => /^(10-?[KQ]|[24]0-F)/i.test(formType),
  pattern: '^(10-?[KQ]|[24]0-F)',
  words: 'only annual and quarterly reports have statements',
};

/** A group of its own: who asks for statements does not fetch pages for those without tags. */
const PRINTED = 'printed';
const PRINTED_REPORTS: Forms = {
  has: (formType) => /^10-?[KQ]/i.test(formType),
  pattern: '^10-?[KQ]',
  words: 'only 10-K and 10-Q are read for printed statements',
};
const FORMS_OF: Readonly<Record<string, Forms>> = { [STATEMENTS]: REPORTS, [PRINTED]: PRINTED_REPORTS };

export const formTables: readonly TableOfForm[] = [
  ...[...FORM_GROUPS, [STATEMENTS, STATEMENT_TABLES] as const, [PRINTED, PRINTED_TABLES] as const].flatMap(
    tablesOfGroup,
  ),
  ...LEFT_OUT_TABLES.map((table) => tableOf(table, { forms: NO_FORM })),
];

function tablesOfGroup([group, tables]: readonly [string, readonly FormTable[]]): TableOfForm[] {
  // Documents of any form may have XBRL.
  const isXml = XML_FORM_GROUPS.has(group);
  const needs = LEFT_OUT_TABLES.map(({ name }) => name);
  return tables.map((table) => {
    // Tables of one form's XML and of its text share no form types.
    const kin = tables.filter(({ forms }) => forms.some((form) => table.forms.includes(form)));
    const known = FORMS_OF[group];
    const forms = known !== undefined ? { forms: known } : isXml ? { forms: formsOf(group, kin) } : {};
    return tableOf(table, { group, ...forms, needs });
  });
}

function tableOf(
  { name, meaning, key, columns, wide = [], clusteredBy }: FormTable,
  more: Pick<Table, 'forms' | 'group' | 'needs'>,
): TableOfForm {
  return {
    name: name as FormTableName,
    meaning,
    key,
    columns: columns.map((column) => ({ name: column.name, type: column.type, meaning: column.meaning })),
    unit: ['accession_number'],
    references: [toFiling],
    wide,
    ...(clusteredBy && { clusteredBy }),
    onDemand: true,
    sources: ['forms'],
    ...more,
  };
}

function formsOf(group: string, tables: readonly FormTable[]): Forms {
  const types = new Set(tables.flatMap(({ forms }) => forms));
  const families = familiesOf(group).filter((family) => [...types].some((type) => new RegExp(family).test(type)));
  const pattern = [`^(${[...types].join('|')})$`, ...families].join('|');
  const isOne = new RegExp(pattern);
  return {
    has: (formType) => groupOfForm(formType) === group && isOne.test(formType.toUpperCase()),
    pattern,
    words: `only forms ${[...types].filter((type) => !type.endsWith('/A')).join(', ')} have them`,
  };
}
