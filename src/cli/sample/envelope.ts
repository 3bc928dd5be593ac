/** Writes a submission's file in either dialect: header, parties, documents. The shapes are those of files that EDGAR sent. */
import { compactDay, dayOf } from './calendar.ts';
import { type Entity, headerName } from './company.ts';
import type { Dialect, SampleDocument, SampleParty, Submission } from './filing.ts';
import { uuencode } from './uuencode.ts';

const OFFICES_SINCE = dayOf(2024, 1, 1);
const EIN_SINCE = dayOf(2025, 3, 3);

export function writeSubmission(submission: Submission, dialect: Dialect): Buffer {
  const [head, tail] = dialect === 'txt' ? textEnds(submission) : feedEnds(submission);
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    ...submission.documents.flatMap(documentPieces),
    Buffer.from(tail, 'latin1'),
  ]);
}

function textEnds(submission: Submission): [head: string, tail: string] {
  const { plan, accepted, period, items, parties, publicDocumentCount } = submission;
  const { accessionNumber, form, filed } = plan;
  const day = compactDay(filed);
  const lines = [
    `<SEC-DOCUMENT>${accessionNumber}.txt : ${day}`,
    `<SEC-HEADER>${accessionNumber}.hdr.sgml : ${day}`,
    `<ACCEPTANCE-DATETIME>${accepted}`,
    `ACCESSION NUMBER:\t\t${accessionNumber}`,
    `CONFORMED SUBMISSION TYPE:\t${form}`,
    `PUBLIC DOCUMENT COUNT:\t\t${publicDocumentCount}`,
    ...(period === null ? [] : [`CONFORMED PERIOD OF REPORT:\t${compactDay(period)}`]),
    ...items.map(({ words }) => `ITEM INFORMATION:\t\t${words}`),
    `FILED AS OF DATE:\t\t${day}`,
    `DATE AS OF CHANGE:\t\t${day}`,
  ];
  const blocks = parties.map((party) => textParty(party, submission)).join('');
  return [`${lines.join('\n')}\n${blocks}${seriesBlock(submission)}</SEC-HEADER>\n`, '</SEC-DOCUMENT>\n'];
}

const HEADINGS: Record<string, string> = {
  filer: 'FILER:',
  reporting_owner: 'REPORTING-OWNER:\t',
  issuer: 'ISSUER:\t\t',
  subject_company: 'SUBJECT COMPANY:\t',
  filed_by: 'FILED BY:\t\t',
};

/** Lines of a label, the tabs after it, and a value; those without a value are left out. */
function labelled(rows: readonly (readonly [label: string, value: string | null])[]): string {
  return rows.map(([label, value]) => (value === null ? '' : `\t\t${label}${value}\n`)).join('');
}

function textParty({ role, entity, form, act, fileNumber, filmNumber }: SampleParty, { plan }: Submission): string {
  const { filed, company } = plan;
  const data = labelled([
    ['COMPANY CONFORMED NAME:\t\t\t', headerName(entity, company.style)],
    ['CENTRAL INDEX KEY:\t\t\t', entity.cik.padStart(10, '0')],
    ['STANDARD INDUSTRIAL CLASSIFICATION:\t', entity.sic && `${entity.sicDescription} [${entity.sic}]`],
    ['ORGANIZATION NAME:           \t', filed >= OFFICES_SINCE ? (entity.office ?? '') : null],
    [filed >= EIN_SINCE ? 'EIN:\t\t\t\t' : 'IRS NUMBER:\t\t\t\t', entity.irsNumber],
    ['STATE OF INCORPORATION:\t\t\t', entity.stateOfIncorporation],
    ['FISCAL YEAR END:\t\t\t', entity.fiscalYearEnd],
  ]);
  const values = labelled([
    ['FORM TYPE:\t\t', form],
    ['SEC ACT:\t\t', act ? `19${act} Act` : fileNumber && ''],
    ['SEC FILE NUMBER:\t', fileNumber],
    ['FILM NUMBER:\t\t', filmNumber],
  ]);
  const { street1, street2, city, state, zip } = entity.address;
  const place = labelled([
    ['STREET 1:\t\t', street1.toUpperCase()],
    ['STREET 2:\t\t', street2?.toUpperCase() ?? null],
    ['CITY:\t\t\t', city.toUpperCase()],
    ['STATE:\t\t\t', state],
    ['ZIP:\t\t\t', zip],
  ]);
  const former = formerNames(entity, filed).map(
    ({ name, changedOn }) =>
      `\n\tFORMER COMPANY:\t\n\t\tFORMER CONFORMED NAME:\t${name}\n\t\tDATE OF NAME CHANGE:\t${compactDay(changedOn)}\n`,
  );
  return [
    `\n${HEADINGS[role]!}\n\n\t${entity.person ? 'OWNER DATA' : 'COMPANY DATA'}:\t\n${data}`,
    // An issuer's block has no filing values: the file number belongs to the owner.
    role === 'issuer' ? '' : `\n\tFILING VALUES:\n${values}`,
    entity.person ? '' : `\n\tBUSINESS ADDRESS:\t\n${place}${labelled([['BUSINESS PHONE:\t\t', entity.phone]])}`,
    `\n\tMAIL ADDRESS:\t\n${place}`,
    ...former,
  ].join('');
}

/** A name is a former one from the day of its change on. */
function formerNames(entity: Entity, filed: number): Entity['formerNames'] {
  return entity.formerNames.filter((former) => former.changedOn <= filed);
}

function seriesBlock({ series, parties, plan }: Submission): string {
  if (series.length === 0) return '';
  const [group, tag] = plan.ordinal === 0 ? ['NEW', 'NEW-SERIES'] : ['EXISTING', 'SERIES'];
  const owner = parties[0]!.entity.cik.padStart(10, '0');
  const blocks = series.map(({ id, name, classes }) => {
    const contracts = classes.map(
      (one) =>
        `<CLASS-CONTRACT>\n<CLASS-CONTRACT-ID>${one.id}\n<CLASS-CONTRACT-NAME>${one.name}\n${one.ticker ? `<CLASS-CONTRACT-TICKER-SYMBOL>${one.ticker}\n` : ''}</CLASS-CONTRACT>\n`,
    );
    return `<${tag}>\n<OWNER-CIK>${owner}\n<SERIES-ID>${id}\n<SERIES-NAME>${name}\n${contracts.join('')}</${tag}>\n`;
  });
  return `<SERIES-AND-CLASSES-CONTRACTS-DATA>\n<${group}-SERIES-AND-CLASSES-CONTRACTS>\n${blocks.join('')}</${group}-SERIES-AND-CLASSES-CONTRACTS>\n</SERIES-AND-CLASSES-CONTRACTS-DATA>\n`;
}

/** Lines of a tag and a value; those without a value are left out. */
function tagged(rows: readonly (readonly [tag: string, value: string | number | null])[]): string {
  return rows.map(([tag, value]) => (value === null ? '' : `<${tag}>${value}\n`)).join('');
}

function feedEnds(submission: Submission): [head: string, tail: string] {
  const { plan, period, items, parties, publicDocumentCount } = submission;
  const head = tagged([
    ['SUBMISSION', ''],
    ['ACCESSION-NUMBER', plan.accessionNumber],
    ['TYPE', plan.form],
    ['PUBLIC-DOCUMENT-COUNT', publicDocumentCount],
    ['PERIOD', period && compactDay(period)],
    ...items.map(({ number }) => ['ITEMS', number] as const),
    ['FILING-DATE', compactDay(plan.filed)],
    ['DATE-OF-FILING-DATE-CHANGE', compactDay(plan.filed)],
  ]);
  const blocks = parties.map((party) => feedParty(party, submission)).join('');
  return [`${head}${blocks}${seriesBlock(submission)}`, '</SUBMISSION>\n'];
}

function feedParty({ role, entity, form, act, fileNumber, filmNumber }: SampleParty, { plan }: Submission): string {
  const within = (tag: string, content: string) => `<${tag}>\n${content}</${tag}>\n`;
  const data = tagged([
    ['CONFORMED-NAME', headerName(entity, plan.company.style)],
    ['CIK', entity.cik.padStart(10, '0')],
    ['ASSIGNED-SIC', entity.sic],
    ['ORGANIZATION-NAME', plan.filed >= OFFICES_SINCE ? (entity.office ?? '') : null],
    ['IRS-NUMBER', entity.irsNumber],
    ['STATE-OF-INCORPORATION', entity.stateOfIncorporation],
    ['FISCAL-YEAR-END', entity.fiscalYearEnd],
  ]);
  const values = tagged([
    ['FORM-TYPE', form],
    ['ACT', act],
    ['FILE-NUMBER', fileNumber],
    ['FILM-NUMBER', filmNumber],
  ]);
  const { street1, street2, city, state, zip } = entity.address;
  const place = tagged([
    ['STREET1', street1.toUpperCase()],
    ['STREET2', street2?.toUpperCase() ?? null],
    ['CITY', city.toUpperCase()],
    ['STATE', state],
    ['ZIP', zip],
  ]);
  const former = formerNames(entity, plan.filed).map(({ name, changedOn }) =>
    within(
      'FORMER-COMPANY',
      tagged([
        ['FORMER-CONFORMED-NAME', name],
        ['DATE-CHANGED', compactDay(changedOn)],
      ]),
    ),
  );
  return within(
    role.toUpperCase().replaceAll('_', '-'),
    [
      within(entity.person ? 'OWNER-DATA' : 'COMPANY-DATA', data),
      role === 'issuer' ? '' : within('FILING-VALUES', values),
      entity.person ? '' : within('BUSINESS-ADDRESS', place + tagged([['PHONE', entity.phone]])),
      within('MAIL-ADDRESS', place),
      ...former,
    ].join(''),
  );
}

/** `<DOCUMENT>` to `</DOCUMENT>`. */
function documentPieces(document: SampleDocument): Buffer[] {
  const { type, sequence, filename, description, wrapper, uuencoded, bytes } = document;
  const head = tagged([
    ['DOCUMENT', ''],
    ['TYPE', type],
    ['SEQUENCE', sequence],
    ['FILENAME', filename],
    ['DESCRIPTION', description],
    ['TEXT', ''],
  ]);
  return [
    Buffer.from(wrapper ? `${head}<${wrapper}>\n` : head, 'latin1'),
    uuencoded ? uuencode(bytes, filename) : bytes,
    Buffer.from(`${wrapper ? `</${wrapper}>\n` : ''}</TEXT>\n</DOCUMENT>\n`, 'latin1'),
  ];
}
