/** Identifiers of instruments: `isin`, `ticker`, `cusip` or `other`, each an element with a value. */
import type { FormTable } from '../map/descriptor.ts';
import type { RowSource } from '../map/form.ts';

/** For tables that have the first identifier in columns. */
export function identifierKinds(table: FormTable): Pick<RowSource, 'rule' | 'reads'> {
  return {
    rule: (element, mapping) => {
      const first = element.child('identifiers')?.children[0] ?? null;
      return { id_kind: first?.name ?? null, id_value: mapping.rows.valueAt(table, 'id_value', first, '@value') };
    },
    reads: ['identifiers/*/@value', 'identifiers/*/@otherDesc'],
  };
}
