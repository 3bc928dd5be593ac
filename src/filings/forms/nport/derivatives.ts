/** Derivatives of a holding: `path` is 0 for the derivative itself, 0.0 for the one that it refers to, and so on. */
import { addSource } from '../map/document-mapping.ts';
import type { RowMapping, RowSource } from '../map/form.ts';
import type { KnownPath } from '../map/known-paths.ts';
import type { Element } from '../xml/element.ts';
import { identifierKinds } from './identifiers.ts';
import {
  nportCounterparties,
  nportDerivatives,
  nportIndexComponents,
  nportNotionalAmounts,
  nportRateResets,
  nportReferenceIds,
  nportSwapLegs,
} from './tables.ts';

const KINDS = [
  ['nestedDerivInfo', 'nested'],
  ['indexBasketInfo', 'index'],
  ['otherRefInst', 'other'],
] as const;

const leg = (side: 'receipt' | 'payment', names: readonly string[]): RowSource => ({
  table: nportSwapLegs,
  at: names,
  set: { leg: side },
  sources: [{ table: nportRateResets, at: 'rtResetTenors/rtResetTenor', set: { leg: side } }],
});

/** `map` returns at most one row of a source without a number: one leg a side. */
const derivative: RowSource = {
  table: nportDerivatives,
  at: '',
  rule: (element) => {
    const reference = element.child('descRefInstrmnt');
    return { reference_kind: KINDS.find(([name]) => reference?.child(name))?.[1] ?? null };
  },
  sources: [
    { table: nportCounterparties, at: 'counterparties' },
    {
      table: nportReferenceIds,
      at: 'descRefInstrmnt/otherRefInst/identifiers/*',
      rule: (element) => ({ kind: element.name }),
    },
    leg('receipt', ['fixedRecDesc', 'floatingRecDesc', 'otherRecDesc']),
    leg('payment', ['fixedPmntDesc', 'floatingPmntDesc', 'otherPmntDesc']),
    { table: nportNotionalAmounts, at: 'notionalAmts/notionalAmt' },
    {
      table: nportIndexComponents,
      at: 'descRefInstrmnt/indexBasketInfo/components/component',
      ...identifierKinds(nportIndexComponents),
    },
  ],
};

export function derivatives(holding: Element, position: number, mapping: RowMapping): void {
  for (const [k, element] of holding.all(['derivativeInfo', '*']).entries()) one(element, position, String(k), mapping);
}

function one(element: Element, holding: number, path: string, mapping: RowMapping): void {
  mapping.map(derivative, element, { holding, path });
  for (const [k, nested] of element.all(['descRefInstrmnt', 'nestedDerivInfo', '*']).entries())
    one(nested, holding, `${path}.${k}`, mapping);
}

/** @param known of the element that holds derivatives */
export function knownDerivative(known: KnownPath): void {
  const any = known.child('*');
  any.repeats = true;
  addSource(any, derivative);
  const nested = any.child('descRefInstrmnt').child('nestedDerivInfo');
  nested.any = any;
  any.child('fixedOrFloating').text = true;
  any.child('fixedOrFloating').repeats = true;
}
