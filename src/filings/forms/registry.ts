/** All forms that are mapped, and their tables. A new form is a folder and a line here. */
import { atsn } from './atsn/form.ts';
import { beneficial } from './beneficial/form.ts';
import { beneficialText } from './beneficial/text-form.ts';
import { effect } from './effect/form.ts';
import { f13, f13Filing, informationTable } from './f13/form.ts';
import { f13Text } from './f13/text-form.ts';
import { formValues } from './form-values.ts';
import { form144 } from './form144/form.ts';
import { formc } from './formc/form.ts';
import { formd } from './formd/form.ts';
import type { FormTable } from './map/descriptor.ts';
import type { FilingMapper, Form } from './map/form.ts';
import { formProblems, formUnknownElements } from './map/problems.ts';
import { ncen } from './ncen/form.ts';
import { nport } from './nport/form.ts';
import { npx, proxyVoteTable } from './npx/form.ts';
import { ownership } from './ownership/form.ts';
import { subsidiaries } from './subsidiaries/form.ts';
import { xbrl } from './xbrl/filing-mapper.ts';

export const FORMS: readonly Form[] = [
  ownership,
  f13,
  informationTable,
  formd,
  beneficial,
  form144,
  nport,
  npx,
  proxyVoteTable,
  formc,
  effect,
  ncen,
  atsn,
];

/** Mappers of whole filings. */
export const FILING_MAPPERS: readonly FilingMapper[] = [f13Filing, f13Text, beneficialText, xbrl, subsidiaries];

/** Tables by the group that names them together: `ownership`. */
export const FORM_GROUPS: ReadonlyMap<string, readonly FormTable[]> = groups();

/** Groups of forms that are filed as XML, which a lake can have. The facts of XBRL are in documents of any form. */
export const XML_FORM_GROUPS: ReadonlyMap<string, readonly FormTable[]> = new Map(
  [...FORM_GROUPS].filter(([group]) => FORMS.some(({ name }) => name === group)),
);

/** Tables of the data that mappings leave out, for all forms. */
export const LEFT_OUT_TABLES: readonly FormTable[] = [formProblems, formUnknownElements];

/** Tables of all forms, then the two for data that they leave out. */
export const FORM_TABLES: readonly FormTable[] = [...[...FORM_GROUPS.values()].flat(), ...LEFT_OUT_TABLES];

function groups(): Map<string, FormTable[]> {
  const byName = new Map<string, FormTable[]>();
  for (const { name, tables } of [...FORMS, ...FILING_MAPPERS])
    byName.set(name, [...(byName.get(name) ?? []), ...tables]);
  return byName.set(formValues.name, [formValues]);
}

const ROOTS = new Set(FORMS.map((form) => form.root));

/** Whether a document with this root may be mapped. */
export function isFormRoot(root: string): boolean {
  return ROOTS.has(root);
}

/** Roots of XML beside forms: XBRL, EDGAR's pages of it and their list, web pages, style sheets. */
const OTHER_ROOTS = new Set(
  'xbrl linkbase schema html instancereport filingsummary myreports financialreport stylesheet svg'.split(' '),
);

export function isOtherRoot(root: string): boolean {
  return OTHER_ROOTS.has(root.toLowerCase());
}

const NEAR_ROOTS = new Set(['xml', ...[...ROOTS].map((root) => root.toLowerCase())]);

/** Whether a root is that of a form in other letters, or EDGAR's wrapper `<XML>`, which is not part of a document. */
export function isNearFormRoot(root: string): boolean {
  return !isFormRoot(root) && NEAR_ROOTS.has(root.toLowerCase());
}

/** @param type the document's own, if forms share a root @param namespace of the root, for types of no list */
export function formOf(root: string, type: string | null, namespace: string | null = null): Form | null {
  const candidates = FORMS.filter((form) => form.root === root);
  if (candidates.length === 1 && root !== 'edgarSubmission') return candidates[0]!;
  if (type === null) return null;
  const name = type.toUpperCase();
  const part = namespace?.slice(namespace.lastIndexOf('/') + 1) ?? '';
  return (
    candidates.find((form) => form.types.includes(name)) ??
    candidates.find((form) => form.family?.test(name)) ??
    candidates.find((form) => form.namespace?.test(part)) ??
    null
  );
}

/** Patterns of types of later versions, for SQL. */
export function familiesOf(group: string): string[] {
  return FORMS.flatMap(({ name, family }) =>
    name === group && family !== undefined ? [family.source.replaceAll('\\/', '/')] : [],
  );
}

/** The form that has a type, or a later version of one that has it; null if no mapped form does. */
export function formOfType(type: string): Form | null {
  return formOf('edgarSubmission', type) ?? FORMS.find(({ types }) => types.includes(type.toUpperCase())) ?? null;
}
