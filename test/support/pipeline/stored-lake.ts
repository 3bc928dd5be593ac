/** Lakes with stored documents of small filings, whose tables of forms an older version of the mapping made. */
import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import type { Filing } from '../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { bring } from '../lake/small-lake.ts';
import { FormService, formFiling, type ServedDocument } from './form-service.ts';
import { definitionOf, LakeOfRuns } from './lake-of-runs.ts';

export const STORED = 'documents: { types: [all], xml: raw }';
const TABLES = 'filings, documents, document_contents, ownership';

export function ownershipReport(shares: number): string {
  return `<?xml version="1.0"?><ownershipDocument><documentType>4</documentType><issuer><issuerCik>0000000007</issuerCik></issuer><nonDerivativeTable><nonDerivativeTransaction><transactionAmounts><transactionShares><value>${shares}</value></transactionShares></transactionAmounts></nonDerivativeTransaction></nonDerivativeTable></ownershipDocument>`;
}

/** Exports filings of form 4 into a lake, as its runs do. */
export class StoredFilings {
  readonly lake: Lake;
  readonly #runs: LakeOfRuns;
  readonly #service = new FormService();

  constructor(lake: Lake, prefix = 'r') {
    this.lake = lake;
    this.#runs = new LakeOfRuns(lake, prefix);
  }

  filing(n: number, shares: number, over: Partial<Filing> = {}): Filing {
    const documents: ServedDocument[] = [{ name: 'form4.xml', type: '4', content: ownershipReport(shares) }];
    return this.#service.add(formFiling(n, '4', documents, over), documents);
  }

  /** One export of these, with their documents and tables. */
  async export(filings: readonly Filing[], tables = TABLES): Promise<void> {
    const planned = await this.#runs.lookUp(definitionOf(tables, STORED, '{}'), { records: filings });
    await this.#runs.fetch(planned, this.#service.client);
  }

  get asked(): number {
    return this.#service.asked.length;
  }
}

/** Makes all rows of tables of forms older: as if an older release had made them, with other values. */
export async function makeOlder(lake: Lake, version = 0): Promise<void> {
  const names = ['ownership_reports', 'ownership_transactions'];
  const rows: Record<string, Row[]> = {};
  for (const name of names) {
    const { columns } = lake.tables.get(name)!;
    const asText = columns.flatMap(({ name: column, type }) =>
      type.startsWith('DECIMAL') ? [`${column}::VARCHAR AS ${column}`] : [],
    );
    const replaced = name === 'ownership_transactions' ? [...asText, "'-1' AS shares"] : asText;
    const other = replaced.filter((one, i) => i === replaced.length - 1 || !one.endsWith(' shares'));
    const all = [`${version} AS mapping_version`, ...other].join(', ');
    rows[name] = (await lake.query(`SELECT * REPLACE (${all}) FROM ${name}`)) as Row[];
  }
  const covered = (await lake.query(
    `SELECT * REPLACE (regexp_replace(selector, 'mapping:\\d+', 'mapping:${version}') AS selector, '2024-01-01T00:00:00Z' AS fetched_at)
     FROM coverage WHERE step = 'forms'`,
  )) as Row[];
  rows.coverage = covered;
  const numbers = covered.map(({ accession_number }) => [String(accession_number)]);
  const replace = names.map((table) => ({ table, columns: ['accession_number'], values: numbers }));
  const steps = {
    table: 'coverage',
    columns: ['accession_number', 'step'],
    values: numbers.map(([n]) => [n!, 'forms']),
  };
  await bring(lake, { run: `mapping-${version}`, batch: randomUUID() }, rows, [...replace, steps]);
}

/**
 * What a reader must see in every version: each filing once in each table, all in one version of the mapping, the one that coverage
 * states.
 * @returns accession number and version of each
 */
export async function mappingsSeen(lake: Lake): Promise<{ accession_number: string; version: number }[]> {
  const rows = await lake.query(
    `SELECT c.accession_number, regexp_extract(c.selector, 'mapping:(\\d+)', 1)::INTEGER AS version,
       (SELECT count(*) FROM ownership_reports o WHERE o.accession_number = c.accession_number)::INTEGER AS reports,
       (SELECT count(*) FROM ownership_transactions o WHERE o.accession_number = c.accession_number)::INTEGER AS transactions,
       (SELECT bool_and(o.mapping_version = version) FROM ownership_reports o WHERE o.accession_number = c.accession_number) AS same_reports,
       (SELECT bool_and(o.mapping_version = version AND (o.shares = -1) = (version = 0)) FROM ownership_transactions o
        WHERE o.accession_number = c.accession_number) AS same_transactions
     FROM coverage c WHERE c.step = 'forms' ORDER BY 1`,
  );
  for (const row of rows) {
    const { reports, transactions, same_reports, same_transactions } = row;
    if (reports !== 1 || transactions !== 1 || same_reports !== true || same_transactions !== true)
      throw new Error(`a filing is not whole: ${JSON.stringify(row)}`);
  }
  return rows.map(({ accession_number, version }) => ({
    accession_number: String(accession_number),
    version: Number(version),
  }));
}

/** A copy of a lake in another folder, remapped by nobody yet. */
export async function copyOfLake(from: string, to: string): Promise<Lake> {
  await cp(from, to, { recursive: true });
  return openLake(to);
}
