/** Jurisdictions by their words, and EDGAR's codes of them. */
import { PLACES } from '../xbrl/transformations/places.ts';

/** Names beside those of EDGAR's own lists. `-`: EDGAR has no code, or several. */
const OTHERS = new Map(
  `X0 uk|X0 scotland|X0 wales|X0 northern ireland|X0 england/wales|X1 us|X1 usa|X1 federal|F4 prc|F4 china prc|F4 mainland china|F4 peoples republic of china|M5 korea|M5 rok|M5 korea south
1Z russia|Q1 vietnam|2N czech|D8 bvi|D8 british virgin island|D8 british vi|D8 tortola|P7 holland|L7 ivory coast|VI us virgin islands|VI usvi|VI virgin islands|C0 dubai|C0 abu dhabi|K3 hong kong sar|K3 hongkong
K3 hksar|2B slovak republic|E9 cayman|E9 grand cayman|P8 curacao|P8 neth antilles|P8 netherland antilles|P8 dutch antilles|2M west germany|2M federal republic of germany|- channel islands|- yugoslavia
- serbia and montenegro|- kosovo|- labuan|F5 taiwan roc|F5 republic of china|F5 roc|1F belarus republic|E1 burma|W5 trinidad|D2 brunei|U7 nevis|U7 st kitts|U7 st kitts and nevis|U9 st lucia|V1 st vincent
V1 st vincent and the grenadines|B9 antigua|1E bosnia|Y3 drc|S5 rumania|L6 italia|2M deutschland|- sint maarten|- st maarten|DC washington dc|DC dc|B0 yukon territory|- northwest territories|- nunavut
- czechoslovakia|C3 new south wales|C3 victoria|C3 queensland|C3 western australia|C3 south australia
DE del|CA calif|CA cal|MA mass|PA penn|PA penna|TX tex|FL fla|IL ill|MN minn|MI mich|WI wis|WA wash|OK okla|NE neb|NE nebr|NV nev|CT conn|CO colo|AZ ariz|TN tenn|IN ind|KS kans|AL ala|AR ark|MS miss|MT mont`
    .split(/[|\n]/)
    .map((entry) => [entry.slice(entry.indexOf(' ') + 1), entry.startsWith('-') ? null : entry.slice(0, 2)] as const),
);
const POSTAL =
  /^(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY]|GU)$/;
const FORMAL =
  /^(?:the )?(?:(?:state|commonwealth|province|republic|kingdom|territory|grand duchy|emirate|federation|bailiwick|island) of )?(?:the )?/;
const KIND =
  /,? (?:an? )?(?:(?:business|professional|public|private|general|exempted?|stock|non-?profit|not-for-profit|chartered|statutory|limited|liability|insurance|banking|unlimited|registered|state|national|mutual) )*(?:corporations?|compan(?:y|ies)|partnerships?|trusts?|l\.?l\.?[cp]\.?|l\.?p\.?|corp\.?|inc\.?|bank|association|co\.?|gmbh|limited|ltd\.?|cooperative|law|entity|charter(?:ed)?)$/i;
const LAWS =
  /^(?:(?:incorporated|organi[sz]ed|formed|registered|established) (?:in|under the laws? of) )?(?:(?:an?|the state of) (?=\p{Lu}))?/u;
const known = new Map<string, string | null | undefined>();

/** Of one place: undefined if the words are not the name of one. */
function single(text: string): string | null | undefined {
  if (POSTAL.test(text)) return text;
  if (text === '' || text.length > 60) return undefined;
  if (known.size > 5_000) known.clear();
  if (!known.has(text)) known.set(text, looked(text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')));
  return known.get(text);
}

function looked(lower: string): string | null | undefined {
  const bare = lower
    .replaceAll('\u2019', "'")
    .replace(/\s*&\s*/g, ' and ')
    .replace(/[.,;:]+$/, '')
    .replace(FORMAL, '');
  const short = bare.replace(/\b([a-z])\. ?(?=[a-z]\b)/g, '$1').replace(/[.'(),]/g, '');
  for (const name of [lower, bare, short.trim()]) {
    const code = name === 'georgia' ? 'GA' : (PLACES.edgarprovcountryen!(name) ?? PLACES.stateprovnameen!(name));
    if (code !== null || OTHERS.has(name)) return code ?? OTHERS.get(name);
  }
  return undefined;
}

/** EDGAR's code of a jurisdiction: of the state or province, if words name a country, too. Undefined: they name no place. */
export function codeOf(text: string): string | null | undefined {
  const own = single(text);
  if (own !== undefined) return own;
  const parts = text.split(/\s*(?:[,/;()]|\s[-\u2013\u2014]\s|\band\b|&|\bor\b)\s*/).filter((part) => part !== '');
  const codes = parts.map(single);
  if (parts.length > 1 && codes.every((code) => code !== undefined)) {
    const isWithin =
      parts.length === 2 && /^(?:X1|Z4|X0|C3|F4|C0|N8)$/.test(codes[1] ?? '') && !/[/;&]|\band\b/.test(text);
    return isWithin || new Set(codes).size === 1 ? codes[0] : null;
  }
  // A town, and its country: `Shanghai, China`.
  const town = /^(\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*)?), ([^,()]+)$/u.exec(text);
  if (town !== null && !/\b(?:inc|ltd|llc|co|corp|limited|company|s\.a|ag|gmbh|plc)\.?$/i.test(town[1]!))
    return single(town[2]!);
  const within = /^(.+?),? (?:u\.?s\.?a?\.?|canada)$/i.exec(text);
  return within === null ? undefined : single(within[1]!);
}

export const isPlace = (text: string) => codeOf(text) !== undefined;

/** The place in some words: without the kind of company that follows it. */
export function placeIn(text: string): string | null {
  let rest = text
    .replace(/^\((.*)\)$/, '$1')
    .replace(LAWS, '')
    .trim();
  while (!isPlace(rest)) {
    const kind = KIND.exec(rest);
    if (kind === null || kind.index < 2) return null;
    rest = rest.slice(0, kind.index);
  }
  return rest;
}
