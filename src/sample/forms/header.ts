/** Parties and other facts of a submission's header. */
import { compactDay, dayOf, yearOf } from '../calendar.ts';
import type { Entity } from '../company.ts';
import type { PlannedFiling, SampleParty, Submission } from '../filing.ts';
import { Random } from '../random.ts';

type Act = SampleParty['act'];

/** A party with its FILING VALUES. */
export function party(
  plan: PlannedFiling,
  role: string,
  entity: Entity,
  act: Act,
  fileNumber: string | null,
  number = 0,
): SampleParty {
  const r = new Random(plan.company.seed, 'film', plan.index, number);
  const film = `${String(yearOf(plan.filed) % 100).padStart(2, '0')}${r.symbols('0123456789', 6)}`;
  return { role, entity, form: plan.form, act, fileNumber, filmNumber: film };
}

/** A submission with one filer, the company itself, and nothing special. */
export function submissionOf(
  plan: PlannedFiling,
  act: Act,
  more: Partial<Submission> & Pick<Submission, 'documents'>,
): Submission {
  const r = new Random(plan.company.seed, 'accepted', plan.index);
  // Until 17:30 a filing is of the same day.
  const seconds = r.int(6 * 3600 + 1, 17.5 * 3600 - 1);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((n) => String(n).padStart(2, '0'))
    .join('');
  return {
    plan,
    accessionNumber: plan.accessionNumber,
    form: plan.form,
    filed: plan.filed,
    period: plan.period,
    accepted: `${compactDay(plan.filed)}${clock}`,
    items: [],
    parties: [party(plan, 'filer', plan.company, act, plan.company.fileNumber)],
    series: [],
    newSeries: false,
    extraHeader: exchangeLine(plan),
    // EDGAR counts documents that it doesn't publish.
    publicDocumentCount: more.documents.length + (plan.filed > dayOf(2019, 1, 1) && r.chance(0.1) ? r.int(1, 2) : 0),
    ...more,
  };
}

/** `SROS:` stood in headers until 2000. */
function exchangeLine(plan: PlannedFiling): string[] {
  const exchange = plan.company.tickers[0]?.exchange;
  if (plan.filed > dayOf(2000, 12, 31) || !exchange) return [];
  return [`SROS:\t\t\t${exchange === 'Nasdaq' ? 'NASD' : 'NYSE'}`];
}
