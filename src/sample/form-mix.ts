/** Which forms a company files, by its kind and the day. */
import { dayOf } from './calendar.ts';
import type { Company, CompanyKind } from './company.ts';
import type { Random } from './random.ts';

const OWNERSHIP_ELECTRONIC_SINCE = dayOf(2003, 6, 30);
const LETTERS_PUBLIC_SINCE = dayOf(2005, 5, 12);
const SMALL_FORMS_UNTIL = dayOf(2009, 3, 15);

/** @param small files 10-KSB while there is such a form */
export function annualForm(company: Company, small: boolean, filed: number): string {
  if (small && filed < SMALL_FORMS_UNTIL) return company.style < 0.5 ? '10KSB' : '10-KSB';
  return filed < dayOf(2003, 1, 1) && company.style < 0.35 ? '10-K405' : '10-K';
}

/** Forms with weights, in about the mix of EDGAR's days. */
const MIXES: Record<CompanyKind | 'until 2003', string> = {
  'until 2003': '8-K:52, 8-K/A:8, 10-K/A:6, SC 13G:10, 4:7, S-8:7, 424B3:6, S-1:4',
  operating: '4:48, 8-K:36, 3:3, 5:1, 8-K/A:3, 10-K/A:2, SC 13G:4, S-8:2, 424B5:3',
  manager: '13F-HR/A:1, SC 13G:3',
  fund: '497K:3, 485BPOS:1',
  private: 'D:3, D/A:2',
  depositor: '424B5:3, 424B2:2, 8-K:2',
};

/** A filing between the regular ones. */
export function occasionalForm(kind: CompanyKind, filed: number, r: Random): string {
  const isEarly = filed < OWNERSHIP_ELECTRONIC_SINCE;
  if (kind === 'operating' && !isEarly && filed >= LETTERS_PUBLIC_SINCE && r.chance(0.05))
    return r.pick(['CORRESP', 'UPLOAD']);
  return r.mix(MIXES[kind === 'operating' && isEarly ? 'until 2003' : kind]);
}

export function quarterlyForm(small: boolean, filed: number): string {
  return small && filed < SMALL_FORMS_UNTIL ? '10QSB' : '10-Q';
}
