/** Character references and the five entities of XML. */
export const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text with its references resolved; null if one is unknown, or is not a character of XML. */
export function decodeReferences(text: string): string | null {
  let result = '';
  let at = 0;
  for (let and = text.indexOf('&'); and >= 0; and = text.indexOf('&', at)) {
    const end = text.indexOf(';', and);
    const character = end < 0 ? null : referred(text.slice(and + 1, end));
    if (character === null) return null;
    result += text.slice(at, and) + character;
    at = end + 1;
  }
  return result + text.slice(at);
}

function referred(name: string): string | null {
  const number = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
  if (!number) return Object.hasOwn(NAMED, name) ? NAMED[name]! : null;
  return characterOf(number[1], number[2]);
}

/** The character of a reference by number; null: XML has no such character. */
export function characterOf(hexadecimal: string | undefined, decimal: string | undefined): string | null {
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  const allowed =
    code === 0x09 ||
    code === 0x0a ||
    code === 0x0d ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return allowed ? String.fromCodePoint(code) : null;
}
