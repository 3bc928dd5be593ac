/** Typewritten 13F tables in layouts that filers use. */
import { describe, expect, it } from 'vitest';
import { readTextTable } from '../../../../src/filings/forms/f13/text-table.ts';
import { layouts } from './f13-layouts/made-filings.ts';

const rowsOf = (text: string) =>
  readTextTable(text).holdings.map(({ name, title, cusip, value, shares, rest }) =>
    [name, title, cusip, value, shares, rest].join(' | '),
  );

describe('typewritten 13F tables', () => {
  for (const [name, { text, rows }] of Object.entries(layouts))
    it(name, () => {
      expect(rowsOf(text)).toEqual(rows.trim().split('\n'));
    });
});
