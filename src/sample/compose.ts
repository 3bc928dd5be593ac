/** Turns a planned filing into a submission: the writer of each form. */
import type { PlannedFiling, Submission } from './filing.ts';
import { currentReport } from './forms/current.ts';
import { fundFiling } from './forms/fund.ts';
import { holdingsReport } from './forms/holdings.ts';
import { letter, ownershipSchedule, prospectus, proxyStatement, registrationStatement } from './forms/narrative.ts';
import { exemptOffering } from './forms/offering.ts';
import { ownershipReport } from './forms/ownership.ts';
import { periodicReport } from './forms/periodic.ts';

const WRITERS: readonly (readonly [RegExp, (plan: PlannedFiling) => Submission])[] = [
  [/^10-?[KQ]/, periodicReport],
  [/^8-K/, currentReport],
  [/^[345]$/, ownershipReport],
  [/^13F/, holdingsReport],
  [/^D(\/A)?$/, exemptOffering],
  [/^(485BPOS|497K|N-CEN)$/, fundFiling],
  [/^DEF 14A$/, proxyStatement],
  [/^S-\d/, registrationStatement],
  [/^424B/, prospectus],
  [/^SC 13G/, ownershipSchedule],
  [/^(CORRESP|UPLOAD)$/, letter],
];

export function compose(plan: PlannedFiling): Submission {
  for (const [form, write] of WRITERS) if (form.test(plan.form)) return write(plan);
  throw new Error(`no writer for form ${plan.form}`);
}
