/** Parties of a header, in the shape of the API's records. */
import { type Address, type Party, parseCik } from '../../api/index.ts';
import { isKnownRole, isSection, SERIES_GROUP } from './header-names.ts';
import { headerDate } from './header-text.ts';
import type { HeaderNode } from './header-tree.ts';
import type { HeaderField, Warning } from './submission.ts';

/** Keys of both dialects, for the members that are copied unchanged. */
const TEXTS = new Map<string, keyof Party>([
  ['COMPANY-CONFORMED-NAME', 'name'],
  ['CONFORMED-NAME', 'name'],
  ['STATE-OF-INCORPORATION', 'state_of_incorporation'],
  ['FISCAL-YEAR-END', 'fiscal_year_end'],
  ['SEC-ACT', 'sec_act'],
  ['ACT', 'sec_act'],
  ['SEC-FILE-NUMBER', 'file_number'],
  ['FILE-NUMBER', 'file_number'],
  ['FILM-NUMBER', 'film_number'],
  ['RELATIONSHIP', 'relationship'],
]);

const ADDRESS_KINDS = new Map([
  ['BUSINESS-ADDRESS', 'business'],
  ['MAIL-ADDRESS', 'mailing'],
]);
const ADDRESS_PARTS = new Map<string, keyof Address>([
  ['STREET-1', 'street1'],
  ['STREET1', 'street1'],
  ['STREET-2', 'street2'],
  ['STREET2', 'street2'],
  ['CITY', 'city'],
  ['STATE', 'state'],
  ['ZIP', 'zip'],
]);

/** Whether a node of the header is a party: a group of a known role, or any that holds a party's sections. */
export function isParty(node: HeaderNode): boolean {
  if (node.children === null || node.key === SERIES_GROUP) return false;
  return isKnownRole(node.key) || node.children.some((child) => child.children !== null && isSection(child.key));
}

/** Reads one party. Fields without a place in the API's record are added to `otherFields` under the party's position. */
export function readParty(node: HeaderNode, position: number, otherFields: HeaderField[], warnings: Warning[]): Party {
  const party: Party = {
    role: node.key.toLowerCase().replaceAll('-', '_'),
    cik: null,
    name: null,
    former_names: [],
    state_of_incorporation: null,
    fiscal_year_end: null,
    sic: null,
    sic_description: null,
    irs_number: null,
    file_number: null,
    film_number: null,
    sec_act: null,
    relationship: null,
    addresses: {},
  };
  const keep = (field: HeaderNode) => otherFields.push({ name: field.name, value: field.value, party: position });
  for (const child of node.children!) {
    if (child.children === null) {
      if (!takeFact(party, child, warnings)) keep(child);
      continue;
    }
    const kind = ADDRESS_KINDS.get(child.key);
    if (child.key.startsWith('FORMER-')) party.former_names.push(readFormerName(child, keep, warnings));
    else if (kind !== undefined) readAddress(party, kind, child, keep);
    else for (const field of fieldsBelow(child)) if (!takeFact(party, field, warnings)) keep(field);
  }
  return party;
}

function* fieldsBelow(node: HeaderNode): Generator<HeaderNode> {
  for (const child of node.children!) {
    if (child.children === null) yield child;
    else yield* fieldsBelow(child);
  }
}

/** Fills a member that is still empty. A second value is ignored. */
function fill<Member extends keyof Party | keyof Address>(
  record: { [member in Member]?: unknown },
  member: Member,
  value: string,
): boolean {
  if (value === '') return true;
  if (record[member] !== null) return false;
  record[member] = value;
  return true;
}

function takeFact(party: Party, field: HeaderNode, warnings: Warning[]): boolean {
  switch (field.key) {
    case 'CENTRAL-INDEX-KEY':
    case 'CIK': {
      const cik = parseCik(field.value);
      if (cik !== null) return fill(party, 'cik', cik);
      if (field.value !== '') warnings.push({ message: `'${field.value}' is not a CIK`, offset: field.offset });
      return field.value === '';
    }
    case 'IRS-NUMBER':
    case 'EIN':
      // Nine zeros mean a number that EDGAR doesn't know.
      return fill(party, 'irs_number', /^0+$/.test(field.value) ? '' : field.value);
    case 'STANDARD-INDUSTRIAL-CLASSIFICATION':
    case 'ASSIGNED-SIC':
      return takeIndustry(party, field.value);
    default: {
      const member = TEXTS.get(field.key);
      return member !== undefined && fill(party, member, field.value);
    }
  }
}

/** `ELECTRONIC COMPUTERS [3571]`, `3571`, `[3571]` or `[]`: code and description apart, either may be missing. */
function takeIndustry(party: Party, value: string): boolean {
  if (/^\d+$/.test(value)) return fill(party, 'sic', value);
  const bracket = value.lastIndexOf('[');
  const code = bracket < 0 ? null : /^\[(\d*)\]$/.exec(value.slice(bracket));
  if (code === null) return fill(party, 'sic_description', value);
  return fill(party, 'sic', code[1]!) && fill(party, 'sic_description', value.slice(0, bracket).trimEnd());
}

function readAddress(party: Party, kind: string, section: HeaderNode, keep: (field: HeaderNode) => void): void {
  party.addresses[kind] ??= { street1: null, street2: null, city: null, state: null, zip: null };
  for (const field of fieldsBelow(section)) {
    const part = ADDRESS_PARTS.get(field.key);
    if (part === undefined || !fill(party.addresses[kind], part, field.value)) keep(field);
  }
}

function readFormerName(
  section: HeaderNode,
  keep: (field: HeaderNode) => void,
  warnings: Warning[],
): Party['former_names'][number] {
  const former: Party['former_names'][number] = { name: '', date_of_change: null };
  for (const field of fieldsBelow(section)) {
    const { key } = field;
    if (key === 'FORMER-CONFORMED-NAME' && former.name === '') former.name = field.value;
    else if ((key === 'DATE-OF-NAME-CHANGE' || key === 'DATE-CHANGED') && former.date_of_change === null) {
      former.date_of_change = headerDate(field.value);
      if (former.date_of_change === null && field.value !== '') {
        warnings.push({ message: `'${field.value}' is not a date of a change of name`, offset: field.offset });
      }
    } else keep(field);
  }
  return former;
}
