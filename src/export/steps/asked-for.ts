/** What a definition asks of a filing by itself, without what other exports of the lake have asked. */
import type { ExportTable } from '../../lake/tables/index.ts';
import { choiceOfCodes, type ExportDefinition, wantsFrom } from '../definition/index.ts';
import { type Step, sectionsSelector } from '../selectors/index.ts';
import {
  infoSelector,
  infoTellsMore,
  infoTellsSections,
  type KnownFiling,
  namesDocuments,
  stepsFor,
  wantedFormTables,
} from './steps.ts';

/** @returns null: only an answer of filing_info can tell */
export function asksFor(definition: ExportDefinition, filing: KnownFiling, step: string): boolean | null {
  if (stepsFor(definition, filing).some((one) => one.step === step)) return true;
  return infoTellsMore(definition, filing) && mayFollowInfo(definition, filing, step) ? null : false;
}

function mayFollowInfo(definition: ExportDefinition, filing: KnownFiling, step: string): boolean {
  const { form_type } = filing;
  if (step === 'sections') return infoTellsSections(definition, form_type);
  if (step === 'forms') return wantedFormTables(definition, form_type).length > 0;
  return step.startsWith('document:') && !namesDocuments(filing) && wantsFrom(definition, 'document');
}

/** A step with the selector that the definition alone gives it. */
export function withOwnSelector<S extends Step>(definition: ExportDefinition, filing: KnownFiling, step: S): S {
  if (step.step === 'info') return { ...step, selector: infoSelector(definition, filing) };
  if (!('form_type' in step)) return step;
  const { form_type: family } = step;
  return { ...step, selector: sectionsSelector(definition, family, choiceOfCodes(definition, family)) };
}

/** Tables by the member of filing_info that they are made of. */
const OF_MEMBER: Readonly<Record<string, readonly ExportTable[]>> = {
  documents: ['documents'],
  sections: ['sections'],
  items_8k: ['items_8k', 'exhibits_8k'],
  series: ['header_series'],
  parties: ['parties', 'party_addresses', 'party_former_names'],
};

/** Whether a table is wanted that is made of a member of filing_info. */
export function isFromMember({ tables }: Pick<ExportDefinition, 'tables'>, member: string): boolean {
  return OF_MEMBER[member]?.some((name) => tables.includes(name)) ?? true;
}
