/** What the words of one line say: a company's name, its jurisdiction and share, a heading, or a sentence. */
import { placeIn } from './places.ts';

/** Kinds of companies that end a name, in the languages of filers. */
const SUFFIX =
  /(?:^|[\s,.(])(?:incorporated|inc|corporation|corp|company|companies|co|limited|ltd|ltda|limitada|limitee|l\.?\s?l\.?\s?c|l\.?\s?l\.?\s?p|l\.?\s?p|p\.?\s?c|plc|p\.l\.c|partners|partnership|trust|trusts|bank|n\.?\s?a|s\.?\s?a|s\.?\s?a\.?\s?s|s\.?\s?a\.?\s?r\.?\s?l|sarl|s\.?\s?r\.?\s?l|s\.?\s?p\.?\s?a|s\.?\s?l|s\.?l\.?u|s\.?\s?c\.?\s?a|s\.?c\.?s|s\.?\s?a\.?\s?de\s?c\.?\s?v|de c\.?\s?v|de r\.?\s?l|c\.?\s?v|c\.?\s?a|b\.?\s?v|n\.?\s?v|b\.?v\.?b\.?a|a\.?\s?g|gmbh|g\.?m\.?b\.?h|mbh|m\.b\.h|kg|k\.g|ohg|ug|a\/s|aps|a\.?\s?s|a\.?\s?b|aktiebolag|oy|oyj|ab|pty|pte|pvt|private|bhd|sdn|berhad|k\.?\s?k|kabushiki kaisha|g\.?k|y\.?k|d\.?o\.?o|e\.?o\.?o\.?d|ood|ead|z\.?\s?o\.?\s?o|kft|zrt|rt|nyrt|s\.?r\.?o|spol|a\.s|ulc|unlimited|lda|s\.?g\.?p\.?s|eurl|snc|s\.n\.c|gie|sas|sasu|sca|se|ooo|o\.?o\.?o|zao|oao|pjsc|jsc|llp|lllp|tbk|pt|fze|fzco|fz-llc|wll|w\.l\.l|dmcc|holding|holdings|group|association|foundation|fund|reit|society|cooperative|s\.c|e\.?i\.?r\.?l|e\.?u|anonim sirketi|a\.?\u015f|as|asa|sp|sicav|cia|cie|nominees|services|systems|enterprises|international|industries|properties|associates|ventures|investments|finance|insurance|agency|laboratories|technologies|solutions|products)[.,)\]]*$/i;

export const hasSuffix = (text: string): boolean =>
  SUFFIX.test(text.replace(/\s*\([^()]*\)$/, '')) || SUFFIX.test(text);

const MARK_BEHIND =
  /\s*(?:[*\u2020\u2021\u00a7#+^\u00b9\u00b2\u00b3\u2070-\u2079]+|\/\d{1,2}\/|[([{](?:\d{1,2}|[a-z]|[*\u2020\u2021#]+)(?:\s*[,&]\s*(?:\d{1,2}|[a-z]))*[)\]}])$/i;

/** Without marks of footnotes, at either end. */
export function withoutMarks(text: string): string {
  let plain = text.replace(/^[*\u2020\u2021\u00a7#+^]+\s*/, '').replace(/^\((?:\d{1,2}|[a-z])\)\s+/i, '');
  while (MARK_BEHIND.test(plain)) plain = plain.replace(MARK_BEHIND, '');
  return plain.replace(/(\b(?:inc|ltd|llc|corp|co|limited|gmbh|corporation|company)[.)]?)\d{1,2}$/i, '$1').trimEnd();
}

const LIST_MARK =
  /^(?:\(?\d{1,3}[.)]|\d{1,3}(?:\.\d{1,3})+\.?|\((?:[a-z]|[ivx]{1,5})\)|[\u2022\u00b7\u25aa\u25ab\u25cf\u25cb\u25e6\u25a0\u25a1\u2013\u2014\u2212\uf0b7>-])\s+/i;

/** Without the mark of a list. A letter with a full stop may begin a name. */
export const withoutListMark = (text: string): string => text.replace(LIST_MARK, '');

const SHARE =
  /^(?:approx(?:imately|\.)?\s*|>|<)?\s*(\d{1,3}(?:[.,]\d{1,6})?)\s*(%|percent|per cent)?(?:\s*(?:owned|interest|ownership|held|(?:in)?direct(?:ly)?)(?: by .+)?)?$/i;

/** The number of a share as printed: `99.5 %`. @param needsSign a number alone is none */
export function percentOf(text: string, needsSign: boolean): string | null {
  const [, digits, sign] = SHARE.exec(withoutMarks(text)) ?? [];
  const number = digits?.replace(',', '.');
  return number === undefined || Number(number) > 100 || (needsSign && sign === undefined) ? null : number;
}

export type Entry = { readonly name: string } & Readonly<Record<'jurisdiction' | 'share' | 'others', string | null>>;

const ALSO =
  /^(?:(?:and )?(?:also )?(?:d\s?\/?\s?b\s?\/?\s?a|d\.b\.a|f\s?\/?\s?k\s?\/?\s?a|f\.k\.a|a\s?\/?\s?k\s?\/?\s?a|a\.k\.a|n\s?\/?\s?k\s?\/?\s?a|t\/a|doing business|formerly|previously|also known|also doing|now known|known as|trading as|fka|dba|aka)\b|trade name)/i;
const ALSO_BEHIND = new RegExp(String.raw`^(.*?\S)[,;]?\s+(${ALSO.source.slice(1)}.*)$`, 'i');
/** `Acme Ltd., a Delaware corporation`, `Acme Ltd. - Delaware`, `Acme Ltd., Delaware`; whether only behind the kind of a company. */
const PLACED_BEHIND: readonly (readonly [RegExp, true?])[] = [
  [
    /^(.+?)[,;:]?\s*[([]?\s*\b(?:is )?(?:an? )?(?:(?:corporation|company|limited liability company|limited partnership|partnership) )?(?:incorporated|organi[sz]ed|formed|established|registered|domiciled|existing)\s+(?:and existing )?(?:in|under the laws? of)\s+(?:the )?(?:state of |commonwealth of |laws of )?(.+?)[)\].]*$/i,
  ],
  [
    /^(.+?)(?:,|;|:|\s[-\u2013\u2014]|\s\(|\sis)\s*(?:is )?(?:an?|the)\s+(?:(?:wholly|majority)[- ]owned\s+)?(.{2,60})$/i,
  ],
  [/^(.*\S)\s*(?:\s?[\u2013\u2014]\s?|--+|:)\s*([^:]+)$/],
  [/^(.*\S)\s-\s([^:]+)$/, true],
  [/^(.*?[^,]),\s*([^,]+(?:, [^,]+)?)$/, true],
  [/^(.*),\s*([^,]+)$/, true],
];

/** Splits a line into the name and what follows it. @param placed the jurisdiction has a column of its own */
export function entryOf(text: string, placed: boolean): Entry {
  // A bracket that nothing closes
  let name = withoutMarks(withoutListMark(text)).replace(/\(([^()]+)$/, (whole, inner) =>
    placeIn(inner) ? `(${inner})` : whole,
  );
  const found: Record<'jurisdiction' | 'share', string | null> = { jurisdiction: null, share: null };
  const others: string[] = [];
  for (let before = ''; before !== name; ) {
    before = name;
    const [, head, inner] = /^(.*\S)\s*[([]([^()[\]]*(?:\([^()]*\)[^()]*)?)[)\]][.,;]?$/.exec(name) ?? [];
    const also = ALSO_BEHIND.exec(name);
    const owned = /^(.*[^\s,:;\u2013\u2014-])[\s,:;\u2013\u2014-]+(\d{1,3}(?:\.\d+)?\s?%)(?: owned)?$/.exec(name);
    if (head !== undefined) {
      const parts = inner!.trim().split(/\s*[;,]\s*|\s+[-\u2013\u2014]\s+/);
      const share = parts.find((part) => percentOf(part, true) !== null);
      const rest = parts.filter((part) => part !== share).join(', ');
      const place = placed || found.jurisdiction !== null ? null : placeIn(rest);
      if (ALSO.test(inner!)) others.unshift(inner!);
      else if (place === null && (share === undefined || (rest !== '' && !/own|interest|held/i.test(rest)))) break;
      found.share ??= share ?? null;
      found.jurisdiction ??= place;
      name = withoutMarks(head.replace(/[,;]$/, ''));
    } else if (also !== null) {
      others.unshift(also[2]!);
      name = also[1]!;
    } else if (owned !== null && found.share === null) {
      name = owned[1]!;
      found.share = owned[2]!;
    } else if (!placed && found.jurisdiction === null) [name, found.jurisdiction] = behind(name) ?? [name, null];
  }
  // `The Company has one subsidiary, Acme Bank`
  name = name.replace(/^(?:the|our|its|we)\b.*\bsubsidiar(?:y|ies)\b[^,:]*[,:]\s+(?=\p{Lu})/iu, '');
  name = withoutMarks(name.replace(/[\s,;:]+$/, '').replace(/^["\u201c]([^"\u201d]*)["\u201d]$/, '$1'));
  return { ...found, name, others: others.join('; ') || null };
}

function behind(text: string): [string, string] | null {
  for (const [pattern, needsSuffix] of PLACED_BEHIND) {
    const [, name, words] = pattern.exec(text) ?? [];
    if (words === undefined || (needsSuffix && !hasSuffix(name!))) continue;
    const plain = words.replace(/[.)\]]+$/, '').replace(/\s+\(.*$/, '');
    const place = placeIn(plain) ?? placeIn(plain.replace(/(corporation|company|partnership|trust)\b.*$/i, '$1'));
    if (place !== null) return [name!, place];
  }
  return null;
}

const HEADER_WORDS = new Set(
  `name|names|of|the|or|other|and|state|country|jurisdiction|incorporation|incorporated|organization|organisation|organized|formation|formed|place|domicile|under|laws|law|which|in|subsidiary|subsidiaries|company|companies|entity|entities|legal|corporate|corporation|percentage|percent|%|owned|ownership|voting|securities|stock|by|its
immediate|parent|interest|equity|held|shares|share|registrant|registrants|date|type|business|businesses|doing|as|trade|assumed|if|any|number|no|status|direct|directly|indirect|indirectly|province|territory|region|principal|activity|activities|nature|registered|establishment|control|controlled|subsidiary's|registrant's|company's
significant|list|shareholding|economic|beneficial|beneficially|effective|issued|attributable|to|us|our|we|year|location|where|each|is|was|when|conducts|conducted|does|approximate|outstanding|class|common|states|s|relationship|owner|owners|parent's|operating|used|consolidated|capital|affiliate|affiliates|domestic|foreign|for
operations|registration|form|sole|member|existence|exact|respective|&|d|b|a|dba|tax|not-for-profit|juristic|holder|general|partner|shareholder|shareholders|title|purpose|address|city|continued|cont'd|notes|note|footnote|level|tier|entity's|code|id|than|wholly|wholly-owned|majority|active|inactive|-`.split(
    /[|\n]/,
  ),
);

/** Words that only head a column. */
export function isHeader(text: string): boolean {
  const words = text.toLowerCase().match(/[^\s,:/()*.]+/g) ?? [];
  return words.length <= 22 && /[a-z]{2}|%/i.test(text) && words.every((word) => HEADER_WORDS.has(word));
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const FURNITURE = new RegExp(
  String.raw`^(?:[-\u2013\u2014\s]*(?:page\s+)?\d{1,4}(?:\s+of\s+\d+)?[-\u2013\u2014\s]*|[ivx]{1,6}|[eF]-?\d{1,3}|page|table of contents|\(?continued\)?|\(?(?:as (?:of|at) )?(?:the )?${MONTH}\.?\s+\d{1,2},?\s+\d{4}\)?|(?:as (?:of|at)|at|effective|dated|updated|fiscal year|for the (?:fiscal )?year)\b.*\d{4}\.?\)?|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}.*|exhibits?\b.*|ex[-. ]?\s?(?:21|8)\b.*|(?:annual report|form)\b.*10-k.*|form (?:10-k|20-f|s-[14]|10).*|10-k(?: .*)?|item \d.*|commission file.*)$`,
  'i',
);

/** Page numbers, dates, the exhibit's number. */
export const isFurniture = (text: string): boolean => FURNITURE.test(text) || !/\p{L}/u.test(text);

const TITLE =
  /^(?:(?:the |a |an |our )?(?:(?:list|listing|schedule|table) of |significant |principal |direct |indirect |material |active |inactive |certain |domestic |foreign |international |u\.?s\.? |non-u\.?s\.? |all |other |consolidated |unconsolidated |operating |(?:wholly|majority|partially)[- ]owned |and |or |parents? |registrant'?s? |company'?s? |following )*(?:subsidiar(?:y|ies)|affiliates|affiliated (?:entities|companies)|group companies|variable interest entit(?:y|ies)|joint ventures|consolidated entities)(?:['\u2019]s)?(?:(?:,| (?:of|and|as of|as at|at|list|listing|information|companies|entities|in|which|owned|\()).*)?|.{2,80} (?:and (?:its )?)?(?:consolidated )?subsidiaries(?: (?:list|of registrant))?|subsidiary (?:list|listing|companies|entities|information).*)[\s*:.)]*$/i;

/** `List of subsidiaries`, `Subsidiaries of Acme, Inc.` */
export const isTitle = (text: string): boolean =>
  TITLE.test(text.replace(CONTINUED, '')) && (!hasSuffix(text) || /^.{0,60}subsidiar|\bof\b/i.test(text));

export const CONTINUED = /\s*\(?(?:continued|cont'?d\.?)\)?\s*$/i;
const PARENT = /\b(?:subsidiar(?:y|ies)|affiliates|companies)\s+(?:of|owned by|held by)\s+(.+?)[\s:*]*$/i;

/** Of `Subsidiaries of Acme Holdings, Inc.:` */
export function parentIn(text: string): string | null {
  const name = PARENT.exec(text.replace(CONTINUED, ''))?.[1];
  return name === undefined ? null : entryOf(name.replace(/,? as (?:of|at) .*$/i, ''), false).name || null;
}

const JOINING =
  /\b(?:is|are|was|were|been|be|which|that|would|shall|may|such|not|have|has|been|all|these|those|other|their|following|pursuant|as|by|on|in|to|for|from|with|than|unless|except|each|if|any|only|it|its|they|above|below|set|forth|indicated|names?|listed|omitted|named|considered|constitute|owned|own|owns|does|do|the|this|does|registrant|company|subsidiary|subsidiaries|voting|directly|indirectly|remaining|held|percent|percentage|minority|interest|accordance|regulation|certain)\b/g;

/** Sentences, and pieces of them: most of their words join others. */
export function isProse(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const joining = (text.match(JOINING)?.length ?? 0) / words.length;
  const small = words.filter((word) => /^["'(]*\p{Ll}/u.test(word)).length / words.length;
  if (words.length < 5) return false;
  return (joining * words.length >= 3 && joining >= 0.2 && small >= 0.4) || (words.length >= 8 && small >= 0.6);
}
