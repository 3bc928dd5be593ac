/** The order in which a statement is read: each concept below its parent, as SEC's viewer shows it. */
import type { PresentationArc } from './links.ts';

export interface Place {
  /** From 0 within the role. */
  readonly line: number;
  /** 0 for what stands below a root. */
  readonly depth: number;
}

/** Places of arcs. Those of a circle, which no root leads to, have none. */
export function readingOrder(arcs: readonly PresentationArc[]): Map<PresentationArc, Place> {
  const places = new Map<PresentationArc, Place>();
  for (const ofRole of Map.groupBy(arcs, ({ role }) => role).values()) {
    const below = Map.groupBy(ofRole, ({ parent }) => parent);
    for (const children of below.values()) children.sort((a, b) => orderOf(a) - orderOf(b));
    const shown = new Set(ofRole.map(({ concept }) => concept));
    let line = 0;
    const open = [...below.keys()]
      .filter((parent) => !shown.has(parent))
      .reverse()
      .map((parent) => ({ parent, depth: 0, next: 0 }));
    while (open.length > 0) {
      const top = open.at(-1)!;
      const arc = below.get(top.parent)?.[top.next++];
      if (arc === undefined) open.pop();
      // What hangs below a concept is shown where the concept stands first.
      else if (!places.has(arc)) {
        places.set(arc, { line: line++, depth: top.depth });
        open.push({ parent: arc.concept, depth: top.depth + 1, next: 0 });
      }
    }
  }
  return places;
}

/** Without an order it is 1, as XLink has it. */
function orderOf({ order }: PresentationArc): number {
  const number = Number(order ?? 1);
  return Number.isNaN(number) ? 1 : number;
}
