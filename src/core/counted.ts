/** A number with its word: one of a thing is told as one. */

/** 1 request, 1,234 requests, 0 entities. @param many where the plural isn't the word with an s */
export function counted(n: number | bigint, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${Number(n) === 1 ? one : many}`;
}
