/**
 * The text of an answer: JSON whose strings can't hide anything. Words of filings stand in it as JSON strings, which no filing can
 * close, and characters that a reader doesn't see are written as escapes. `JSON.parse` gives them back unchanged.
 */

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** Controls, marks that are not shown, directions, tags, private use, other line ends, and halves of surrogate pairs. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** @returns JSON on one line; whole numbers beyond 2^53 as digits */
export function jsonText(value: Json): string {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint'
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(member))
      : member,
  );
  return text.replace(HIDDEN, (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** What a client receives, and its length in characters: what a budget limits. */
export interface TextResult {
  content: [{ type: 'text'; text: string }];
  isError?: true;
}

export function textResult(value: Json): TextResult {
  return { content: [{ type: 'text', text: jsonText(value) }] };
}

/** UTF-16 units of the whole result as JSON. */
export function sizeOf(result: TextResult): number {
  return JSON.stringify(result).length;
}
