/** HTML character references: the named ones of HTML 4, which EDGAR's converters write, and numbers. */

/** Windows-1252's meaning of the bytes 0x80 to 0x9F; an undefined byte keeps its number. */
export const WINDOWS_1252_HIGH =
  '\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F' +
  '\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178';

/** Names of U+00A0 to U+00FF, in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Other names with their code points, hexadecimal. */
const OTHERS =
  'quot 22 amp 26 apos 27 lt 3C gt 3E OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 fnof 192 circ 2C6 tilde 2DC ' +
  'Alpha 391 Beta 392 Gamma 393 Delta 394 Epsilon 395 Zeta 396 Eta 397 Theta 398 Iota 399 Kappa 39A Lambda 39B Mu 39C Nu 39D Xi 39E Omicron 39F Pi 3A0 Rho 3A1 Sigma 3A3 Tau 3A4 Upsilon 3A5 Phi 3A6 Chi 3A7 Psi 3A8 Omega 3A9 ' +
  'alpha 3B1 beta 3B2 gamma 3B3 delta 3B4 epsilon 3B5 zeta 3B6 eta 3B7 theta 3B8 iota 3B9 kappa 3BA lambda 3BB mu 3BC nu 3BD xi 3BE omicron 3BF pi 3C0 rho 3C1 sigmaf 3C2 sigma 3C3 tau 3C4 upsilon 3C5 phi 3C6 chi 3C7 psi 3C8 omega 3C9 thetasym 3D1 upsih 3D2 piv 3D6 ' +
  'ensp 2002 emsp 2003 thinsp 2009 zwnj 200C zwj 200D lrm 200E rlm 200F ndash 2013 mdash 2014 horbar 2015 lsquo 2018 rsquo 2019 sbquo 201A ldquo 201C rdquo 201D bdquo 201E dagger 2020 Dagger 2021 bull 2022 hellip 2026 permil 2030 prime 2032 Prime 2033 lsaquo 2039 rsaquo 203A oline 203E frasl 2044 euro 20AC ' +
  'image 2111 weierp 2118 real 211C trade 2122 alefsym 2135 larr 2190 uarr 2191 rarr 2192 darr 2193 harr 2194 crarr 21B5 lArr 21D0 uArr 21D1 rArr 21D2 dArr 21D3 hArr 21D4 ' +
  'forall 2200 part 2202 exist 2203 empty 2205 nabla 2207 isin 2208 notin 2209 ni 220B prod 220F sum 2211 minus 2212 lowast 2217 radic 221A prop 221D infin 221E ang 2220 and 2227 or 2228 cap 2229 cup 222A int 222B there4 2234 sim 223C cong 2245 asymp 2248 ne 2260 equiv 2261 le 2264 ge 2265 sub 2282 sup 2283 nsub 2284 sube 2286 supe 2287 oplus 2295 otimes 2297 perp 22A5 sdot 22C5 ' +
  'lceil 2308 rceil 2309 lfloor 230A rfloor 230B lang 2329 rang 232A loz 25CA spades 2660 clubs 2663 hearts 2665 diams 2666 ' +
  'hyphen 2010 dash 2010 check 2713 cir 25CB squ 25A1 square 25A1 bullet 2022 period 2E comma 2C colon 3A semi 3B lpar 28 rpar 29 dollar 24 percnt 25 num 23 ast 2A plus 2B equals 3D sol 2F hairsp 200A numsp 2007 puncsp 2008 NewLine A Tab 9 QUOT 22 AMP 26 LT 3C GT 3E COPY A9 REG AE';

const NAMED = new Map<string, string>(LATIN_1.split(' ').map((name, i) => [name, String.fromCharCode(0xa0 + i)]));
const pairs = OTHERS.split(' ');
for (let i = 0; i < pairs.length; i += 2) NAMED.set(pairs[i]!, String.fromCharCode(Number.parseInt(pairs[i + 1]!, 16)));

/** The longest name: a search for a reference ends there. */
const LONGEST_NAME = 8;

interface Reference {
  value: string;
  /** Position after the reference. */
  end: number;
}

/** Reads the character reference at `at` (an ampersand); null without one. Looks at most 12 characters ahead. */
export function readReference(source: string, at: number): Reference | null {
  return source.charCodeAt(at + 1) === 0x23 ? readNumber(source, at) : readName(source, at);
}

function readNumber(source: string, at: number): Reference | null {
  const hexadecimal = (source.charCodeAt(at + 2) | 0x20) === 0x78;
  const first = at + (hexadecimal ? 3 : 2);
  const base = hexadecimal ? 16 : 10;
  let value = 0;
  let i = first;
  for (; i < first + 9; i++) {
    const digit = digitValue(source.charCodeAt(i));
    if (digit < 0 || digit >= base) break;
    value = value * base + digit;
  }
  if (i === first) return null;
  if (source.charCodeAt(i) === 0x3b) i++;
  // Numbers 128 to 159 are read as windows-1252, as in browsers: filers write &#146; for an apostrophe.
  if (value >= 0x80 && value <= 0x9f) return { value: WINDOWS_1252_HIGH[value - 0x80]!, end: i };
  if (value === 0 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return { value: '\ufffd', end: i };
  return { value: String.fromCodePoint(value), end: i };
}

function digitValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function readName(source: string, at: number): Reference | null {
  let i = at + 1;
  while (i <= at + LONGEST_NAME + 1 && isNameCharacter(source.charCodeAt(i))) i++;
  const name = source.slice(at + 1, i);
  const value = NAMED.get(name);
  if (value === undefined) return null;
  const closed = source.charCodeAt(i) === 0x3b;
  // Without a semicolon only the old, safe names count: "AT&T" and "&notice" stay text.
  if (!closed && !(name === 'amp' || name === 'nbsp' || name === 'lt' || name === 'gt' || name === 'quot')) return null;
  return { value, end: closed ? i + 1 : i };
}

function isNameCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

export function decodeReferences(text: string): string {
  let at = text.indexOf('&');
  if (at < 0) return text;
  let out = '';
  let from = 0;
  while (at >= 0) {
    const reference = readReference(text, at);
    if (reference) {
      out += text.slice(from, at) + reference.value;
      from = reference.end;
    }
    at = text.indexOf('&', reference ? reference.end : at + 1);
  }
  return out + text.slice(from);
}
