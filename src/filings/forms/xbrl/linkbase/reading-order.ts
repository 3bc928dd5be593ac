/** The order of concepts in a statement: each concept below its parent, as in SEC's viewer. */
import type { PresentationArc } from './links.ts';

interface Place {
  /** From 0 within the role. */
  readonly line: number;
  /** 0 directly below a root. */
  readonly depth: number;
}

/** Places of arcs. Arcs in a circle, which no root leads to, have none. */
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
      // The children of a concept are shown at its first place.
      else if (!places.has(arc)) {
        places.set(arc, { line: line++, depth: top.depth });
        open.push({ parent: arc.concept, depth: top.depth + 1, next: 0 });
      }
    }
  }
  return places;
}

/** The default order is 1, as in XLink. */
function orderOf({ order }: PresentationArc): number {
  const number = Number(order ?? 1);
  return Number.isNaN(number) ? 1 : number;
}
