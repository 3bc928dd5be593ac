/** Turns a planned filing into a submission: the writer of each form. */
import type { PlannedFiling, Submission } from '../filing.ts';
import { currentReport } from './current.ts';
import { holdingsReport } from './holdings.ts';
import {
  fundFiling,
  letter,
  ownershipSchedule,
  prospectus,
  proxyStatement,
  registrationStatement,
} from './narrative.ts';
import { exemptOffering } from './offering.ts';
import { ownershipReport } from './ownership.ts';
import { periodicReport } from './periodic.ts';

const WRITERS: readonly (readonly [RegExp, (plan: PlannedFiling) => Submission])[] = [
  [/^10-[KQ]/, periodicReport],
  [/^8-K/, currentReport],
  [/^[345]$/, ownershipReport],
  [/^13F/, holdingsReport],
  [/^D(\/A)?$/, exemptOffering],
  [/^485BPOS$/, fundFiling],
  [/^DEF 14A$/, proxyStatement],
  [/^S-1$/, registrationStatement],
  [/^424B/, prospectus],
  [/^SC 13G/, ownershipSchedule],
  [/^CORRESP$/, letter],
];

export function compose(plan: PlannedFiling): Submission {
  return WRITERS.find(([form]) => form.test(plan.form))![1](plan);
}
