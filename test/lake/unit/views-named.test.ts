/** Which views a query needs, by the names in it. One too few would read a table as filed in place of the view of its name. */
import { describe, expect, it } from 'vitest';
import { viewsOver } from '../../../src/lake/views/lake-sql.ts';
import { viewsNamed } from '../../../src/lake/views/views.ts';

const names = (sql: string) => new Set([...viewsNamed(sql)].map(({ name }) => name));

describe('the views of a query', () => {
  it.each([
    `SELECT "it's", x FROM fundamentals WHERE y = 'a'`,
    `/* the company's */ SELECT * FROM fundamentals WHERE y = 'a'`,
    `-- it's\nSELECT * FROM fundamentals WHERE y = 'a'`,
    `SELECT $$it's$$, x FROM fundamentals WHERE y = 'a'`,
    `SELECT e'it\\'s', x FROM fundamentals WHERE y = 'a'`,
    `SELECT 'it''s', x FROM Fundamentals WHERE y = 'a'`,
    `SELECT '--' FROM "fundamentals"`,
    `SELECT '"' FROM lake."fundamentals" WHERE y = '"'`,
  ])('have fundamentals: %s', (sql) => {
    expect(names(sql)).toContain('fundamentals');
  });

  it.each([`SELECT 'fundamentals'`, `SELECT 1 -- of fundamentals`])('lack fundamentals: %s', (sql) => {
    expect(names(sql)).not.toContain('fundamentals');
  });

  it('of who is who are in no lake without a source of them', () => {
    const shown = (...tables: string[]) => viewsOver(new Set(tables)).map(({ name }) => name);
    expect(shown('filings', 'parties', 'entities', 'entity_tickers')).not.toContain('identities');
    expect(shown('filings', 'parties', 'ownership_reports')).toContain('identities');
  });
});
