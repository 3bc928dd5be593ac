import type { Party } from '../../api/index.ts';

/** The party that gives a filing its CIK and name: the first filer, else the subject company, else the issuer, else the first party. */
export function primaryFiler(parties: readonly Party[]): Party | null {
  for (const role of ['filer', 'subject_company', 'issuer']) {
    const party = parties.find((candidate) => candidate.role === role);
    if (party) return party;
  }
  return parties[0] ?? null;
}
