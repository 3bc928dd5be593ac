/** Form 13F: a primary document, and information tables of up to 100,000 rows and more. */
import { ExactSum, timesThousand } from '../map/decimals.ts';
import type { Row } from '../map/descriptor.ts';
import { DocumentMapping, mapDocument } from '../map/document-mapping.ts';
import { DocumentRows, FilingProblems } from '../map/document-rows.ts';
import { sourceOf } from '../map/filing.ts';
import type { FilingMapper, Form, RowMapping } from '../map/form.ts';
import { HEADER_DATA } from '../map/header-data.ts';
import type { Element } from '../xml/element.ts';
import { ElementReader } from '../xml/element-reader.ts';
import type { TextPieces } from '../xml/text-pieces.ts';
import { f13HoldingManagers, f13Holdings, f13Managers, f13Reports } from './tables.ts';
import { ImpliedPrices, valueUnit } from './unit.ts';

export const f13: Form = {
  name: 'f13',
  types: f13Reports.forms,
  family: /^13F-(HR|NT|CTR)/,
  namespace: /^thirteenffiler$/,
  root: 'edgarSubmission',
  tables: [f13Reports, f13Managers, f13Holdings, f13HoldingManagers],
  sources: [
    { table: f13Reports, at: '' },
    {
      table: f13Managers,
      at: 'formData/coverPage/otherManagersInfo/otherManager',
      set: { kind: 'reporting', sequence_number: null },
    },
    { table: f13Managers, at: 'formData/summaryPage/otherManagers2Info/otherManager2', set: { kind: 'included' } },
  ],
  ignored: [...HEADER_DATA, 'documents/**'],
};

export const informationTable: Form = {
  name: 'f13',
  types: ['INFORMATION TABLE'],
  root: 'informationTable',
  tables: [],
  sources: [
    {
      table: f13Holdings,
      at: 'infoTable',
      streamed: true,
      finish(row, element, mapping) {
        if (typeof row.value === 'string' && row.value_unit !== null)
          row.value_usd = row.value_unit === 'thousands' ? timesThousand(row.value) : row.value;
        if (typeof row.value === 'string' && row.value_unit !== null && row.value_usd === null)
          mapping.rows.misfit(f13Holdings, 'value_usd', row.value, 'out_of_range', element.path);
        managersOf(row, element, mapping);
      },
    },
  ],
};

/** `4,8,11`, `4 8` or `4; 8`: a row each. */
function managersOf(row: Row, element: Element, mapping: RowMapping): void {
  if (typeof row.other_managers !== 'string') return;
  let ordinal = 0;
  for (const text of row.other_managers.split(/[,;\s]+/)) {
    if (text === '') continue;
    const sequence_number = /^\d{1,9}$/.test(text) ? Number(text) : null;
    mapping.emit(
      f13HoldingManagers,
      mapping.rows.row(f13HoldingManagers, element, {
        position: row.position!,
        ordinal: ordinal++,
        sequence_number,
        text,
      }),
    );
  }
}

/** A report and its information tables: the unit of a row follows from all rows of the filing. */
export const f13Filing: FilingMapper = {
  name: 'f13',
  tables: [],
  claims: [f13, informationTable],
  *map(filing, found, problems) {
    const [primary = null, ...others] = found.get(f13) ?? [];
    const tables = found.get(informationTable) ?? [];
    problems.leftOut(others);
    if (primary === null && tables.length === 0) return;
    const prices = new ImpliedPrices();
    const readable: { label: string; open: () => string | TextPieces; rows: number }[] = [];
    const sum = new ExactSum();
    for (const { label, document } of tables) {
      const open = sourceOf(document);
      try {
        const read = readTable(label, open());
        // Only now: a malformed table must not count.
        prices.addAll(read.prices);
        readable.push({ label, open, rows: read.rows });
        sum.addSum(read.sum);
      } catch (error) {
        problems.malformed(label, error);
      }
    }
    const { median_price, ...unit } = valueUnit(filing.filingDate, prices);
    if (primary !== null) {
      const held = readable.length === 0 ? null : readable.reduce((count, { rows }) => count + rows, 0);
      const rows = new DocumentRows(primary.label, problems, []);
      const mapping = new DocumentMapping(rows, {
        holdings: held,
        value_sum: held === null ? null : sum.text,
        median_price,
        // Without a table there is no value whose unit could be decided.
        ...(held === null ? { value_unit: null, value_unit_evidence: null } : unit),
      });
      try {
        yield* mapDocument(f13, sourceOf(primary.document), mapping);
      } catch (error) {
        problems.malformed(primary.label, error);
      }
    }
    let firstRecord = 0;
    for (const { label, open, rows } of readable) {
      const mapping = new DocumentMapping(new DocumentRows(label, problems, []), unit);
      yield* mapDocument(informationTable, open, mapping, { firstRecord, proven: true });
      firstRecord += rows;
    }
    yield* problems.take();
  },
};

/** The first reading of a table, which proves that it is well-formed. */
function readTable(label: string, source: string | TextPieces) {
  const rows = new DocumentRows(label, new FilingProblems(null), []);
  const column = (name: string) => f13Holdings.columns.find((each) => each.name === name)!;
  const value = column('value');
  const shares = column('shares_or_principal');
  const type = column('shares_or_principal_type');
  const putCall = column('put_call');
  const isRow = (element: Element) => element.name === 'infoTable' && element.parent?.parent === null;
  const reader = new ElementReader(source, isRow);
  const sum = new ExactSum();
  const prices = new ImpliedPrices();
  let count = 0;
  for (let row = reader.next(); row !== null; row = reader.next()) {
    count++;
    const amount = rows.value(f13Holdings, value, row) as string | null;
    if (amount !== null) {
      sum.add(amount);
      const tells = rows.value(f13Holdings, type, row) === 'SH' && rows.value(f13Holdings, putCall, row) === null;
      const held = tells ? Number(rows.value(f13Holdings, shares, row) ?? 0) : 0;
      if (held > 0 && Number(amount) > 0) prices.add(Number(amount) / held);
    }
    rows.problems.take();
  }
  return { rows: count, sum, prices };
}
