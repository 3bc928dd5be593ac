/** An option that changes later is fetched: after any definitions one after the other, a lake has all rows that a fresh one has. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type FilingClient, UnprocessableError } from '../../../../src/export/client/index.ts';
import { definitionSchema } from '../../../../src/export/definition/schema.ts';
import { type ExportDefinition, PASSES } from '../../../../src/export/index.ts';
import { writesDocuments } from '../../../../src/export/pipeline/plan/listing.ts';
import { lineOf } from '../../../../src/export/pipeline/plan/plan-filings.ts';
import type { RowBatch } from '../../../../src/export/pipeline/staging/segment-sink.ts';
import { type CoveredStep, filingSelector, joinedSelector, pendingSteps } from '../../../../src/export/steps/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { rowsOf, tableNamed } from '../../../../src/lake/tables/index.ts';
import { random } from '../../../support/documents/rearrange.ts';
import { fetcherOf, sinkTo } from '../../../support/pipeline/activity-harness.ts';
import {
  DIALECTS,
  type Dialect,
  definitionOf,
  lacking,
  OptionsService,
  randomDefinition,
  recordsIn,
} from '../../../support/pipeline/changed-options.ts';
import { runs } from '../../../support/property-runs.ts';

type Row = Record<string, unknown>;

/** A lake in memory: rows are appended and replaced as commits do. Runs plan and fetch by the code of a real run. */
class LakeInMemory {
  readonly tables: Record<string, Row[]> = {};

  async run(definition: ExportDefinition, dialect: Dialect, client: FilingClient): Promise<void> {
    for (const filing of recordsIn(dialect)) await this.#fetch(definition, filing, client);
  }

  async #fetch(definition: ExportDefinition, filing: Filing, client: FilingClient): Promise<void> {
    const covered = this.#coverage(filing);
    const pending = pendingSteps(definition, filing, covered);
    const line = lineOf(filing, pending);
    if (!pending.listed) this.#list(definition, filing, writesDocuments(definition, line), pending.revision);
    if (line.steps.length === 0) return;
    const sink = sinkTo((batch) => this.#commit(batch));
    for (const pass of PASSES) {
      const fetcher = fetcherOf({ definition, client, sink, pass });
      await fetcher.fetch(line);
      await fetcher.settleSuspects();
    }
  }

  #coverage({ accession_number }: Filing): Map<string, CoveredStep> {
    const rows = (this.tables.coverage ?? []).filter((row) => row.accession_number === accession_number);
    return new Map(rows.map((row) => [String(row.step), row as unknown as CoveredStep]));
  }

  #list(definition: ExportDefinition, filing: Filing, documents: boolean, revision: string): void {
    const { accession_number } = filing;
    const before = this.#coverage(filing).get('filing');
    const selector = joinedSelector(before?.selector ?? null, filingSelector(definition, { documents: !documents }));
    const { rows } = rowsOf('lookup', filing, documents ? [] : ['documents']);
    const of = { accession_number, step: 'filing', selector, revision, status: 'done' };
    const replace = [
      { table: 'coverage', columns: ['accession_number', 'step'], values: [[accession_number, 'filing']] },
      { table: 'filings', columns: ['accession_number'], values: [[accession_number]] },
      ...(documents ? [{ table: 'documents', columns: ['accession_number'], values: [[accession_number]] }] : []),
    ];
    this.#commit({ rows: { ...rows, coverage: [of] }, replace, done: [], failures: 0 } as unknown as RowBatch);
  }

  #commit({ rows, replace, more }: RowBatch): void {
    for (const { table, columns, values } of replace) {
      const keys = new Set(values.map((one) => one.join(' ')));
      this.tables[table] = (this.tables[table] ?? []).filter((row) => !keys.has(columns.map((c) => row[c]).join(' ')));
    }
    for (const [table, list] of Object.entries(rows as Record<string, Row[]>)) this.#append(table, list);
    for (const list of more ?? []) for (const { table, row } of list) this.#append(table, [row as Row]);
  }

  #append(table: string, rows: readonly Row[]): void {
    this.tables[table] = [...(this.tables[table] ?? []), ...rows.map((row) => ({ ...row }))];
  }

  /** Rows of records: not those about runs. */
  get records(): Record<string, Row[]> {
    const { coverage: _, export_failures: __, ...records } = this.tables;
    return records;
  }
}

const keys = (table: string) => tableNamed(table as never)!.key;
const DIALECT_NAMES = Object.keys(DIALECTS) as Dialect[];

/** What runs of definitions one after the other send, and the lake after them. */
async function lakeAfter(definitions: readonly ExportDefinition[], dialect: Dialect) {
  const lake = new LakeInMemory();
  const service = new OptionsService();
  const asked: string[][] = [];
  for (const definition of definitions) {
    const from = service.asked.length;
    await lake.run(definition, dialect, service.client);
    asked.push(service.asked.slice(from));
  }
  return { lake, asked };
}

const shown = ({ tables, documents, sections, text_format }: ExportDefinition) =>
  JSON.stringify({ tables, documents, sections, text_format });

describe.each(DIALECT_NAMES)('a service whose lookups name %s', (dialect) => {
  const cases = Array.from({ length: runs(10) }, (_, i) => 1 + i + DIALECT_NAMES.indexOf(dialect) * 100_000);

  it('leaves, after definitions of any options, the rows of a fresh lake; a repeated run sends nothing', async () => {
    for (const seed of cases) {
      const chance = random(seed * 7919);
      const some = Array.from({ length: 2 + Math.floor(chance() * 3) }, () => randomDefinition(chance));
      const last = some.at(-1)!;
      const { lake, asked } = await lakeAfter([...some, last], dialect);
      const fresh = await lakeAfter([last], dialect);
      const about = `seed ${seed}:\n${some.map(shown).join('\n')}`;
      expect(lacking(fresh.lake.records, lake.records, keys), about).toEqual([]);
      expect(asked.at(-1), about).toEqual([]);
    }
  });

  it.each([['section_contents'], ['document_contents'], ['document_contents', 'chunks'], ['annual_report_sections']])(
    'leaves texts in the format of the last definition, whenever the option is put in or taken out (%s)',
    async (...tables) => {
      for (const documents of ['{ types: [all] }', '{ types: [all], text: true }']) {
        const [plain, markdown] = [false, true].map((is) => definitionOf(['filings', ...tables], documents, [], is));
        for (const some of [
          [markdown!, plain!],
          [plain!, markdown!, plain!, markdown!],
        ]) {
          const last = some.at(-1)!;
          const { lake, asked } = await lakeAfter([...some, last], dialect);
          const fresh = await lakeAfter([last], dialect);
          expect(lacking(fresh.lake.records, lake.records, keys), documents).toEqual([]);
          expect(asked.at(-1)).toEqual([]);
        }
      }
    },
  );

  it('is asked nothing for options that come back, as long as XML has one format', async () => {
    for (const seed of cases) {
      const chance = random(seed * 104_729);
      const some = Array.from({ length: 3 }, () => randomDefinition(chance, 'raw'));
      const { asked } = await lakeAfter([...some, ...some], dialect);
      expect(asked.slice(3), `seed ${seed}:\n${some.map(shown).join('\n')}`).toEqual([[], [], []]);
    }
  });
});

describe('a service whose lookups name everything', () => {
  it('is asked for filings only that lack a row', async () => {
    for (let seed = 1; seed <= runs(10); seed++) {
      const chance = random(seed * 15_485_863);
      const some = Array.from({ length: 3 }, () => randomDefinition(chance));
      const last = some.at(-1)!;
      const before = await lakeAfter(some.slice(0, -1), 'everything');
      const fresh = await lakeAfter([last], 'everything');
      const complete = recordsIn('everything')
        .map(({ accession_number }) => accession_number)
        .filter((number) => {
          const ofFiling = ({ accession_number }: Row) => accession_number === number;
          const rows = Object.entries(fresh.lake.records).map(([table, list]) => [table, list.filter(ofFiling)]);
          return lacking(Object.fromEntries(rows), before.lake.records, keys).length === 0;
        });
      const service = new OptionsService();
      await before.lake.run(last, 'everything', service.client);
      const inVain = service.asked.filter((what) => complete.some((number) => what.includes(number)));
      expect(inVain, `seed ${seed}:\n${some.map(shown).join('\n')}`).toEqual([]);
    }
  });
});

describe.each(DIALECT_NAMES)('a step that failed under other options (%s)', (dialect) => {
  it('is requested under the next options, and under the first ones', async () => {
    for (let seed = 1; seed <= runs(10); seed++) {
      const chance = random(seed * 32_452_843);
      const lake = new LakeInMemory();
      const some = Array.from({ length: 3 }, () => randomDefinition(chance));
      const all = await lakeAfter(some, dialect);
      const everything = all.asked.flat();
      for (const definition of some) {
        const refusing = new OptionsService((what) => {
          throw new UnprocessableError(what);
        });
        for (const what of everything) if (chance() < 0.3) refusing.refused.add(what);
        await lake.run(definition, dialect, refusing.client);
      }
      for (const definition of [some[1]!, some[0]!]) {
        const service = new OptionsService();
        await lake.run(definition, dialect, service.client);
        const fresh = await lakeAfter([definition], dialect);
        const about = `seed ${seed}:\n${some.map(shown).join('\n')}`;
        expect(lacking(fresh.lake.records, lake.records, keys), about).toEqual([]);
      }
    }
  });
});

describe('each option of documents and sections', () => {
  /** Two values of each option, the other options that they need, and the tables that they change. */
  const VALUES: Record<string, [from: string, to: string, beside?: string]> = {
    'documents.types': ['[primary]', '[exhibits]'],
    'documents.xml': ['json', 'raw', 'types: [all]'],
    'documents.text': ['false', 'true'],
    'documents.annual_report': ['false', 'true', 'types: [all]'],
    'documents.graphics': ['false', 'true', 'types: [all]'],
    'documents.sizes': ['false', 'true'],
    'sections.codes': ["['1A']", "['7']"],
  };
  /** Limits what is fetched; it changes no row of what is. */
  const WITHOUT_ROWS = ['documents.max_bytes'];

  const optionsOf = (group: 'documents' | 'sections') =>
    Object.keys((definitionSchema.shape[group].unwrap() as z.ZodObject).shape).map((name) => `${group}.${name}`);

  it('is in this test', () => {
    expect([...Object.keys(VALUES), ...WITHOUT_ROWS].sort()).toEqual(
      [...optionsOf('documents'), ...optionsOf('sections')].sort(),
    );
  });

  it.each(Object.keys(VALUES).flatMap((name) => DIALECT_NAMES.map((dialect) => [name, dialect] as const)))(
    '%s: another value is fetched (%s)',
    async (option, dialect) => {
      const [from, to, beside] = VALUES[option]!;
      const [group, name] = option.split('.');
      const definition = (value: string) => {
        const given = `${name}: ${value}`;
        const documents = [...(beside ? [beside] : []), ...(group === 'documents' ? [given] : [])].join(', ');
        const tables =
          name === 'sizes' ? ['filings', 'documents'] : ['filings', 'document_contents', 'section_contents'];
        const codes = group === 'sections' ? value.replaceAll(/[[\]']/g, '').split(',') : [];
        return definitionOf(tables, `{ ${documents} }`, codes);
      };
      const { asked } = await lakeAfter([definition(from), definition(to), definition(to)], dialect);
      // Documents without sizes, of a lookup that names none, come from filing_info, which states them.
      const isThere = name === 'sizes' && !DIALECTS[dialect].documents;
      expect(asked[1]!.length > 0).toBe(!isThere);
      expect(asked[2]).toEqual([]);
    },
  );
});
