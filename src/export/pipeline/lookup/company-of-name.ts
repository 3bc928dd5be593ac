/** The company of a name, by entity_lookup. */
import { isLastPage } from '../../../filings/api/index.ts';
import { ContractViolationError, type FilingClient } from '../../client/index.ts';
import { companiesOfName, searchTexts } from '../../windows/index.ts';

/** Entities of an answer. A search that finds more is repeated with the whole name. */
const ENTITIES_MAX = 1_000;
/** Companies that `export_unknown` names for one name. */
const COMPANIES_NAMED = 10;

/** Why a name stands for no company. */
interface NoCompany {
  /** How many companies have the name: 0, or several */
  matches: number;
  /** Some of them, or the reason; null if there are none */
  companies: string | null;
}

/** @throws errors of the client */
export async function companyOf(client: FilingClient, name: string): Promise<{ cik: string } | NoCompany> {
  let found: Found;
  try {
    found = await search(client, searchTexts(name));
    if (!found.whole) found = await search(client, [name]);
    const { length } = found.entities;
    // Another company of the name may be among those that are not in the answer.
    if (!found.whole) return { matches: 0, companies: `more than ${length} entities fit: state the CIK` };
  } catch (error) {
    if (!(error instanceof ContractViolationError)) throw error;
    return { matches: 0, companies: `the answer can't be read: ${error.message}` };
  }
  const companies = companiesOfName(name, found.entities);
  const [first] = companies;
  if (first === undefined) return { matches: 0, companies: null };
  if (companies.length === 1) return { cik: first.cik };
  const some = companies.slice(0, COMPANIES_NAMED).map((company) => `${company.cik} ${company.name}`);
  return { matches: companies.length, companies: some.join('; ') };
}

interface Found {
  entities: { cik: string; name: string | null }[];
  /** Whether these are all that match. */
  whole: boolean;
}

async function search(client: FilingClient, texts: readonly string[]): Promise<Found> {
  const { value } = await client.entityLookup({ name_includes: [...texts], from: 0, to: ENTITIES_MAX });
  const { entities, count, received } = value;
  return { entities, whole: isLastPage(value, ENTITIES_MAX) && (count === null || count <= received) };
}
