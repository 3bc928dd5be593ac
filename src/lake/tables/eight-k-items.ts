/** An item that a filing names twice becomes one item with the exhibits of both. */
import type { FilingInfo } from '../../filings/api/index.ts';

type Items = NonNullable<FilingInfo['items_8k']>;
type ItemOnce = {
  [Member in keyof Items[number]]-?: Exclude<Items[number][Member], undefined>;
};

export function itemsOnce(items: Items | null): Iterable<ItemOnce> {
  const once = new Map<string, ItemOnce>();
  for (const { item, title, exhibits, named_in = null, start_index = null, end_index = null } of items ?? []) {
    const first = once.get(item);
    once.set(item, {
      item,
      title: first?.title ?? title,
      named_in: joined(first?.named_in ?? null, named_in),
      start_index: first?.start_index ?? start_index,
      end_index: first?.start_index != null ? first.end_index : end_index,
      exhibits: first ? [...first.exhibits, ...exhibits] : exhibits,
    });
  }
  return once.values();
}

function joined(one: ItemOnce['named_in'], other: ItemOnce['named_in']): ItemOnce['named_in'] {
  if (one === null || other === null || one === other) return one ?? other;
  return 'both';
}
