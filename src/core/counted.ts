/** A number with its noun, in the singular for one. */

/** 1 request, 1,234 requests, 0 entities. @param many the plural, if it isn't the word with an s */
export function counted(n: number | bigint, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${Number(n) === 1 ? one : many}`;
}
