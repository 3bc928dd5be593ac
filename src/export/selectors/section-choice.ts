/** Which sections an export keeps: the selector in coverage, and the rows that belong to it. */
import { SECTION_CODES, type SectionFamily, sectionFamily } from '../../filings/api/index.ts';
import { type ExportTable, namesFrom } from '../../lake/tables/index.ts';
import type { ExportDefinition } from '../definition/index.ts';
import type { Step } from './step.ts';

/** The selector in coverage: `10-K` for all sections, `10-K:1A,10-K:7` for a choice. */
export function choiceSelector(name: string, codes: readonly string[] | null): string {
  return codes === null ? name : codes.map((code) => `${name}:${code}`).join(',');
}

/** Tables that an export makes of sections, beside their contents. */
const MADE_OF_SECTIONS: readonly ExportTable[] = namesFrom('sections').filter((name) => name !== 'section_contents');

/** How readable texts are written. */
export type TextFormat = NonNullable<ExportDefinition['text_format']> | 'plain';

/** Words in the selector of sections and documents whose readable texts are not plain. */
export const TEXT_FORMATS = ['markdown', 'lines'] as const satisfies readonly TextFormat[];

export function formatOfWords(words: readonly string[]): TextFormat {
  return TEXT_FORMATS.find((format) => words.includes(format)) ?? 'plain';
}

/** As `choiceSelector` for contents of sections, with what else is made of them: tables, and the format of texts. */
export function sectionsSelector(definition: ExportDefinition, name: string, codes: readonly string[] | null): string {
  const made = MADE_OF_SECTIONS.filter((table) => definition.tables.includes(table));
  return [
    choiceSelector(name, codes),
    ...made,
    ...(definition.text_format === undefined ? [] : [definition.text_format]),
  ].join(',');
}

export function tablesOfSections(selector: string): readonly ExportTable[] {
  const words = selector.split(',');
  return ['section_contents', ...MADE_OF_SECTIONS.filter((table) => words.includes(table))];
}

/** Whether a selector includes the row of a section. */
function isChosen(selector: string, name: string, code: unknown): boolean {
  return selector.split(',').some((word) => word === name || word === `${name}:${String(code)}`);
}

/** Whether a name is a code of the family; without one, of any form. */
function isCode(name: string, family: SectionFamily | null): boolean {
  return family === null
    ? Object.values(SECTION_CODES).some((codes) => codes.includes(name))
    : SECTION_CODES[family].includes(name);
}

/**
 * Names of an answer that are not codes, and that may stand for chosen sections which the answer lacks. All of them may if the answer
 * has not one code. Otherwise those may that have the number of a chosen section, as `Item 2` of a 10-Q has.
 */
function unmatchedNames(
  names: readonly string[],
  selector: string,
  name: string,
  family: SectionFamily | null,
): string[] {
  const words = selector.split(',');
  if (words.includes(name)) return [];
  const missing = words.flatMap((word) => {
    const code = word.startsWith(`${name}:`) ? word.slice(name.length + 1) : '';
    return code === '' || names.includes(code) ? [] : [code];
  });
  if (missing.length === 0) return [];
  const unread = names.filter((one) => !isCode(one, family));
  if (unread.length === names.length) return unread;
  const numbers = new Set(missing.map((code) => itemOf(code)));
  return unread.filter((one) => numbers.has(itemOf(one)));
}

/** `1A` of `II-1A` and of `Item 1a`. */
function itemOf(name: string): string {
  return /(\d{1,2}[A-C]?)(?:\W|$)/i.exec(name)?.[1]?.toUpperCase() ?? '';
}

/**
 * Removes the sections that a step's selector doesn't include. Those that may be included under another name stay.
 * @param formType of the filing
 * @returns the names of these: the answer can't be said to lack what was chosen
 */
export function keepChosenSections(
  rows: Partial<Record<string, Record<string, unknown>[]>>,
  step: Step,
  formType: string | null,
): string[] {
  const [tables, name] =
    'form_type' in step ? [namesFrom('sections'), step.form_type] : [['sections'] as const, 'sections'];
  const family = sectionFamily('form_type' in step ? step.form_type : (formType ?? ''));
  const names = [...new Set(tables.flatMap((table) => (rows[table] ?? []).map(({ section }) => String(section))))];
  const unmatched = unmatchedNames(names, step.selector, name, family);
  for (const table of tables) {
    const all = rows[table];
    if (all)
      rows[table] = all.filter(
        ({ section }) => isChosen(step.selector, name, section) || unmatched.includes(String(section)),
      );
  }
  return unmatched;
}
