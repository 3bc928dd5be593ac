/** Series and classes of funds: `<SERIES-AND-CLASSES-CONTRACTS-DATA>`, the same tags in both dialects. */
import { type FundSeries, parseCik } from '../../api/index.ts';
import type { HeaderNode } from './header-tree.ts';
import type { Warning } from './submission.ts';

/** All series below the group, in order; the owner may be named at the series or before it, in a group around it. */
export function readSeries(group: HeaderNode, warnings: Warning[]): FundSeries[] {
  const found: FundSeries[] = [];
  collect(group, 'existing', null, found, warnings);
  return found;
}

function collect(
  node: HeaderNode,
  status: string,
  around: string | null,
  found: FundSeries[],
  warnings: Warning[],
): void {
  let owner = around;
  const series_id = fieldValue(node, 'SERIES-ID');
  const several = node.children!.filter(({ key, value }) => key === 'SERIES-ID' && value !== '').length > 1;
  if (several || (series_id === null && fieldValue(node, 'SERIES-NAME') !== null))
    warnings.push({
      message: several
        ? 'of several series in one group only the first is read'
        : 'a series without <SERIES-ID> is not read',
      offset: node.offset,
    });
  if (series_id !== null) {
    const stated = fieldValue(node, 'OWNER-CIK') ?? owner;
    found.push({
      status,
      owner_cik: stated && parseCik(stated),
      series_id,
      name: fieldValue(node, 'SERIES-NAME'),
      classes: classesOf(node),
    });
  }
  for (const child of node.children!) {
    if (child.children !== null) collect(child, statusOf(child) ?? status, owner, found, warnings);
    else if (child.key === 'OWNER-CIK' || child.key === 'CIK') owner = child.value || owner;
  }
}

/** `existing` for `<EXISTING-SERIES-AND-CLASSES-CONTRACTS>`, `target` for `<TARGET-DATA>` of a merger. */
function statusOf(group: HeaderNode): string | null {
  return /^(\w+)-(?:(?:SERIES-AND-)?CLASSES-CONTRACTS|DATA)$/.exec(group.key)?.[1]?.toLowerCase() ?? null;
}

/** By what they hold: a new class may stand in a group of another name. */
function classesOf(series: HeaderNode): FundSeries['classes'] {
  return series
    .children!.filter((child) => child.children?.some(({ key }) => key.startsWith('CLASS-CONTRACT-')))
    .map((group) => ({
      class_id: fieldValue(group, 'CLASS-CONTRACT-ID'),
      name: fieldValue(group, 'CLASS-CONTRACT-NAME'),
      ticker: fieldValue(group, 'CLASS-CONTRACT-TICKER-SYMBOL'),
    }));
}

function fieldValue(group: HeaderNode, name: string): string | null {
  return group.children!.find((child) => child.children === null && child.key === name)?.value || null;
}
