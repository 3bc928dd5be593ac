/** Lakes of the inputs: each is ingested, served, and exported with every table, without Temporal. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import { openLake } from '../../../src/lake/index.ts';
import { EXPORT_TABLES } from '../../../src/lake/tables/index.ts';
import { KeyRegister } from '../../../src/service/accounts/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { startService } from '../../../src/service/index.ts';
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
  const made = await madeLake(input, foreign);
  await made.close();
  return made;
}

interface ServedLake extends MadeLake {
  readonly service: { readonly url: string; readonly key: string };
  close(): Promise<void>;
}

/** A lake, and the service that it came from. @param input or a function that writes the files into a folder */
export async function madeLake(
  input: Input | ((folder: string) => void),
  foreign: Foreign | null = null,
): Promise<ServedLake> {
  const folder = temporaryFolder();
  const place = (name: string) => join(folder, name);
  const [files, catalog, lake] = [place('files'), place('catalog'), place('lake')];
  mkdirSync(files);
  if (typeof input === 'function') input(files);
  else await writeInput(files, input);
  await ingest([files], catalog, { threads: 0 });
  const accounts = KeyRegister.open(catalog, PLANS);
  const { api_key } = accounts.createKey('unlimited');
  accounts.close();
  const service = await startService({ catalogFolder: catalog, port: 0, plans: PLANS, limits: { readerThreads: 1 } });
  const front = foreign && (await LiberalFront.start(service.url, foreign.liberties ?? {}, null, foreign.rewrite));
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
  return {
    lake,
    catalog,
    files,
    contents: (await contentsOf(lake)) as MadeLake['contents'],
    service: { url: service.url, key: api_key },
    async close() {
      await front?.close();
      await service.close();
    },
  };
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
