import { describe, expect, it } from 'vitest';
import { mayShare } from '../../../src/export/definition/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';

function definition(select: string, tables = 'filings', base_url = 'http://127.0.0.1:8080') {
  const yaml = `name: n\nservice: { base_url: "${base_url}" }\nselect: ${select}\ntables: [${tables}]`;
  return parseExportDefinition(yaml, 'n.yaml', {}).definition;
}

describe('two exports', () => {
  it.each([
    ['{}', '{}', true],
    ['{ form_types: [10-K, 8-K] }', '{ form_types: [8-k] }', true],
    ['{ form_types: [10-K] }', '{ form_types: [8-K] }', false],
    ['{ form_types: [10-K] }', '{}', true],
    ['{ date_to: 2020-12-31 }', '{ date_from: 2021-01-01 }', false],
    ['{ date_from: 2020-06-01, date_to: 2020-12-31 }', '{ date_from: 2020-12-31 }', true],
    ['{ date_from: 2021-01-01 }', '{ date_to: 2020-12-31 }', false],
    ['{ entity_query: { tickers: [BRK.B] } }', '{ entity_query: { tickers: [brk-b] } }', true],
    ['{ entity_query: { tickers: [AAPL] } }', '{ entity_query: { tickers: [MSFT] } }', false],
    ['{ entity_query: { ciks: ["0000320193"] } }', '{ entity_query: { ciks: ["320193"] } }', true],
  ])('that select %s and %s may fetch the same: %s', (one, other, expected) => {
    expect(mayShare(definition(one), definition(other))).toBe(expected);
    expect(mayShare(definition(other), definition(one))).toBe(expected);
  });

  it('of other tables or services do not', () => {
    const entities = { ...definition('{}'), tables: ['entities' as const] };
    expect(mayShare(definition('{}'), entities)).toBe(false);
    expect(mayShare(definition('{}'), definition('{}', 'filings', 'http://127.0.0.1:9090'))).toBe(false);
  });
});
