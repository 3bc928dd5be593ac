/** Lakes of the questions: the sample of 240 filings, and real submissions where they are at hand. Exported by the engine, without Temporal. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LakeSource, LakeTables, type World } from '../../../src/agents/index.ts';
import { writeSample } from '../../../src/cli/sample/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import { LakeSandbox, openLake } from '../../../src/lake/index.ts';
import { KeyRegister } from '../../../src/service/accounts/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { startService } from '../../../src/service/index.ts';
import { driveRun } from '../pipeline/driven-run.ts';
import { PLANS } from '../service/running-service.ts';
import { sharedFolder } from '../shared.ts';

export interface Question {
  readonly corpus: 'sample' | 'real';
  readonly question: string;
  readonly calls: readonly (readonly [tool: string, args: Record<string, unknown>])[];
  /** By path, in the answer of the last call. `as in the lake`: a length that plain DuckDB measures. */
  readonly expect: Readonly<Record<string, unknown>>;
}

export interface QuestionLake {
  readonly world: World;
  readonly folder: string;
  /** Folder of the submissions that it was made of. */
  readonly submissions: string;
  close(): Promise<void>;
}

/** @returns null if the files are not at hand */
export async function questionLake(corpus: Question['corpus']): Promise<QuestionLake | null> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-questions-'));
  const files =
    corpus === 'sample' ? join(folder, 'sample') : sharedFolder && join(sharedFolder, 'edgar/full-submissions');
  if (files === null) return null;
  if (corpus === 'sample') await writeSample({ out: files, filings: 240, seed: 1, onProgress: () => {} });
  const catalogFolder = join(folder, 'catalog');
  await ingest([files], catalogFolder);
  const accounts = KeyRegister.open(catalogFolder, PLANS);
  const { api_key } = accounts.createKey('unlimited');
  accounts.close();
  const service = await startService({ catalogFolder, port: 0, plans: PLANS, pages: false });
  const lake = await openLake(join(folder, 'lake'), { create: true });
  const definition = parseExportDefinition(
    `name: questions
service: { base_url: '${service.url}' }
select: { date_from: 1990-01-01 }
tables: [entities, filings, parties, documents, sections, section_contents, items_8k, document_contents, ownership, f13, beneficial, xbrl, fundamentals]
documents: { types: [primary], text: true }`,
    'questions',
    {},
  ).definition;
  await driveRun(lake, definition, 'questions', undefined, api_key);
  await service.close();
  const tables = new LakeTables(lake);
  const sandbox = new LakeSandbox(lake.root);
  return {
    folder: lake.root,
    submissions: files,
    world: { sources: [new LakeSource(tables)], lake: tables, sql: sandbox, exports: null },
    close: async () => {
      await sandbox.close();
      await tables.close();
      await lake.close();
    },
  };
}

/** The value at a path such as `filings.0.form_type`. */
export function valueAt(answer: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], answer);
}
