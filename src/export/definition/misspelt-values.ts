/** Values spelled like none of EDGAR's, which a service accepts and finds nothing for. Warnings: it may know more. */
import { nearestWord } from '../../core/index.ts';
import {
  EIGHT_K_ITEMS,
  EIGHT_K_ITEMS_BEFORE_2004,
  isFormFamily,
  looksLikeStateCode,
  meantFormType,
  stateCodeOf,
} from '../../filings/api/index.ts';
import type { DefinitionYaml } from './schema.ts';
import { type PlacedValues, positionOf } from './yaml-values.ts';

const ITEMS = [...EIGHT_K_ITEMS, ...EIGHT_K_ITEMS_BEFORE_2004];

/** A warning for each, with its place and the probable value. */
export function misspeltValues({ select, documents }: DefinitionYaml, values: PlacedValues): string[] {
  const warnings: string[] = [];
  const look = (
    path: readonly string[],
    list: readonly string[] | undefined,
    wrong: (value: string) => string | null,
  ) => {
    for (const [i, value] of (list ?? []).entries()) {
      const what = wrong(value);
      if (what === null) continue;
      const { line, column, option } = positionOf(values, [...path, i]);
      warnings.push(`${option ?? `line ${line}, column ${column}`}: ${what}`);
    }
  };
  look(['select', 'form_types'], select.form_types, wrongForm);
  look(['select', 'excluded_form_types'], select.excluded_form_types, wrongForm);
  look(['select', 'items'], select.items, wrongItem);
  look(['select', 'entity_query', 'states'], select.entity_query?.states, wrongState);
  look(['select', 'fulltext', 'document_types'], select.fulltext?.document_types, wrongExhibit);
  look(['documents', 'types'], documents?.types, (type) => wrongKind(type) ?? wrongExhibit(type));
  return warnings;
}

function wrongForm(form: string): string | null {
  if (isFormFamily(form)) return null;
  const meant = meantFormType(form);
  return meant === null ? null : `EDGAR has no form type '${form}'; did you mean '${meant}'?`;
}

const KINDS = ['primary', 'exhibits', 'all'];

function wrongKind(type: string): string | null {
  if (KINDS.includes(type)) return null;
  const near = nearestWord(type, KINDS);
  return near === null ? null : `no document is of type '${type}'; did you mean '${near}'?`;
}

/** EX99.1 for EX-99.1 */
function wrongExhibit(type: string): string | null {
  const [, number] = /^EX ?(\d.*)$/i.exec(type.trim()) ?? [];
  return number === undefined ? null : `no document is of type '${type}'; did you mean 'EX-${number}'?`;
}

function wrongItem(item: string): string | null {
  if (ITEMS.includes(item.trim())) return null;
  // 2.2 and Item 2.02 mean 2.02. YAML turns 2.02 into a number.
  const [, major, minor] = /^(?:item)?\s*(\d)\.(\d{1,2})\.?$/i.exec(item.trim()) ?? [];
  const padded = major === undefined ? null : `${major}.${minor!.padStart(2, '0')}`;
  const near = padded !== null && ITEMS.includes(padded) ? padded : nearestWord(item.trim(), ITEMS);
  return `Form 8-K has no item '${item}'${near === null ? ': items are numbered as 2.02, and before 2004 as 12' : `; did you mean '${near}'?`}`;
}

function wrongState(state: string): string | null {
  if (looksLikeStateCode(state)) return null;
  const code = stateCodeOf(state);
  return `states have codes of two characters, not '${state}'${code === null ? ': DE, NY, A6' : `; did you mean '${code}'?`}`;
}
