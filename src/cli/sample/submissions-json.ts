/** `CIK##########.json` of each registrant, as data.sec.gov has them: facts of the entity, and its filings as parallel arrays. */
import { isoDay } from './calendar.ts';
import { type Company, type Entity, headerName } from './company.ts';
import type { SampleParty, Submission } from './filing.ts';
import { usesInlineXbrl } from './submission.ts';

/** A filing as the JSON lists it, in the order of its columns. */
type Row = ReturnType<typeof rowOf>;

/** More filings than this go to a second page, as SEC's do beyond a thousand. */
const RECENT_FILINGS = 40;

/** Collects the filings of a cohort's registrants; a cohort holds all filings of its own. */
export class SubmissionsJsonBuilder {
  readonly #entities = new Map<string, { entity: Entity; style: number; rows: Row[] }>();

  add(submission: Submission, size: number): void {
    const seen = new Set<string>();
    for (const party of submission.parties) {
      const { entity } = party;
      if (seen.has(entity.cik)) continue;
      seen.add(entity.cik);
      const held = this.#entities.get(entity.cik) ?? { entity, style: submission.plan.company.style, rows: [] };
      held.rows.push(rowOf(submission, size, party));
      this.#entities.set(entity.cik, held);
    }
  }

  /** The files of all that were added, newest filings first. */
  *files(): Generator<{ path: string; bytes: Buffer }> {
    for (const { entity, style, rows } of this.#entities.values()) {
      rows.sort(
        (a, b) => b.filingDate.localeCompare(a.filingDate) || b.accessionNumber.localeCompare(a.accessionNumber),
      );
      const recent = rows.slice(0, RECENT_FILINGS);
      const older = rows.slice(RECENT_FILINGS);
      const name = `CIK${entity.cik.padStart(10, '0')}`;
      const pages = older.length === 0 ? [] : [pageEntry(`${name}-submissions-001.json`, older)];
      const json = { ...factsOf(entity, style), filings: { recent: columnsOf(recent), files: pages } };
      yield { path: `submissions/${name}.json`, bytes: Buffer.from(JSON.stringify(json), 'latin1') };
      if (older.length > 0) {
        const bytes = Buffer.from(JSON.stringify(columnsOf(older)), 'latin1');
        yield { path: `submissions/${name}-submissions-001.json`, bytes };
      }
    }
  }

  /** The companies that were added and have tickers. */
  *listed(): Generator<{ cik: string; name: string; ticker: string; exchange: string | null }> {
    for (const { entity, style } of this.#entities.values()) {
      for (const listing of tickersOf(entity)) yield { cik: entity.cik, name: headerName(entity, style), ...listing };
    }
  }
}

function rowOf(submission: Submission, size: number, { act, fileNumber, filmNumber }: SampleParty) {
  const { plan, accepted } = submission;
  const main = submission.documents[0];
  const inline = main?.wrapper === 'XBRL' && usesInlineXbrl(plan) ? 1 : 0;
  const sheet = main?.filename?.endsWith('.xml') && /^[345]$/.test(plan.form) ? 'xslF345X05/' : '';
  return {
    accessionNumber: plan.accessionNumber,
    filingDate: isoDay(plan.filed),
    reportDate: submission.period === null ? '' : isoDay(submission.period),
    acceptanceDateTime: `${isoDay(plan.filed)}T${accepted.slice(8).replace(/(..)(..)(..)/, '$1:$2:$3')}.000Z`,
    act: act ?? '',
    form: plan.form,
    fileNumber: fileNumber ?? '',
    filmNumber: filmNumber ?? '',
    items: submission.items.map((item) => item.number).join(','),
    core_type: plan.form,
    size,
    isXBRL: inline,
    isInlineXBRL: inline,
    primaryDocument: main?.filename ? `${sheet}${main.filename}` : '',
    primaryDocDescription: main?.description ?? '',
  };
}

function columnsOf(rows: readonly Row[]): Record<string, (string | number)[]> {
  return Object.fromEntries(
    Object.keys(rows[0]!).map((column) => [column, rows.map((row) => row[column as keyof Row])]),
  );
}

function pageEntry(name: string, rows: readonly Row[]) {
  return { name, filingCount: rows.length, filingFrom: rows.at(-1)!.filingDate, filingTo: rows[0]!.filingDate };
}

function isCompany(entity: Entity): entity is Company {
  return 'kind' in entity;
}

function tickersOf(entity: Entity): Company['tickers'] {
  return isCompany(entity) ? entity.tickers : [];
}

function factsOf(entity: Entity, style: number) {
  const company = isCompany(entity) ? entity : null;
  const tickers = tickersOf(entity);
  const { address } = entity;
  const place = {
    street1: address.street1.toUpperCase(),
    street2: address.street2?.toUpperCase() ?? null,
    city: address.city.toUpperCase(),
    stateOrCountry: address.state,
    zipCode: address.zip,
    stateOrCountryDescription: address.state,
  };
  return {
    cik: entity.cik.padStart(10, '0'),
    entityType: company?.entityType ?? 'other',
    sic: entity.sic ?? '',
    sicDescription: titleCase(entity.sicDescription ?? ''),
    ownerOrg: entity.office,
    insiderTransactionForOwnerExists: entity.person ? 1 : 0,
    insiderTransactionForIssuerExists: tickers.length > 0 ? 1 : 0,
    name: headerName(entity, style),
    tickers: tickers.map((t) => t.ticker),
    exchanges: tickers.map((t) => t.exchange),
    ein: entity.irsNumber ?? '',
    category: company?.category ?? '',
    fiscalYearEnd: entity.fiscalYearEnd,
    stateOfIncorporation: entity.stateOfIncorporation ?? '',
    stateOfIncorporationDescription: entity.stateOfIncorporation ?? '',
    addresses: { mailing: place, business: place },
    phone: entity.phone ?? '',
    formerNames: entity.formerNames.map((former) => ({
      name: former.name,
      from: `${isoDay(former.changedOn - 1500)}T00:00:00.000Z`,
      to: `${isoDay(former.changedOn)}T00:00:00.000Z`,
    })),
  };
}

function titleCase(text: string): string {
  return text.toLowerCase().replace(/(^|[\s-])[a-z]/g, (letters) => letters.toUpperCase());
}
