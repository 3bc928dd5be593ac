/** The words of headers, in one spelling for both dialects. */

const plainNames = new Map<string, string>();
/** All of EDGAR's headers use about a hundred names. A file full of other names must not fill the memory. */
const PLAIN_NAMES_MAX = 1000;

/** `SUBJECT COMPANY` and `ISSUING_ENTITY` become `SUBJECT-COMPANY` and `ISSUING-ENTITY`. Cached: it is called for each line. */
export function plainName(name: string): string {
  const known = plainNames.get(name);
  if (known !== undefined) return known;
  const plain = name.toUpperCase().replace(/[\s_]+/g, '-');
  if (plainNames.size < PLAIN_NAMES_MAX) plainNames.set(name, plain);
  return plain;
}

/** The group of series and classes: named like a party's data, but not part of a party. */
export const SERIES_GROUP = 'SERIES-AND-CLASSES-CONTRACTS-DATA';

/** Groups below a party's heading, besides its data. People have a `FORMER NAME`, companies a `FORMER COMPANY`. */
const SECTIONS = new Set(['FILING-VALUES', 'BUSINESS-ADDRESS', 'MAIL-ADDRESS', 'FORMER-COMPANY', 'FORMER-NAME']);

const ROLES = new Set([
  'FILER',
  'SUBJECT-COMPANY',
  'FILED-BY',
  'FILED-FOR',
  'ISSUER',
  'REPORTING-OWNER',
  'SERIAL-COMPANY',
  'DEPOSITOR',
  'SECURITIZER',
  'ISSUING-ENTITY',
]);

/** `COMPANY DATA`, `OWNER DATA`: the section that every party has, and has first. */
export function isPartyData(key: string): boolean {
  return key.endsWith('-DATA') && key !== SERIES_GROUP;
}

/** A part of a party: its data, filing values, an address, a former name. */
export function isSection(key: string): boolean {
  return SECTIONS.has(key) || isPartyData(key);
}

export function isKnownRole(key: string): boolean {
  return ROLES.has(key);
}
