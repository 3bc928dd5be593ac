/** Forms 3, 4 and 5. Transactions and holdings of a table share one count of lines, so a footnote's row needs no third column. */
import type { FormTable } from '../map/descriptor.ts';
import { addRead, addSource } from '../map/document-mapping.ts';
import type { Form, RowMapping } from '../map/form.ts';
import type { KnownPath } from '../map/known-paths.ts';
import { type Element, textOf, tidy } from '../xml/element.ts';
import {
  ownershipFootnoteRefs,
  ownershipFootnotes,
  ownershipHoldings,
  ownershipOwners,
  ownershipReports,
  ownershipSignatures,
  ownershipTransactions,
} from './tables.ts';

const TABLES = [
  {
    name: 'nonDerivativeTable',
    derivative: false,
    transaction: 'nonDerivativeTransaction',
    holding: 'nonDerivativeHolding',
  },
  { name: 'derivativeTable', derivative: true, transaction: 'derivativeTransaction', holding: 'derivativeHolding' },
];

/** `transactionAmounts/transactionShares` to `shares`: a footnote is beside its value. */
const FIELDS = new Map<string, string>([['transactionCoding', 'transaction_coding']]);
for (const { columns } of [ownershipTransactions, ownershipHoldings])
  for (const column of columns)
    for (const { steps } of column.paths)
      if (steps.at(-1) === 'value') FIELDS.set(steps.slice(0, -1).join('/'), column.name);

export const ownership: Form = {
  name: 'ownership',
  types: ownershipReports.forms,
  root: 'ownershipDocument',
  tables: [
    ownershipReports,
    ownershipOwners,
    ownershipTransactions,
    ownershipHoldings,
    ownershipFootnotes,
    ownershipFootnoteRefs,
    ownershipSignatures,
  ],
  sources: [
    {
      table: ownershipReports,
      at: '',
      rule: (_, mapping) => ({
        transactions: mapping.count(ownershipTransactions),
        holdings: mapping.count(ownershipHoldings),
      }),
    },
    { table: ownershipOwners, at: 'reportingOwner', number: 'owner' },
    { table: ownershipSignatures, at: 'ownerSignature' },
  ],
  reads: ['footnotes/footnote+', 'footnotes/footnote+/@id'],
  // Passwords and addresses for EDGAR's letters: only in samples.
  ignored: ['reportingOwner/reportingOwnerId/rptOwnerCcc'],
  extendKnown,
  code(root, mapping) {
    lines(root, mapping);
    footnotes(root, mapping);
  },
};

function lines(root: Element, mapping: RowMapping): void {
  for (const { name, derivative, transaction, holding } of TABLES) {
    let line = 0;
    for (const row of root.all([name, '*'])) {
      const table = row.name === transaction ? ownershipTransactions : row.name === holding ? ownershipHoldings : null;
      if (table === null) continue;
      const place = { derivative, line: line++ };
      mapping.emit(table, mapping.rows.row(table, row, place));
      notes(row, '', place, mapping, new Map());
    }
  }
}

/** A row for each `footnoteId` below a line. Its field is the column of its parent element. */
function notes(
  element: Element,
  path: string,
  place: { derivative: boolean; line: number },
  mapping: RowMapping,
  /** Number of notes of a line's field so far: several elements of one name may have the field. */
  positions: Map<string, number>,
): void {
  for (const child of element.children) {
    if (child.name !== 'footnoteId') {
      notes(child, path === '' ? child.name : `${path}/${child.name}`, place, mapping, positions);
      continue;
    }
    const id = tidy(child.attribute('id') ?? '');
    if (id === null) {
      mapping.rows.misfit(ownershipFootnoteRefs, 'footnote_id', '', 'no_key', child.path);
      continue;
    }
    const field = FIELDS.get(path) ?? path;
    const position = positions.get(field) ?? 0;
    positions.set(field, position + 1);
    mapping.emit(ownershipFootnoteRefs, mapping.rows.row(ownershipFootnoteRefs, child, { ...place, field, position }));
  }
}

/** Notes with one id are one note, joined by a line feed: the id is the key. */
function footnotes(root: Element, mapping: RowMapping): void {
  const texts = new Map<string, { element: Element; texts: string[] }>();
  for (const element of root.all(['footnotes', 'footnote'])) {
    const id = tidy(element.attribute('id') ?? '');
    const text = textOf(element);
    if (id === null) {
      if (text !== null) mapping.rows.misfit(ownershipFootnotes, 'footnote_id', text, 'no_key', element.path);
      continue;
    }
    const note = texts.get(id) ?? { element, texts: [] };
    if (text !== null) note.texts.push(text);
    texts.set(id, note);
  }
  for (const { element, texts: parts } of texts.values()) {
    const text = parts.length === 0 ? null : parts.join('\n');
    mapping.emit(ownershipFootnotes, mapping.rows.row(ownershipFootnotes, element, { text }));
  }
}

function extendKnown(root: KnownPath): void {
  const rowOf = (table: FormTable, at: string) => {
    addSource(root, { table, at, number: 'line' });
    const row = at.split('/').reduce((known, step) => known.child(step), root);
    for (const field of FIELDS.keys()) addRead(row, `${field}/footnoteId+/@id`);
    addRead(row, 'transactionCoding/footnoteId+/@id');
  };
  for (const { name, transaction, holding } of TABLES) {
    rowOf(ownershipTransactions, `${name}/${transaction}`);
    rowOf(ownershipHoldings, `${name}/${holding}`);
  }
}
