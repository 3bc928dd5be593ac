/** `CIK##########.json` of each registrant, as data.sec.gov has them: facts of the entity, and its filings as parallel arrays. */
import { isoDay } from './companies/calendar.ts';
import { type Company, type Entity, headerName } from './companies/company.ts';
import type { SampleParty, Submission } from './companies/filing.ts';

/** A filing as the JSON lists it, in the order of its columns. */
type Row = ReturnType<typeof rowOf>;

/** More filings than this go to a second page, as SEC's do beyond a thousand. */
const RECENT_FILINGS = 40;

/** Collects the filings of a cohort's registrants; a cohort holds all filings of its own. */
export class SubmissionsJsonBuilder {
  readonly #entities = new Map<string, { entity: Entity; style: number; rows: Row[] }>();

  add(submission: Submission, size: number): void {
    for (const party of new Map(submission.parties.toReversed().map((one) => [one.entity.cik, one])).values()) {
      const { entity } = party;
      const held = this.#entities.get(entity.cik) ?? { entity, style: submission.plan.company.style, rows: [] };
      held.rows.push(rowOf(submission, size, party));
      this.#entities.set(entity.cik, held);
    }
  }

  /** The files of all that were added, newest filings first. */
  *files(): Generator<{ path: string; bytes: Buffer }> {
    for (const { entity, style, rows } of this.#entities.values()) {
      const newest = (row: Row) => row.filingDate + row.accessionNumber;
      rows.sort((a, b) => newest(b).localeCompare(newest(a)));
      const name = `CIK${entity.cik.padStart(10, '0')}`;
      const recent = columnsOf(rows.slice(0, RECENT_FILINGS));
      const older = rows.slice(RECENT_FILINGS);
      const pages: object[] = [];
      if (older.length > 0) {
        const page = `${name}-submissions-001.json`;
        const [filingFrom, filingTo] = [older.at(-1)!.filingDate, older[0]!.filingDate];
        pages.push({ name: page, filingCount: older.length, filingFrom, filingTo });
        yield { path: `submissions/${page}`, bytes: Buffer.from(JSON.stringify(columnsOf(older)), 'latin1') };
      }
      const json = { ...factsOf(entity, style), filings: { recent, files: pages } };
      yield { path: `submissions/${name}.json`, bytes: Buffer.from(JSON.stringify(json), 'latin1') };
    }
  }

  /** CIK, name, ticker and exchange of the companies that were added and have tickers. */
  *listed(): Generator<[cik: number, name: string, ticker: string, exchange: string]> {
    for (const { entity, style } of this.#entities.values()) {
      for (const { ticker, exchange } of tickersOf(entity))
        yield [Number(entity.cik), headerName(entity, style), ticker, exchange];
    }
  }
}

function rowOf(submission: Submission, size: number, { act, fileNumber, filmNumber }: SampleParty) {
  const { plan, accepted, period, items, documents } = submission;
  const main = documents[0];
  const isInline = Number(documents.some(({ type }) => type === 'EX-101.SCH'));
  const sheet = /^[345]$/.test(plan.form) ? 'xslF345X05/' : '';
  return {
    accessionNumber: plan.accessionNumber,
    filingDate: isoDay(plan.filed),
    reportDate: period === null ? '' : isoDay(period),
    acceptanceDateTime: `${isoDay(plan.filed)}T${accepted.slice(8).replace(/(..)(..)(..)/, '$1:$2:$3')}.000Z`,
    act: act ?? '',
    form: plan.form,
    fileNumber: fileNumber ?? '',
    filmNumber: filmNumber ?? '',
    items: items.map((item) => item.number).join(','),
    core_type: plan.form,
    size,
    isXBRL: isInline,
    isInlineXBRL: isInline,
    primaryDocument: main ? sheet + main.filename : '',
    primaryDocDescription: main?.description ?? '',
  };
}

function columnsOf(rows: readonly Row[]): Record<string, (string | number)[]> {
  return Object.fromEntries(
    Object.keys(rows[0]!).map((column) => [column, rows.map((row) => row[column as keyof Row])]),
  );
}

const companyOf = (entity: Entity): Company | null => ('kind' in entity ? (entity as Company) : null);
const tickersOf = (entity: Entity): Company['tickers'] => companyOf(entity)?.tickers ?? [];

function factsOf(entity: Entity, style: number) {
  const tickers = tickersOf(entity);
  const { street1, street2, city, state, zip } = entity.address;
  const place = {
    street1: street1.toUpperCase(),
    street2: street2?.toUpperCase() ?? null,
    city: city.toUpperCase(),
    stateOrCountry: state,
    zipCode: zip,
    stateOrCountryDescription: state,
  };
  return {
    cik: entity.cik.padStart(10, '0'),
    entityType: companyOf(entity)?.entityType ?? 'other',
    sic: entity.sic ?? '',
    sicDescription: (entity.sicDescription ?? '').toLowerCase().replace(/(^|[\s-])[a-z]/g, (s) => s.toUpperCase()),
    ownerOrg: entity.office,
    insiderTransactionForOwnerExists: entity.person ? 1 : 0,
    insiderTransactionForIssuerExists: tickers.length > 0 ? 1 : 0,
    name: headerName(entity, style),
    tickers: tickers.map((t) => t.ticker),
    exchanges: tickers.map((t) => t.exchange),
    ein: entity.irsNumber ?? '',
    category: companyOf(entity)?.category ?? '',
    fiscalYearEnd: entity.fiscalYearEnd,
    stateOfIncorporation: entity.stateOfIncorporation ?? '',
    stateOfIncorporationDescription: entity.stateOfIncorporation ?? '',
    addresses: { mailing: place, business: place },
    phone: entity.phone ?? '',
    formerNames: entity.formerNames.map(({ name, changedOn }) => {
      const [from, to] = [changedOn - 1500, changedOn].map((day) => `${isoDay(day)}T00:00:00.000Z`);
      return { name, from, to };
    }),
  };
}
