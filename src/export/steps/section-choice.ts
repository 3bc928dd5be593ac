/** Which sections an export keeps: what coverage remembers of the choice, and which rows belong to it. */
import { SECTION_CODES, type SectionFamily } from '../../api/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';
import type { Step } from './step.ts';

/** The codes of a family that are wanted; null: all of them. */
export function choiceOfCodes(definition: ExportDefinition, family: SectionFamily): string[] | null {
  const chosen = definition.sections?.codes;
  return chosen === undefined ? null : SECTION_CODES[family].filter((code) => chosen.includes(code));
}

/** What coverage remembers: `10-K` for all sections, `10-K:1A,10-K:7` for a choice. */
export function choiceSelector(name: string, codes: readonly string[] | null): string {
  return codes === null ? name : codes.map((code) => `${name}:${code}`).join(',');
}

/** Whether a section's row belongs to what a selector says of a name: all of it, or this code of it. */
function isChosen(selector: string, name: string, code: unknown): boolean {
  return selector.split(',').some((word) => word === name || word === `${name}:${String(code)}`);
}

/** Takes the sections out of a step's rows that its selector doesn't ask for. */
export function keepChosenSections(rows: Partial<Record<string, Record<string, unknown>[]>>, step: Step): void {
  const [table, name] = 'form_type' in step ? ['section_contents', step.form_type] : ['sections', 'sections'];
  const all = rows[table];
  if (all) rows[table] = all.filter(({ section }) => isChosen(step.selector, name, section));
}
