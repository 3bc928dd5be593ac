/** Values that a service takes and finds nothing by, since they are spelt as none of EDGAR's are: told, not refused, for it may know more. */
import {
  EIGHT_K_ITEMS,
  EIGHT_K_ITEMS_BEFORE_2004,
  looksLikeStateCode,
  meantFormType,
  nearestWord,
  stateCodeOf,
} from '../contract/index.ts';
import type { DefinitionYaml } from './definition-schema.ts';
import { type PlacedValues, positionOf } from './yaml-values.ts';

const ITEMS = [...EIGHT_K_ITEMS, ...EIGHT_K_ITEMS_BEFORE_2004];

/** A warning for each, with its place and the value that may be meant. */
export function misspeltValues({ select }: DefinitionYaml, values: PlacedValues): string[] {
  const warnings: string[] = [];
  const look = (
    path: readonly string[],
    list: readonly string[] | undefined,
    wrong: (value: string) => string | null,
  ) => {
    for (const [i, value] of (list ?? []).entries()) {
      const what = wrong(value);
      if (what === null) continue;
      const { line, column, option } = positionOf(values, ['select', ...path, i]);
      warnings.push(`${option ?? `line ${line}, column ${column}`}: ${what}`);
    }
  };
  look(['form_types'], select.form_types, wrongForm);
  look(['excluded_form_types'], select.excluded_form_types, wrongForm);
  look(['items'], select.items, wrongItem);
  look(['entity_query', 'states'], select.entity_query?.states, wrongState);
  return warnings;
}

function wrongForm(form: string): string | null {
  const meant = meantFormType(form);
  return meant === null ? null : `EDGAR has no form type '${form}'; did you mean '${meant}'?`;
}

function wrongItem(item: string): string | null {
  if (ITEMS.includes(item.trim())) return null;
  // 2.2 and Item 2.02 mean 2.02; 2.02 is what YAML makes of it, and what the form has.
  const [, major, minor] = /^(?:item)?\s*(\d)\.(\d{1,2})\.?$/i.exec(item.trim()) ?? [];
  const padded = major === undefined ? null : `${major}.${minor!.padStart(2, '0')}`;
  const near = padded !== null && ITEMS.includes(padded) ? padded : nearestWord(item.trim(), ITEMS);
  return `Form 8-K has no item '${item}'${near === null ? ': items are numbered as 2.02, and before 2004 as 12' : `; did you mean '${near}'?`}`;
}

function wrongState(state: string): string | null {
  if (looksLikeStateCode(state)) return null;
  const code = stateCodeOf(state);
  return `states are told by codes of two characters, not as '${state}'${code === null ? ': DE, NY, A6' : `; did you mean '${code}'?`}`;
}
