/** Writes a submission's file in either dialect: header, parties, documents. The shapes are those of files that EDGAR sent. */
import { compactDay, dayOf } from './calendar.ts';
import { conformedName, type Entity } from './company.ts';
import type { Dialect, SampleDocument, SampleParty, Series, Submission } from './filing.ts';
import { Random } from './random.ts';
import { uuencode } from './uuencode.ts';

const IMS_UNTIL = dayOf(1995, 7, 1);
const PEM_UNTIL = dayOf(2001, 3, 1);
const ACCEPTANCE_SINCE = dayOf(2002, 4, 1);
const OFFICES_SINCE = dayOf(2024, 1, 1);
const EIN_SINCE = dayOf(2025, 3, 3);
const LINE = Buffer.from('\n');

export function writeSubmission(submission: Submission, dialect: Dialect): Buffer {
  const random = new Random(submission.plan.company.seed, 'envelope', submission.plan.index);
  return dialect === 'txt' ? writeText(submission, random) : writeFeed(submission, random);
}

function writeText(submission: Submission, random: Random): Buffer {
  const { filed, accessionNumber } = submission;
  const word = filed < IMS_UNTIL && random.chance(0.6) ? 'IMS' : 'SEC';
  const pem = filed < PEM_UNTIL && random.chance(0.9);
  const published = filed + (random.chance(0.2) ? 1 : 0);
  const head = `<${word}-DOCUMENT>${accessionNumber}.txt : ${compactDay(published)}\n<${word}-HEADER>${accessionNumber}.hdr.sgml : ${compactDay(filed)}\n${textHeader(submission)}</${word}-HEADER>\n`;
  const pieces: Buffer[] = [Buffer.from((pem ? pemHead(random, filed) : '') + head, 'latin1')];
  for (const document of submission.documents) pieces.push(...documentPieces(document, submission, random));
  pieces.push(Buffer.from(`</${word}-DOCUMENT>\n${pem ? '-----END PRIVACY-ENHANCED MESSAGE-----\n' : ''}`, 'latin1'));
  return Buffer.concat(pieces);
}

/** An envelope of the kind that files had until 2001. The key and the signature are random letters: nobody's. */
function pemHead(random: Random, filed: number): string {
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const letters = (n: number) => random.symbols(base64, n);
  const name = filed < dayOf(1996, 1, 1) ? 'keymaster@town.hall.org' : 'webmaster@www.sec.gov';
  return `-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001,MIC-CLEAR\nOriginator-Name: ${name}\nOriginator-Key-Asymmetric:\n ${letters(64)}\n ${letters(56)}\nMIC-Info: RSA-MD5,RSA,\n ${letters(64)}\n ${letters(22)}==\n\n`;
}

function textHeader(submission: Submission): string {
  const { filed, accepted, period } = submission;
  let text = '';
  if (accepted && filed >= ACCEPTANCE_SINCE) text += `<ACCEPTANCE-DATETIME>${accepted}\n`;
  text += `ACCESSION NUMBER:\t\t${submission.accessionNumber}\n`;
  text += `CONFORMED SUBMISSION TYPE:\t${submission.form}\n`;
  text += `PUBLIC DOCUMENT COUNT:\t\t${submission.publicDocumentCount}\n`;
  if (period !== null) text += `CONFORMED PERIOD OF REPORT:\t${compactDay(period)}\n`;
  for (const item of submission.items) text += `ITEM INFORMATION:\t\t${item.words}\n`;
  text += `FILED AS OF DATE:\t\t${compactDay(filed)}\n`;
  if (filed >= ACCEPTANCE_SINCE) text += `DATE AS OF CHANGE:\t\t${compactDay(filed)}\n`;
  for (const line of submission.extraHeader) text += `${line}\n`;
  for (const party of submission.parties) text += textParty(party, submission);
  return text + seriesBlock(submission);
}

const HEADINGS: Record<string, string> = {
  filer: 'FILER:',
  reporting_owner: 'REPORTING-OWNER:\t',
  issuer: 'ISSUER:\t\t',
  subject_company: 'SUBJECT COMPANY:\t',
  filed_by: 'FILED BY:\t\t',
  filed_for: 'FILED FOR:\t\t',
  serial_company: 'SERIAL COMPANY:\t',
};

const ACTS = { '33': '1933 Act', '34': '1934 Act', '40': '1940 Act' } as const;

function textParty(party: SampleParty, { filed, plan }: Submission): string {
  const { entity } = party;
  const data = entity.person ? 'OWNER DATA' : 'COMPANY DATA';
  let text = `\n${HEADINGS[party.role]!}\n\n\t${data}:\t\n`;
  text += `\t\tCOMPANY CONFORMED NAME:\t\t\t${headerName(entity, plan.company.style)}\n`;
  text += `\t\tCENTRAL INDEX KEY:\t\t\t${entity.cik.padStart(10, '0')}\n`;
  if (entity.sic) {
    const sic = filed < dayOf(1996, 1, 1) ? entity.sic : `${entity.sicDescription ?? ''} [${entity.sic}]`;
    text += `\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\t${sic}\n`;
  }
  if (filed >= OFFICES_SINCE) text += `\t\tORGANIZATION NAME:           \t${entity.office ?? ''}\n`;
  if (entity.irsNumber)
    text +=
      filed >= EIN_SINCE ? `\t\tEIN:\t\t\t\t${entity.irsNumber}\n` : `\t\tIRS NUMBER:\t\t\t\t${entity.irsNumber}\n`;
  if (entity.stateOfIncorporation) text += `\t\tSTATE OF INCORPORATION:\t\t\t${entity.stateOfIncorporation}\n`;
  if (entity.fiscalYearEnd) text += `\t\tFISCAL YEAR END:\t\t\t${entity.fiscalYearEnd}\n`;
  if (hasValues(party)) {
    const act = party.act ? (filed < dayOf(1997, 1, 1) ? party.act : ACTS[party.act]) : '';
    text += `\n\tFILING VALUES:\n\t\tFORM TYPE:\t\t${party.form}\n`;
    if (party.act || party.fileNumber) text += `\t\tSEC ACT:\t\t${act}\n`;
    if (party.fileNumber) text += `\t\tSEC FILE NUMBER:\t${party.fileNumber}\n`;
    if (party.filmNumber) text += `\t\tFILM NUMBER:\t\t${party.filmNumber}\n`;
  }
  if (!entity.person) text += textAddress('BUSINESS ADDRESS', entity, true);
  text += textAddress('MAIL ADDRESS', entity, false);
  for (const former of formerNames(entity, filed)) {
    text += `\n\tFORMER COMPANY:\t\n\t\tFORMER CONFORMED NAME:\t${former.name}\n\t\tDATE OF NAME CHANGE:\t${compactDay(former.changedOn)}\n`;
  }
  return text;
}

/** A name is former only from the day on that it changed. */
function formerNames(entity: Entity, filed: number): Entity['formerNames'] {
  return entity.formerNames.filter((former) => former.changedOn <= filed);
}

export function headerName(entity: Entity, style: number): string {
  return entity.person ? entity.name.toUpperCase() : conformedName(entity, style);
}

/** An issuer's block has no FILING VALUES: the file number is the owner's. */
function hasValues(party: SampleParty): boolean {
  return party.role !== 'issuer';
}

function textAddress(heading: string, entity: Entity, phone: boolean): string {
  const { address } = entity;
  let text = `\n\t${heading}:\t\n\t\tSTREET 1:\t\t${address.street1.toUpperCase()}\n`;
  if (address.street2) text += `\t\tSTREET 2:\t\t${address.street2.toUpperCase()}\n`;
  text += `\t\tCITY:\t\t\t${address.city.toUpperCase()}\n\t\tSTATE:\t\t\t${address.state}\n\t\tZIP:\t\t\t${address.zip}\n`;
  return phone && entity.phone ? `${text}\t\tBUSINESS PHONE:\t\t${entity.phone}\n` : text;
}

function seriesBlock({ series, newSeries, parties }: Submission): string {
  if (series.length === 0) return '';
  const kind = newSeries ? 'NEW' : 'EXISTING';
  const owner = parties[0]!.entity.cik.padStart(10, '0');
  let text = `<SERIES-AND-CLASSES-CONTRACTS-DATA>\n<${kind}-SERIES-AND-CLASSES-CONTRACTS>\n`;
  for (const one of series) text += oneSeries(one, owner, newSeries);
  return `${text}</${kind}-SERIES-AND-CLASSES-CONTRACTS>\n</SERIES-AND-CLASSES-CONTRACTS-DATA>\n`;
}

function oneSeries(series: Series, owner: string, isNew: boolean): string {
  const tag = isNew ? 'NEW-SERIES' : 'SERIES';
  let text = `<${tag}>\n<OWNER-CIK>${owner}\n<SERIES-ID>${series.id}\n<SERIES-NAME>${series.name}\n`;
  for (const one of series.classes) {
    text += `<CLASS-CONTRACT>\n<CLASS-CONTRACT-ID>${one.id}\n<CLASS-CONTRACT-NAME>${one.name}\n`;
    if (one.ticker) text += `<CLASS-CONTRACT-TICKER-SYMBOL>${one.ticker}\n`;
    text += '</CLASS-CONTRACT>\n';
  }
  return `${text}</${tag}>\n`;
}

function writeFeed(submission: Submission, random: Random): Buffer {
  const { filed, period } = submission;
  let head = `<SUBMISSION>\n<ACCESSION-NUMBER>${submission.accessionNumber}\n<TYPE>${submission.form}\n<PUBLIC-DOCUMENT-COUNT>${submission.publicDocumentCount}\n`;
  if (period !== null) head += `<PERIOD>${compactDay(period)}\n`;
  for (const item of submission.items) head += `<ITEMS>${item.number}\n`;
  head += `<FILING-DATE>${compactDay(filed)}\n<DATE-OF-FILING-DATE-CHANGE>${compactDay(filed)}\n`;
  for (const party of submission.parties) head += feedParty(party, submission);
  head += seriesBlock(submission);
  const pieces: Buffer[] = [Buffer.from(head, 'latin1')];
  for (const document of submission.documents) pieces.push(...documentPieces(document, submission, random));
  pieces.push(Buffer.from('</SUBMISSION>\n', 'latin1'));
  return Buffer.concat(pieces);
}

function feedParty(party: SampleParty, { filed, plan }: Submission): string {
  const { entity } = party;
  const role = party.role.toUpperCase().replaceAll('_', '-');
  const data = entity.person ? 'OWNER-DATA' : 'COMPANY-DATA';
  let text = `<${role}>\n<${data}>\n<CONFORMED-NAME>${headerName(entity, plan.company.style)}\n<CIK>${entity.cik.padStart(10, '0')}\n`;
  if (entity.sic) text += `<ASSIGNED-SIC>${entity.sic}\n`;
  if (filed >= OFFICES_SINCE) text += `<ORGANIZATION-NAME>${entity.office ?? ''}\n`;
  if (entity.irsNumber) text += `<IRS-NUMBER>${entity.irsNumber}\n`;
  if (entity.stateOfIncorporation) text += `<STATE-OF-INCORPORATION>${entity.stateOfIncorporation}\n`;
  if (entity.fiscalYearEnd) text += `<FISCAL-YEAR-END>${entity.fiscalYearEnd}\n`;
  text += `</${data}>\n`;
  if (hasValues(party)) {
    text += `<FILING-VALUES>\n<FORM-TYPE>${party.form}\n`;
    if (party.act) text += `<ACT>${party.act}\n`;
    if (party.fileNumber) text += `<FILE-NUMBER>${party.fileNumber}\n`;
    if (party.filmNumber) text += `<FILM-NUMBER>${party.filmNumber}\n`;
    text += '</FILING-VALUES>\n';
  }
  if (!entity.person) text += feedAddress('BUSINESS-ADDRESS', entity, true);
  text += feedAddress('MAIL-ADDRESS', entity, false);
  for (const former of formerNames(entity, filed)) {
    text += `<FORMER-COMPANY>\n<FORMER-CONFORMED-NAME>${former.name}\n<DATE-CHANGED>${compactDay(former.changedOn)}\n</FORMER-COMPANY>\n`;
  }
  return `${text}</${role}>\n`;
}

function feedAddress(tag: string, entity: Entity, phone: boolean): string {
  const { address } = entity;
  let text = `<${tag}>\n<STREET1>${address.street1.toUpperCase()}\n`;
  if (address.street2) text += `<STREET2>${address.street2.toUpperCase()}\n`;
  text += `<CITY>${address.city.toUpperCase()}\n<STATE>${address.state}\n<ZIP>${address.zip}\n`;
  if (phone && entity.phone) text += `<PHONE>${entity.phone}\n`;
  return `${text}</${tag}>\n`;
}

/** `<DOCUMENT>` to `</DOCUMENT>`. */
export function documentPieces(document: SampleDocument, submission: Submission, random: Random): Buffer[] {
  let head = `<DOCUMENT>\n<TYPE>${document.type}\n<SEQUENCE>${document.sequence}\n`;
  if (document.filename !== null) head += `<FILENAME>${document.filename}\n`;
  if (document.description !== null) head += `<DESCRIPTION>${document.description}\n`;
  head += '<TEXT>\n';
  if (document.wrapper) head += `<${document.wrapper}>\n`;
  const body = document.uuencoded
    ? uuencode(document.bytes, document.filename ?? `${document.type.toLowerCase()}.bin`, {
        zero: submission.filed < dayOf(2012, 1, 1) && random.chance(0.3) ? '`' : ' ',
        stripped: random.chance(0.95),
        filler: random.chance(0.5) ? '!' : 'zero',
        dotStuffed: random.chance(0.7),
      })
    : document.bytes;
  const tail = `${document.wrapper ? `</${document.wrapper}>\n` : ''}</TEXT>\n</DOCUMENT>\n`;
  const last = body[body.length - 1];
  const needsLineEnd = last !== undefined && last !== 0x0a && last !== 0x0d;
  return [Buffer.from(head, 'latin1'), body, ...(needsLineEnd ? [LINE] : []), Buffer.from(tail, 'latin1')];
}
