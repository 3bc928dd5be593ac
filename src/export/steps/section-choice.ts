/** Which sections an export keeps: the selector in coverage, and the rows that belong to it. */
import { SECTION_CODES, type SectionFamily } from '../../api/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';
import type { Step } from './step.ts';

/** The wanted codes of a family; null: all of them. */
export function choiceOfCodes(definition: ExportDefinition, family: SectionFamily): string[] | null {
  const chosen = definition.sections?.codes;
  return chosen === undefined ? null : SECTION_CODES[family].filter((code) => chosen.includes(code));
}

/** The selector in coverage: `10-K` for all sections, `10-K:1A,10-K:7` for a choice. */
export function choiceSelector(name: string, codes: readonly string[] | null): string {
  return codes === null ? name : codes.map((code) => `${name}:${code}`).join(',');
}

/** Whether a selector includes the row of a section. */
function isChosen(selector: string, name: string, code: unknown): boolean {
  return selector.split(',').some((word) => word === name || word === `${name}:${String(code)}`);
}

/** Removes the sections that a step's selector doesn't include. */
export function keepChosenSections(rows: Partial<Record<string, Record<string, unknown>[]>>, step: Step): void {
  const [table, name] = 'form_type' in step ? ['section_contents', step.form_type] : ['sections', 'sections'];
  const all = rows[table];
  if (all) rows[table] = all.filter(({ section }) => isChosen(step.selector, name, section));
}
