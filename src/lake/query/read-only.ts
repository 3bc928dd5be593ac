/** Accepts one reading statement at a time. */
import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api';
import { FilinglakeError } from '../../core/index.ts';

/**
 * Prepares the single reading statement of a text.
 * @returns null for one statement that DuckDB splits into several: a PIVOT whose columns come from its rows
 * @throws FilinglakeError `sql-refused` (exit 2) for several statements, or one that doesn't only read; DuckDB's own errors
 */
export async function prepareQuestion(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBPreparedStatement | null> {
  const bare = withoutTextsAndComments(sql)
    .trim()
    .replace(/[;\s]+$/, '');
  if (bare === '') throw refused('the query holds no statement', 'filinglake sql "SELECT count(*) FROM filings"');
  const statements = await connection.extractStatements(sql);
  if (statements.count > 1) {
    // Strings with escapes or tags are not known here: they could hide a semicolon.
    if (!bare.includes(';') && !/\$\w+\$|\be'/i.test(sql)) return null;
    throw refused(
      `${statements.count} statements were given; run one at a time`,
      'Run them one by one, or combine them: WITH first AS (SELECT …) SELECT … FROM first.',
    );
  }
  const statement = await statements.prepare(0);
  const { statementType } = statement;
  if (statementType === StatementType.SELECT) return statement;
  // EXPLAIN ANALYZE runs its statement: a COPY would write its file.
  const explained = /^\s*EXPLAIN\s+(ANALYZE\b|\([^)]*\))?/i.exec(withoutLeadingComments(sql));
  if (statementType === StatementType.EXPLAIN && explained) {
    const inner = await prepareQuestion(connection, withoutLeadingComments(sql).slice(explained[0].length));
    inner?.destroySync();
    return statement;
  }
  statement.destroySync();
  throw refused(
    `a lake can only be read: ${bare.split(/\s/, 1)[0]!.toUpperCase()} is not allowed`,
    'Use SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN. To keep results, use --output FILE.',
  );
}

function refused(message: string, remedy: string): FilinglakeError {
  return new FilinglakeError('sql-refused', message, { remedy });
}

/** Only real semicolons: texts, quoted names and comments are left out. */
function withoutTextsAndComments(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[\s\S]*?\$\$|--[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    /^['"$]/.test(found) ? 'x' : ' ',
  );
}

function withoutLeadingComments(sql: string): string {
  return sql.replace(/^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '');
}
