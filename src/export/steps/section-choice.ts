/** Which sections an export keeps: the selector in coverage, and the rows that belong to it. */
import { SECTION_CODES, type SectionFamily } from '../../api/index.ts';
import { type ExportTable, namesFrom } from '../../tables/index.ts';
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

/** Tables that an export makes of sections, beside their contents. */
const MADE_OF_SECTIONS: readonly ExportTable[] = namesFrom('sections').filter((name) => name !== 'section_contents');

/** The word in the selector of sections and documents whose readable texts are Markdown. */
export const MARKDOWN = 'markdown';

/** As `choiceSelector` for contents of sections, with what else is made of them: tables, and Markdown. */
export function sectionsSelector(definition: ExportDefinition, name: string, codes: readonly string[] | null): string {
  const made = MADE_OF_SECTIONS.filter((table) => definition.tables.includes(table));
  return [choiceSelector(name, codes), ...made, ...(definition.text_format === undefined ? [] : [MARKDOWN])].join(',');
}

/** The tables that a selector of contents of sections names. */
export function tablesOfSections(selector: string): readonly ExportTable[] {
  const words = selector.split(',');
  return ['section_contents', ...MADE_OF_SECTIONS.filter((table) => words.includes(table))];
}

/** Whether a selector includes the row of a section. */
function isChosen(selector: string, name: string, code: unknown): boolean {
  return selector.split(',').some((word) => word === name || word === `${name}:${String(code)}`);
}

/** Removes the sections that a step's selector doesn't include. */
export function keepChosenSections(rows: Partial<Record<string, Record<string, unknown>[]>>, step: Step): void {
  const [tables, name] =
    'form_type' in step ? [namesFrom('sections'), step.form_type] : [['sections'] as const, 'sections'];
  for (const table of tables) {
    const all = rows[table];
    if (all) rows[table] = all.filter(({ section }) => isChosen(step.selector, name, section));
  }
}
