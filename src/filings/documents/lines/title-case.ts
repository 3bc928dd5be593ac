/** Capitals as titles have them. */

/** Parts of a title that have no capital. */
const SMALL_WORD =
  /^(?:a|an|and|as|at|but|by|for|from|in|into|of|on|or|our|over|per|that|than|the|their|through|to|under|upon|we|which|with|may|its|is|are)$/i;

/** It has no small letter. */
export function isUpper(text: string): boolean {
  return !/[a-z]/.test(text);
}

/** Of its long words, the share that begins with a capital; NaN without any. */
export function shareOfCapitals(text: string): number {
  const words = text.match(/[A-Za-z][A-Za-z'\u2019]{3,}/g) ?? [];
  return words.filter((word) => /^[A-Z]/.test(word)).length / words.length;
}

/** All but a few letters are capitals. */
export function isCapitals(text: string): boolean {
  let [upper, lower] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x61 && code <= 0x7a) lower++;
    else if (code >= 0x41 && code <= 0x5a) upper++;
  }
  return upper >= 4 && lower <= upper * 0.12;
}

/** `Liquidity and Capital Resources`: most words begin with a capital. */
export function isTitleCase(text: string): boolean {
  const words = text.split(/[\s/-]+/).filter((word) => /[A-Za-z]{2}/.test(word) && !SMALL_WORD.test(word));
  const capital = words.filter((word) => /^[^A-Za-z]*[A-Z]/.test(word)).length;
  return words.length > 0 && /^[^A-Za-z]*[A-Z]/.test(text) && capital >= words.length * 0.75;
}
