/** One question at a time, and nothing but questions: what a query may be. */
import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api';
import { FilinglakeError } from '../../core/index.ts';

/**
 * Prepares the one statement of a text that reads.
 * @returns null where the text is one statement that DuckDB makes several of: a PIVOT whose columns are those of its rows
 * @throws FilinglakeError `sql-refused` (exit 2) for several statements, and for what isn't a question; DuckDB's own errors
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
    if (!bare.includes(';')) return null;
    throw refused(
      `${statements.count} statements were given, and one is answered at a time`,
      'Ask them one by one, or make one of them: WITH first AS (SELECT …) SELECT … FROM first.',
    );
  }
  const statement = await statements.prepare(0);
  const { statementType } = statement;
  if (statementType === StatementType.SELECT) return statement;
  // EXPLAIN ANALYZE runs what it explains: a COPY would write its file.
  const explained = /^\s*EXPLAIN\s+(ANALYZE\b|\([^)]*\))?/i.exec(withoutLeadingComments(sql));
  if (statementType === StatementType.EXPLAIN && explained) {
    const inner = await prepareQuestion(connection, withoutLeadingComments(sql).slice(explained[0].length));
    inner?.destroySync();
    return statement;
  }
  statement.destroySync();
  throw refused(
    `a lake is asked, not changed: ${bare.split(/\s/, 1)[0]!.toUpperCase()} is not taken`,
    'Ask with SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN. Results are kept by --output FILE.',
  );
}

function refused(message: string, remedy: string): FilinglakeError {
  return new FilinglakeError('sql-refused', message, { remedy });
}

/** Where a semicolon is one: texts, quoted names and comments left out. */
function withoutTextsAndComments(sql: string): string {
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$[\s\S]*?\$\$|--[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    /^['"$]/.test(found) ? 'x' : ' ',
  );
}

function withoutLeadingComments(sql: string): string {
  return sql.replace(/^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '');
}
