/** An option that changes later is fetched: a lake after several definitions, row by row beside a fresh lake of the last one. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ExportDefinition } from '../../../../src/export/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { tableNamed } from '../../../../src/lake/tables/index.ts';
import { random } from '../../../support/documents/rearrange.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { closeSound } from '../../../support/pipeline/activity-harness.ts';
import {
  DIALECTS,
  type Dialect,
  definitionOf,
  lacking,
  OptionsService,
  randomDefinition,
  recordsIn,
} from '../../../support/pipeline/changed-options.ts';
import { LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';
import { runs } from '../../../support/property-runs.ts';

const lakes: Lake[] = [];
afterEach(async () => {
  for (const lake of lakes.splice(0)) await closeSound(lake);
});

class Exports {
  readonly service = new OptionsService();
  readonly #runs: LakeOfRuns;

  private constructor(lake: Lake) {
    lakes.push(lake);
    this.#runs = new LakeOfRuns(lake);
  }

  static async open(): Promise<Exports> {
    return new Exports(await openLake(temporaryFolder(), { create: true }));
  }

  /** @returns the requests that the run sent */
  async run(definition: ExportDefinition, dialect: Dialect | 'numbers'): Promise<string[]> {
    const from = this.service.asked.length;
    const planned =
      dialect === 'numbers'
        ? await this.#runs.lookUp(
            definition,
            { records: recordsIn('everything').map(({ accession_number }) => accession_number) },
            { of: 'numbers' },
          )
        : await this.#runs.lookUp(definition, { records: recordsIn(dialect) });
    await this.#runs.fetch(planned, this.service.client);
    return this.service.asked.slice(from);
  }

  async rows(tables: readonly string[]): Promise<Record<string, Record<string, unknown>[]>> {
    return Object.fromEntries(
      await Promise.all(tables.map(async (name) => [name, await this.#runs.rows(`SELECT * FROM ${name}`)] as const)),
    );
  }
}

async function compare(some: readonly ExportDefinition[], dialects: readonly (Dialect | 'numbers')[]): Promise<void> {
  const about = `${dialects}:\n${some.map(({ tables, documents, sections }) => JSON.stringify({ tables, documents, sections })).join('\n')}`;
  const [exports, fresh] = [await Exports.open(), await Exports.open()];
  for (const [i, definition] of some.entries()) await exports.run(definition, dialects[i]!);
  const [last, dialect] = [some.at(-1)!, dialects.at(-1)!];
  await fresh.run(last, dialect);
  const tables = last.tables.filter((name) => name !== 'entities');
  const keys = (table: string) => tableNamed(table as never)!.key;
  expect(lacking(await fresh.rows(tables), await exports.rows(tables), keys), about).toEqual([]);
  expect(await exports.run(last, dialect), about).toEqual([]);
}

describe.each(Object.keys(DIALECTS) as Dialect[])('a lake of a service whose lookups name %s', (dialect) => {
  it('has, after definitions of any options, the rows of a fresh lake', async () => {
    for (let seed = 1; seed <= runs(2); seed++) {
      const chance = random(seed * 6_700_417 + dialect.length);
      const some = Array.from({ length: 3 }, () => randomDefinition(chance));
      await compare(
        some,
        some.map(() => dialect),
      );
    }
  });
});

describe('a lake of a service whose lookups change', () => {
  const contents = (xml: string) =>
    definitionOf(['filings', 'documents', 'document_contents'], `{ types: [all], xml: ${xml} }`);

  it.each<[string, (Dialect | 'numbers')[]]>([
    ['name documents in between', ['no documents', 'everything', 'no documents']],
    ['are left out in between', ['no documents', 'numbers', 'no documents']],
    ['name documents later', ['no documents', 'everything', 'everything']],
  ])('has XML in the format of the last definition: they %s', async (_, dialects) => {
    await compare([contents('json'), contents('raw'), contents('json')], dialects);
  });
});
