/** Form ATS-N. Parts II and III are about 100 answers in nested groups. Each becomes a row. */
import type { Form, RowMapping } from '../map/form.ts';
import { HEADER_DATA } from '../map/header-data.ts';
import { type Element, textOf, tidy } from '../xml/element.ts';
import { atsnAnswers, atsnNames, atsnReports } from './tables.ts';

const WITH_COLUMNS = new Set(['cover', 'partOne']);

export const atsn: Form = {
  name: 'atsn',
  types: atsnReports.forms,
  family: /^ATS-N/,
  namespace: /^atsn$/,
  root: 'edgarSubmission',
  tables: [atsnReports, atsnNames, atsnAnswers],
  sources: [
    { table: atsnReports, at: '' },
    { table: atsnNames, at: 'formData/partOne/atsNames/atsName' },
  ],
  ignored: ['schemaVersion', ...HEADER_DATA, 'formData/*/**', 'documents/**'],
  code: (root, mapping) => {
    for (const part of root.child('formData')?.children ?? [])
      if (!WITH_COLUMNS.has(part.name)) answersOf(part, part.name, mapping);
  },
};

function answersOf(element: Element, part: string, mapping: RowMapping): void {
  const { attributes } = element;
  for (let i = 0; i < attributes.length; i += 2)
    answer(element, part, attributes[i]!, tidy(attributes[i + 1]!), mapping);
  answer(element, part, element.name, textOf(element), mapping);
  for (const child of element.children) answersOf(child, part, mapping);
}

function answer(element: Element, part: string, question: string, text: string | null, mapping: RowMapping): void {
  if (text === null) return;
  const item = /Item(\d+[a-z]?)/.exec(question)?.[1] ?? null;
  const given = { position: mapping.count(atsnAnswers), part, item, question, answer: text };
  mapping.emit(atsnAnswers, mapping.rows.row(atsnAnswers, element, given));
}
