import { describe, expect, it } from 'vitest';
import type { Party } from '../../../../src/filings/api/index.ts';
import { primaryFiler } from '../../../../src/filings/edgar/index.ts';

function parties(...roles: string[]): Party[] {
  return roles.map((role, i) => ({ role, cik: String(i + 1) }) as Party);
}

describe('the party by which a filing goes', () => {
  it.each([
    [['filed_by', 'subject_company', 'filer', 'filer'], '3'],
    [['filed_by', 'subject_company'], '2'],
    [['reporting_owner', 'issuer'], '2'],
    [['issuer', 'subject_company'], '2'],
    [['filed_for', 'filed_by'], '1'],
  ])('of %j is the %s.', (roles, cik) => {
    expect(primaryFiler(parties(...roles))?.cik).toBe(cik);
  });

  it('is nobody if there are none', () => {
    expect(primaryFiler([])).toBeNull();
  });
});
