/** Filings of the service itself, on which the checks are made. */
import {
  type PublishedEntity,
  type PublishedFiling,
  type PublishedInfo,
  publishedEntities,
  publishedFilings,
  publishedInfo,
} from './published-types.ts';
import type { Wire } from './wire.ts';

/** A member is null if the service has none, or did not answer in the published form: then another check says so. */
export interface Sample {
  /** The newest filings */
  filings: PublishedFiling[];
  annual: PublishedFiling | null;
  annualInfo: PublishedInfo | null;
  quarterly: PublishedFiling | null;
  current: PublishedFiling | null;
  currentInfo: PublishedInfo | null;
  /** The filer of the annual report, else of the newest filing */
  entity: PublishedEntity | null;
}

const FILINGS = 40;

export async function findSample(wire: Wire): Promise<Sample> {
  const filings = await filingsOf(wire, { to: FILINGS });
  const ofForm = async (form: string) => (await filingsOf(wire, { form_types: [form], to: 1 }))[0] ?? null;
  const annual = await ofForm('10-K');
  const current = await ofForm('8-K');
  const cik = (annual ?? filings.find((filing) => filing.cik))?.cik;
  return {
    filings,
    annual,
    current,
    quarterly: await ofForm('10-Q'),
    annualInfo: annual && (await infoOf(wire, annual.accession_number)),
    currentInfo: current && (await infoOf(wire, current.accession_number)),
    entity: cik ? await entityOf(wire, cik) : null,
  };
}

async function filingsOf(wire: Wire, parameters: Record<string, unknown>): Promise<PublishedFiling[]> {
  return publishedFilings.safeParse((await wire.ask('filing_lookup', parameters)).json).data?.filings ?? [];
}

async function infoOf(wire: Wire, accessionNumber: string): Promise<PublishedInfo | null> {
  const { json } = await wire.ask('filing_info', { accession_number: accessionNumber });
  return publishedInfo.safeParse(json).data ?? null;
}

async function entityOf(wire: Wire, cik: string): Promise<PublishedEntity | null> {
  const { json } = await wire.ask('entity_lookup', { ciks: [cik] });
  return publishedEntities.safeParse(json).data?.entities[0] ?? null;
}
