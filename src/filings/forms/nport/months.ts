/** Flows and gains of a quarter's three months. */
import type { Row } from '../map/descriptor.ts';
import type { RowMapping } from '../map/form.ts';
import type { Element } from '../xml/element.ts';
import { nportDerivativeGains, nportMonths } from './tables.ts';

const CONTRACTS: Readonly<Record<string, string>> = {
  commodityContracts: 'commodity',
  creditContracts: 'credit',
  equityContracts: 'equity',
  foreignExchgContracts: 'foreign_exchange',
  interestRtContracts: 'interest_rate',
  otherContracts: 'other',
};
const CATEGORY = /^(forward|future|option|swaption|swap|warrant|other)Category$/;
const MONTHS = [1, 2, 3];

export function monthRows(root: Element, mapping: RowMapping): void {
  const fund = root.child('formData')?.child('fundInfo') ?? null;
  const returns = fund?.child('returnInfo') ?? null;
  for (const month of MONTHS) {
    const flow = fund?.child(`mon${month}Flow`) ?? null;
    const gains = returns?.child(`othMon${month}`) ?? null;
    if (flow === null && gains === null) continue;
    const at = (name: string, element: Element | null, attribute: string) =>
      mapping.rows.valueAt(nportMonths, name, element, `@${attribute}`);
    const row: Row = {
      month,
      sales: at('sales', flow, 'sales'),
      reinvestment: at('reinvestment', flow, 'reinvestment'),
      redemption: at('redemption', flow, 'redemption'),
      net_realized_gain: at('net_realized_gain', gains, 'netRealizedGain'),
      net_unrealized_appreciation: at('net_unrealized_appreciation', gains, 'netUnrealizedAppr'),
    };
    mapping.emit(nportMonths, mapping.rows.row(nportMonths, root, row));
  }
  // The months are the key. If a month is repeated, the first one counts, and the other is reported as repeated.
  const seen = new Set<string>();
  const gain = (element: Element, contract: string, instrument: string): void => {
    const month = Number(element.name.at(-1));
    const key = `${contract} ${instrument} ${month}`;
    if (seen.has(key)) return;
    seen.add(key);
    mapping.emit(
      nportDerivativeGains,
      mapping.rows.row(nportDerivativeGains, element, { contract, instrument, month }),
    );
  };
  for (const kind of returns?.child('monthlyReturnCats')?.children ?? []) {
    const contract = CONTRACTS[kind.name];
    if (contract === undefined) continue;
    for (const child of kind.children) {
      if (/^mon[123]$/.test(child.name)) gain(child, contract, 'all');
      const instrument = CATEGORY.exec(child.name)?.[1];
      if (instrument === undefined) continue;
      for (const month of child.children) if (/^instrMon[123]$/.test(month.name)) gain(month, contract, instrument);
    }
  }
}
