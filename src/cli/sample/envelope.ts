/** Writes a submission's file in either dialect: header, parties, documents. The shapes are those of files that EDGAR sent. */
import { compactDay, dayOf } from './companies/calendar.ts';
import { headerName } from './companies/company.ts';
import type { Dialect, SampleDocument, SampleParty, Submission } from './companies/filing.ts';
import { uuencode } from './uuencode.ts';

const OFFICES_SINCE = dayOf(2024, 1, 1);
const EIN_SINCE = dayOf(2025, 3, 3);

/** A line of a header: its label in a `.txt`, with the tabs that follow; its tag in a `.nc`; the value. One of them may be missing. */
type Row = readonly [label: string | null, tag: string | null, value: string | number | null | undefined];

function lines(dialect: Dialect, indent: string, rows: readonly Row[]): string {
  return rows
    .map(([label, tag, value]) => {
      const name = dialect === 'txt' ? label : tag;
      return name === null || value == null ? '' : `${dialect === 'txt' ? `${indent}${label}` : `<${tag}>`}${value}\n`;
    })
    .join('');
}

export function writeSubmission(submission: Submission, dialect: Dialect): Buffer {
  const { plan, accepted, period, items, parties, documents, publicDocumentCount } = submission;
  const { accessionNumber, form } = plan;
  const day = compactDay(plan.filed);
  const head = lines(dialect, '', [
    [`<SEC-DOCUMENT>${accessionNumber}.txt : `, null, day],
    [`<SEC-HEADER>${accessionNumber}.hdr.sgml : `, null, day],
    ['<ACCEPTANCE-DATETIME>', 'SUBMISSION', dialect === 'txt' ? accepted : ''],
    ['ACCESSION NUMBER:\t\t', 'ACCESSION-NUMBER', accessionNumber],
    ['CONFORMED SUBMISSION TYPE:\t', 'TYPE', form],
    ['PUBLIC DOCUMENT COUNT:\t\t', 'PUBLIC-DOCUMENT-COUNT', publicDocumentCount],
    ['CONFORMED PERIOD OF REPORT:\t', 'PERIOD', period && compactDay(period)],
    ...items.map(
      ({ number, words }) => ['ITEM INFORMATION:\t\t', 'ITEMS', dialect === 'txt' ? words : number] as const,
    ),
    ['FILED AS OF DATE:\t\t', 'FILING-DATE', day],
    ['DATE AS OF CHANGE:\t\t', 'DATE-OF-FILING-DATE-CHANGE', day],
  ]);
  const blocks = parties.map((party) => partyBlock(party, submission, dialect)).join('');
  const tail = dialect === 'txt' ? '</SEC-DOCUMENT>\n' : '</SUBMISSION>\n';
  return Buffer.concat([
    Buffer.from(`${head}${blocks}${dialect === 'txt' ? '</SEC-HEADER>\n' : ''}`, 'latin1'),
    ...documents.flatMap(documentPieces),
    Buffer.from(tail, 'latin1'),
  ]);
}

function partyBlock(party: SampleParty, { plan }: Submission, dialect: Dialect): string {
  const { role, entity, form, act, fileNumber, filmNumber } = party;
  const { filed, company } = plan;
  const isText = dialect === 'txt';
  const block = (heading: string, rows: readonly Row[]) => {
    const content = lines(dialect, '\t\t', rows);
    const tag = heading.trim().replace(':', '').replace(' ', '-');
    return isText ? `\n\t${heading}\n${content}` : `<${tag}>\n${content}</${tag}>\n`;
  };
  const { street1, street2, city, state, zip } = entity.address;
  const place: Row[] = [
    ['STREET 1:\t\t', 'STREET1', street1.toUpperCase()],
    ['STREET 2:\t\t', 'STREET2', street2?.toUpperCase() ?? null],
    ['CITY:\t\t\t', 'CITY', city.toUpperCase()],
    ['STATE:\t\t\t', 'STATE', state],
    ['ZIP:\t\t\t', 'ZIP', zip],
  ];
  const sic = isText && entity.sic ? `${entity.sicDescription} [${entity.sic}]` : entity.sic;
  const blocks = [
    block(entity.person ? 'OWNER DATA:\t' : 'COMPANY DATA:\t', [
      ['COMPANY CONFORMED NAME:\t\t\t', 'CONFORMED-NAME', headerName(entity, company.style)],
      ['CENTRAL INDEX KEY:\t\t\t', 'CIK', entity.cik.padStart(10, '0')],
      ['STANDARD INDUSTRIAL CLASSIFICATION:\t', 'ASSIGNED-SIC', sic],
      ['ORGANIZATION NAME:           \t', 'ORGANIZATION-NAME', filed >= OFFICES_SINCE ? (entity.office ?? '') : null],
      [filed >= EIN_SINCE ? 'EIN:\t\t\t\t' : 'IRS NUMBER:\t\t\t\t', 'IRS-NUMBER', entity.irsNumber],
      ['STATE OF INCORPORATION:\t\t\t', 'STATE-OF-INCORPORATION', entity.stateOfIncorporation],
      ['FISCAL YEAR END:\t\t\t', 'FISCAL-YEAR-END', entity.fiscalYearEnd],
    ]),
  ];
  // An issuer's block has no filing values: the file number belongs to the owner.
  if (role !== 'issuer') {
    const values: Row[] = [
      ['FORM TYPE:\t\t', 'FORM-TYPE', form],
      ['SEC ACT:\t\t', 'ACT', isText ? (act ? `19${act} Act` : fileNumber && '') : act],
      ['SEC FILE NUMBER:\t', 'FILE-NUMBER', fileNumber],
      ['FILM NUMBER:\t\t', 'FILM-NUMBER', filmNumber],
    ];
    blocks.push(block('FILING VALUES:', values));
  }
  if (!entity.person)
    blocks.push(block('BUSINESS ADDRESS:\t', [...place, ['BUSINESS PHONE:\t\t', 'PHONE', entity.phone]]));
  blocks.push(block('MAIL ADDRESS:\t', place));
  for (const { name, changedOn } of entity.formerNames) {
    // A name is a former one from the day of its change on.
    if (changedOn > filed) continue;
    const rows: Row[] = [
      ['FORMER CONFORMED NAME:\t', 'FORMER-CONFORMED-NAME', name],
      ['DATE OF NAME CHANGE:\t', 'DATE-CHANGED', compactDay(changedOn)],
    ];
    blocks.push(block('FORMER COMPANY:\t', rows));
  }
  const tag = role.toUpperCase().replaceAll('_', isText && role !== 'reporting_owner' ? ' ' : '-');
  return isText ? `\n${tag}:\t\n${blocks.join('')}` : `<${tag}>\n${blocks.join('')}</${tag}>\n`;
}

/** `<DOCUMENT>` to `</DOCUMENT>`. */
function documentPieces(document: SampleDocument): Buffer[] {
  const { type, sequence, filename, description, wrapper, uuencoded, bytes } = document;
  const words = description === null ? '' : `<DESCRIPTION>${description}\n`;
  const head = `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${sequence}\n<FILENAME>${filename}\n${words}<TEXT>\n`;
  return [
    Buffer.from(wrapper ? `${head}<${wrapper}>\n` : head, 'latin1'),
    uuencoded ? uuencode(bytes, filename) : bytes,
    Buffer.from(`${wrapper ? `</${wrapper}>\n` : ''}</TEXT>\n</DOCUMENT>\n`, 'latin1'),
  ];
}
