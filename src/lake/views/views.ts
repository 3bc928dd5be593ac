/** Views of a lake over its tables: DuckDB's SQL, in `sql/*.sql`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLACES, quoteText } from '../../core/index.ts';

export interface View {
  readonly name: string;
  /** Schema of the view. Each of SEC's data sets has one, since several have a SUBMISSION. Absent: a temporary view. */
  readonly schema?: string;
  /** Parameters of a macro. Absent: a view. */
  readonly parameters?: readonly string[];
  readonly meaning: string;
  /** Tables that it reads. A macro without any gives one value. */
  readonly tables: readonly string[];
  /** A lake has the view if it has one of these tables. */
  readonly over: readonly string[];
  /** Meanings of columns that no table has, or has with another meaning. */
  readonly columns: ReadonlyMap<string, string>;
  /** A SELECT, or the expression of a value. */
  readonly sql: string;
}

/** The first comment is the meaning, each line with `name`: that of a column, the last one names the tables, if any, that the view is over before the others: `a|b, c`; comments between them say why. */
const STATEMENT =
  /^-- (.+)\n(?:--.*\n)*?(?:-- reads: (.+)\n)?CREATE OR REPLACE (?:TEMP )?(?:VIEW|MACRO) (?:(\w+)\.)?(\w+)(?:\((.*)\))? AS(?: TABLE)?\n([\s\S]+);\s*$/;

function viewsIn(file: string): View[] {
  const text = readFileSync(join(import.meta.dirname, 'sql', `${file}.sql`), 'utf8');
  return text.split('\n\n').flatMap((statement): View[] => {
    const found = STATEMENT.exec(statement) as [string, string, string?, string?, string?, string?, string?] | null;
    if (found === null) return [];
    const [, meaning, tables, schema, name, parameters, sql] = found;
    return [
      {
        name: name!,
        meaning,
        sql: sql!,
        tables: tables?.split(/, |\|/) ?? [],
        over: (tables ?? '').split(', ')[0]!.split('|'),
        columns: new Map([...statement.matchAll(/^-- `(\w+)`: (.+)$/gm)].map(([, column, of]) => [column!, of!])),
        ...(schema && { schema }),
        ...(parameters !== undefined && { parameters: parameters.split(', ').filter((one) => one !== '') }),
      },
    ];
  });
}

const quoted = (text: string | null) => (text === null ? 'NULL' : quoteText(text));

const PLACES_VIEW: View = {
  name: 'places',
  meaning:
    "EDGAR's codes of states and countries, as in `state_of_incorporation` and addresses, with the name and the country's ISO code",
  tables: ['parties'],
  over: ['parties'],
  columns: new Map(),
  sql: `SELECT * FROM (VALUES
${PLACES.map((place) => `  (${place.map(quoted).join(', ')})`).join(',\n')}
) AS places(code, name, country)`,
};

const STATEMENTS = viewsIn('statements');

/** Macros of one value, each before those that call it. The views are written with them; they stand in no list of views. */
export const MACROS: readonly View[] = viewsIn('macros');

export const VIEWS: readonly View[] = [
  ...viewsIn('companies'),
  ...viewsIn('coverage'),
  PLACES_VIEW,
  ...viewsIn('texts'),
  ...viewsIn('holdings'),
  ...STATEMENTS,
  ...STATEMENTS.map((view) => ({ ...view, name: `xbrl_${view.name}`, meaning: `The same as ${view.name}` })),
  ...[
    'identities',
    'annual',
    'point-in-time',
    'fundamentals',
    'link',
    'financial',
    'sec345',
    'sec13f',
    'secd',
    'secnport',
  ].flatMap(viewsIn),
];

/** Views with the names of tables: the table itself is read under another name. */
const SHADOWING: ReadonlySet<string> = new Set(
  VIEWS.filter(({ name, schema, tables }) => schema === undefined && tables.includes(name)).map(({ name }) => name),
);

/** The name under which SQL reads what a table has: its own, or `…_as_filed` if a view over it has that name. */
export const readAs = (table: string): string => (SHADOWING.has(table) ? `${table}_as_filed` : table);

/** With these, texts may end elsewhere than at the next `'`. Names in texts count then: a view too many is better than one too few. */
const OTHER_QUOTES = /\$|\\|\/\*/;

/** Views and macros whose names stand in a query outside its texts and comments, and those that these read. */
export function viewsNamed(sql: string): ReadonlySet<View> {
  const named = new Set<View>();
  const add = (text: string) => {
    const words = new Set(text.toLowerCase().match(OTHER_QUOTES.test(text) ? /\w+/g : /--.*|'[^']*'|"[^"]*"|\w+/g));
    for (const view of [...MACROS, ...VIEWS]) {
      const name = view.name.toLowerCase();
      if (named.has(view) || !(words.has(name) || words.has(`"${name}"`))) continue;
      named.add(view);
      add(view.sql);
    }
  };
  add(sql);
  return named;
}
