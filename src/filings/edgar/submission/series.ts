/** Series and classes of funds: `<SERIES-AND-CLASSES-CONTRACTS-DATA>`, the same tags in both dialects. */
import { parseCik } from '../../api/index.ts';
import type { HeaderNode } from './header-tree.ts';
import type { FundClass, FundSeries } from './submission.ts';

/** All series below the group, in order; the owner may be named at the series or at a group around it. */
export function readSeries(group: HeaderNode): FundSeries[] {
  const found: FundSeries[] = [];
  collect(group, 'existing', null, found);
  return found;
}

function collect(node: HeaderNode, status: string, owner: string | null, found: FundSeries[]): void {
  const ownerCik = fieldValue(node, 'OWNER-CIK') ?? fieldValue(node, 'CIK') ?? owner;
  const seriesId = fieldValue(node, 'SERIES-ID');
  if (seriesId !== null) {
    const name = fieldValue(node, 'SERIES-NAME');
    found.push({
      status,
      ownerCik: ownerCik && (parseCik(ownerCik) ?? ownerCik),
      seriesId,
      name,
      classes: classesOf(node),
    });
  }
  for (const child of node.children!) {
    if (child.children !== null) collect(child, statusOf(child) ?? status, ownerCik, found);
  }
}

/** `existing` for `<EXISTING-SERIES-AND-CLASSES-CONTRACTS>`. */
function statusOf(group: HeaderNode): string | null {
  return /^(\w+)-(?:SERIES-AND-)?CLASSES-CONTRACTS$/.exec(group.key)?.[1]?.toLowerCase() ?? null;
}

function classesOf(series: HeaderNode): FundClass[] {
  return series
    .children!.filter((child) => child.children !== null && child.key === 'CLASS-CONTRACT')
    .map((group) => ({
      classId: fieldValue(group, 'CLASS-CONTRACT-ID'),
      name: fieldValue(group, 'CLASS-CONTRACT-NAME'),
      ticker: fieldValue(group, 'CLASS-CONTRACT-TICKER-SYMBOL'),
    }));
}

function fieldValue(group: HeaderNode, name: string): string | null {
  return group.children!.find((child) => child.children === null && child.key === name)?.value || null;
}
