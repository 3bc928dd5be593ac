/** The step that fetches the documents of a filing's form and XBRL, and its selector in coverage. */
import type { DocumentReference } from '../../filings/api/index.ts';
import { MAPPING_VERSION } from '../../filings/forms/index.ts';
import { neededFor } from '../../filings/statements/index.ts';
import { tableNamed } from '../../lake/tables/index.ts';
import type { FormDocument, FormsStep } from './step.ts';

interface FilingOfForm {
  form: string;
  filed: string | null;
  documents: readonly DocumentReference[];
}

/**
 * A filing whose form could have rows of the tables, and whose documents have none by their list, gets a step without documents: it sends
 * no request, and `coverage` says so.
 * @returns null if the filing can't have rows of the tables by its form, or by its documents if any form could
 */
export function formsStepOf({ form, filed, documents }: FilingOfForm, wanted: readonly string[]): FormsStep | null {
  if (wanted.length === 0) return null;
  // In their order in the filing: of two documents of one kind the first is mapped, and rows are numbered over all.
  const ordered = documents.toSorted((a, b) => a.sequence - b.sequence);
  const needed = neededFor({ form, filed }, ordered, wanted);
  if (needed.tables.length === 0) {
    const isReport = tableNamed('fundamentals')!.forms!.has(form);
    const expected = wanted.filter((name) => tableNamed(name)?.forms?.has(form) || (isReport && name === 'xbrl_facts'));
    return expected.length === 0 ? null : { step: 'forms', selector: expected.join(','), form, filed, documents: [] };
  }
  return {
    step: 'forms',
    selector: needed.tables.join(','),
    form,
    filed,
    documents: needed.documents.map((document) => ({
      ...named(document),
      ...(needed.inline.has(document) ? { inline: true as const } : {}),
    })),
    ...(needed.undecided.length > 0 ? { undecided: needed.undecided.map(named) } : {}),
    ...(needed.hasFacts ? { hasFacts: true } : {}),
  };
}

function named({ document_id, filename, type }: DocumentReference): FormDocument {
  return { document_id, filename, type };
}

const MAPPING = 'mapping:';

/** The selector in coverage: it also has the version of the mapping. */
export function selectorOfMapping(selector: string): string {
  return [...tablesMapped(selector), `${MAPPING}${MAPPING_VERSION}`].sort().join(',');
}

/** Version of the mapping that a selector in coverage has; 0 if it states none. */
export function mappingVersionOf(selector: string): number {
  const word = selector.split(',').find((each) => each.startsWith(MAPPING));
  return word === undefined ? 0 : Number(word.slice(MAPPING.length)) || 0;
}

export function tablesMapped(selector: string): string[] {
  return selector.split(',').filter((word) => word !== '' && !word.startsWith(MAPPING));
}
