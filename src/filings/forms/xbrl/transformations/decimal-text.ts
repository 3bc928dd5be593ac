/** Numbers as text: the point is moved in the text, without floating point. */

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** More zeros than this are a mistake, not a number. */
const MAX_SCALE = 100;
const ZEROS = '0'.repeat(MAX_SCALE);
const WHOLE = /^(?:0|[1-9]\d*)$/;

/**
 * A transformed number times ten to the scale, with the zeros that EDGAR writes: an integral result has no point, unless the
 * number has `.0`. Others keep all their digits.
 * @param text digits and a point
 * @returns null if it is not a decimal number
 */
export function scaled(text: string, scale: number, negative: boolean): string | null {
  // Most numbers of a report are whole, and in thousands or millions.
  if (scale >= 0 && scale <= MAX_SCALE && WHOLE.test(text))
    return (negative ? '-' : '') + (text === '0' ? text : text + ZEROS.slice(0, scale));
  const match = NUMBER.exec(text);
  if (match === null || (!match[2] && !match[3]) || Math.abs(scale) > MAX_SCALE) return null;
  let whole = match[2]!;
  let fraction = match[3] ?? '';
  if (scale > 0) {
    const { length } = fraction;
    const digits = whole + fraction + '0'.repeat(scale);
    whole = digits.slice(0, digits.length - length);
    fraction = digits.slice(digits.length - length);
  } else if (scale < 0) {
    const digits = whole.padStart(-scale, '0');
    whole = digits.slice(0, digits.length + scale);
    fraction = digits.slice(digits.length + scale) + fraction;
  }
  if (fraction !== '' && !/[1-9]/.test(fraction) && !text.includes('.0')) fraction = '';
  whole = whole.replace(/^0+(?=\d)/, '') || '0';
  const sign = negative !== (match[1] === '-') ? '-' : '';
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}
