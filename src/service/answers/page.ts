/** Pages made of records whose JSON text is stored. The texts are joined, never parsed and written again. */

/** Maximum bytes of the braces, `count`, `truncated` and `response_bytes`. */
export const ENVELOPE_BYTES = 128;

interface Page {
  /** JSON text of the array of records */
  array: string;
  /** Bytes of `array` in UTF-8 */
  bytes: number;
  /** How many of the records are on the page */
  length: number;
  /** The page was cut short at the limit */
  truncated: boolean;
}

/**
 * As many of the records, from the first, as fit into an answer of `maxBytes`; at least one (docs/api.md#paging-and-order).
 * @param extraBytes bytes that the record with this index adds to the answer besides itself
 */
export function pageOf(
  records: readonly string[],
  maxBytes: number,
  extraBytes: (index: number) => number = () => 0,
): Page {
  let bytes = 2;
  let besides = ENVELOPE_BYTES;
  let length = 0;
  for (const record of records) {
    const more = Buffer.byteLength(record) + (length > 0 ? 1 : 0);
    besides += extraBytes(length);
    if (length > 0 && bytes + more + besides > maxBytes) break;
    bytes += more;
    length++;
  }
  const truncated = length < records.length;
  const array = `[${(truncated ? records.slice(0, length) : records).join(',')}]`;
  return { array, bytes, length, truncated };
}
