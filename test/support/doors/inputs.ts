/** Lakes of the inputs: each is ingested, served, and exported with every table, without Temporal. */
import { join } from 'node:path';
import { KeyRegister } from '../../../src/accounts/index.ts';
import { ingest } from '../../../src/catalog/index.ts';
import { parseExportDefinition } from '../../../src/export/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { startService } from '../../../src/service/index.ts';
import { EXPORT_TABLES } from '../../../src/tables/index.ts';
import { LiberalFront } from '../dialect-proxy.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';
import { driveRun } from '../pipeline/driven-run.ts';
import { PLANS } from '../service/running-service.ts';
import { contentsOf } from '../test-stack.ts';
import { type Input, writeInput } from './corpus.ts';
import type { Foreign } from './foreign.ts';

export interface MadeLake {
  readonly lake: string;
  readonly catalog: string;
  readonly files: string;
  /** Rows by table, without what is of the run. */
  readonly contents: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** @param foreign what stands before our service */
export async function lakeOfInput(input: Input, foreign: Foreign | null = null): Promise<MadeLake> {
  const folder = temporaryFolder();
  const [files, catalog, lake] = ['files', 'catalog', 'lake'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeInput(files, input);
  await ingest([files], catalog, { threads: 0 });
  const accounts = KeyRegister.open(catalog, PLANS);
  const { api_key } = accounts.createKey('unlimited');
  accounts.close();
  const service = await startService({
    catalogFolder: catalog,
    port: 0,
    plans: PLANS,
    pages: false,
    limits: { readerThreads: 1 },
  });
  const front = foreign && (await LiberalFront.start(service.url, foreign.liberties ?? {}, null, foreign.rewrite));
  try {
    const { definition } = parseExportDefinition(
      `name: doors
service: { base_url: '${front?.url ?? service.url}', key: parameter }
select: { date_from: 1990-01-01 }
tables: [${EXPORT_TABLES.join(', ')}]
documents: { types: [all], text: true, xml: raw }`,
      'doors',
      {},
    );
    const opened = await openLake(lake, { create: true });
    await driveRun(opened, definition, 'doors', undefined, api_key);
    await opened.close();
    return { lake, catalog, files, contents: (await contentsOf(lake)) as MadeLake['contents'] };
  } finally {
    await front?.close();
    await service.close();
  }
}

/**
 * Why the rows of a table differ from those of complete submissions, filing by filing; null: they do not. Rows may be missing if
 * `coverage` says why.
 */
export function strayRows(
  ours: MadeLake,
  whole: MadeLake,
  table: string,
  { filings, lacks, otherwise = /^$/ }: Omit<Input, 'files'>,
): string | null {
  const own = new Set(filings.map(({ accession }) => accession));
  const of = ({ contents }: MadeLake) =>
    (contents[table] ?? [])
      .filter(({ accession_number: number }) => number === undefined || own.has(String(number)))
      .map((row) => JSON.stringify(Object.entries(row).filter(([name]) => !otherwise.test(name))))
      .sort();
  const [given, expected] = [of(ours), of(whole)];
  if (lacks.test(table)) return null;
  const strange = given.find((row) => !expected.includes(row));
  const missing = expected.find((row) => !given.includes(row));
  if (given.length === expected.length && strange === undefined) return null;
  return `${given.length} rows, not ${expected.length}; missing ${missing?.slice(0, 300)}; strange ${strange?.slice(0, 300)}`;
}
