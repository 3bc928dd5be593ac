/** An item that a filing names twice becomes one item with the exhibits of both. */
import type { FilingInfo } from '../api/index.ts';

type Items = NonNullable<FilingInfo['items_8k']>;
export type ItemOnce = Pick<Items[number], 'item' | 'title' | 'exhibits'>;

export function itemsOnce(items: Items | null): Iterable<ItemOnce> {
  const once = new Map<string, ItemOnce>();
  for (const { item, title, exhibits } of items ?? []) {
    const first = once.get(item);
    once.set(item, {
      item,
      title: first?.title ?? title,
      exhibits: first ? [...first.exhibits, ...exhibits] : exhibits,
    });
  }
  return once.values();
}
