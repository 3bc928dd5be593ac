/** Entities counted by the columns that windows of entities filter. */

export type EntityQuery = Readonly<Record<string, readonly string[] | undefined>>;

/** Filters that rows can answer, besides `ciks`. */
const COLUMNS = ['sics', 'states', 'entity_types'] as const;

interface Group {
  /** In the order of COLUMNS, upper case; '' is unknown, and matches any value: the service may know it. */
  readonly values: readonly string[];
  readonly entities: number;
}

export class MatchingEntities {
  #all = 0;
  /** By column, and by its value. */
  readonly #groups = COLUMNS.map(() => new Map<string, Group[]>());

  /** @param values SIC, state and type, in upper case; '' is unknown */
  add(values: readonly string[], entities: number): void {
    this.#all += entities;
    for (const [i, byValue] of this.#groups.entries()) {
      const same = byValue.get(values[i]!) ?? [];
      byValue.set(values[i]!, same);
      same.push({ values, entities });
    }
  }

  count(query: EntityQuery): number {
    const asked = COLUMNS.map((name) =>
      query[name]?.length ? new Set(['', ...query[name].map((value) => value.toUpperCase())]) : null,
    );
    const candidates = asked.flatMap((values, i) =>
      values === null ? [] : [[...values].flatMap((value) => this.#groups[i]!.get(value) ?? [])],
    );
    if (candidates.length === 0) return this.#all;
    const fewest = candidates.reduce((a, b) => (b.length < a.length ? b : a));
    let entities = 0;
    for (const group of fewest)
      if (asked.every((values, i) => values === null || values.has(group.values[i]!))) entities += group.entities;
    return entities;
  }
}

/** Whether rows can answer every filter of the query. */
export function isAnswerable(query: EntityQuery): boolean {
  return Object.entries(query).every(
    ([name, values]) => !values?.length || name === 'ciks' || COLUMNS.some((column) => column === name),
  );
}
