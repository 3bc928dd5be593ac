import { readdirSync, renameSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ExportDefinition } from '../../../../src/export/index.ts';
import { openRun } from '../../../../src/export/pipeline/commit/run-lifecycle.ts';
import { RAW_XML } from '../../../../src/export/selectors/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { LocalStorage, storageError } from '../../../../src/lake/storage/local/local-storage.ts';
import { bring, FEW_TABLES, filingRows } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { definitionOf, dependenciesOf, runOf } from '../../../support/pipeline/activity-harness.ts';

/** A disk on which one folder belongs to somebody else. */
class WithForeignFolder extends LocalStorage {
  foreign = '';

  override async proveWritable(folders: readonly string[]): Promise<void> {
    const refused = Object.assign(new Error('EACCES'), { code: 'EACCES' });
    for (const folder of [...folders, '_scratch']) {
      if (folder === this.foreign) throw storageError(this.name, 'write', this.url(folder), refused);
    }
    await super.proveWritable(folders);
  }
}

describe('the opening of a run', () => {
  it.each(['_lake', '_staging', '_scratch', 'documents', 'documents/_delta_log'])(
    'refuses a lake if %s can’t be written, before a request is spent',
    async (foreign) => {
      const folder = temporaryFolder();
      const storage = new WithForeignFolder(folder);
      await using lake = await openLake(folder, { create: true, tables: FEW_TABLES, storage });
      const run = runOf(definitionOf('e', 'documents'), 'r', lake);
      storage.foreign = foreign;
      await expect(openRun(dependenciesOf(lake), run)).rejects.toMatchObject({
        code: 'lake-unwritable',
        message: `${folder}/${foreign} can't be written: you have no permission`,
      });
      expect(readdirSync(folder)).not.toContain('_staging');
      storage.foreign = '';
      expect(await openRun(dependenciesOf(lake), run)).toEqual({ lake_version: -1, lake_id: lake.id });
    },
  );

  it('refuses a lake whose table has lost its folder, before a request is spent', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    await bring(lake, { run: 'r1', batch: 'b' }, filingRows(1));
    const before = readdirSync(`${lake.root}/_lake`);
    for (const table of ['documents', 'filings', 'coverage']) {
      const kept = `${temporaryFolder()}/${table}`;
      renameSync(`${lake.root}/${table}`, kept);
      await expect(
        openRun(dependenciesOf(lake), runOf(definitionOf('e', 'filings'), 'r2', lake)),
      ).rejects.toMatchObject({
        code: 'part-damaged',
        message: expect.stringMatching(new RegExp(`^part ${table}/part-.* is missing$`)),
        remedy: expect.stringContaining('`filinglake lake repair`'),
      });
      rmSync(`${lake.root}/${table}`, { recursive: true, force: true });
      renameSync(kept, `${lake.root}/${table}`);
    }
    expect(readdirSync(`${lake.root}/_lake`)).toEqual(before);
  });

  describe('if another export has stored XML documents in the other format', () => {
    const contents = (name: string, documents: string, form_types = ['4']): ExportDefinition => {
      const definition = definitionOf(name, 'filings, document_contents', documents);
      return { ...definition, select: { ...definition.select, form_types } };
    };

    /** A lake with one XML document of export `first`. */
    async function lakeOf(xml: 'json' | 'raw') {
      const lake = await openLake(temporaryFolder(), { create: true });
      const first = contents('first', `documents: { types: [all], xml: ${xml} }`);
      const accession_number = '0000000001-24-000001';
      const document_id = `${accession_number}-1`;
      const step = `document:${document_id}`;
      const encoding = xml === 'json' ? 'json' : 'utf-8';
      await bring(
        lake,
        { run: 'r1', batch: 'b' },
        {
          document_contents: [{ document_id, accession_number, content_type: 'text/xml', encoding, content: '{}' }],
          coverage: [
            {
              accession_number,
              step,
              selector: xml === 'raw' ? RAW_XML : xml,
              revision: '..',
              status: 'done',
              run_id: 'r1',
            },
          ],
          export_runs: [
            {
              run_id: 'r1',
              export: 'first',
              definition: JSON.stringify(first),
              state: 'completed',
              started_at: '2024-03-01T00:00:00Z',
            },
          ],
        },
      );
      const open = (definition: ExportDefinition) => openRun(dependenciesOf(lake), runOf(definition, 'r2', lake));
      return { lake, open };
    }

    it.each([
      ['json', 'raw', 'converted to JSON'],
      ['raw', 'json', 'as it is'],
    ] as const)('refuses to replace %s by %s', async (stored, asked, words) => {
      const { lake, open } = await lakeOf(stored);
      await expect(open(contents('second', `documents: { types: [all], xml: ${asked} }`))).rejects.toMatchObject({
        code: 'format-differs',
        message: `export first has stored 1 XML document ${words}; second would replace those it selects too`,
        remedy: `Set documents.xml of second to ${stored}, or give it another lake. To replace them, export under the name first.`,
      });
      await lake.close();
    });

    it.each([
      ['markdown', undefined, 'Markdown'],
      [undefined, 'markdown', 'plain text'],
    ])('refuses to replace texts of %s by %s', async (stored, asked, words) => {
      const ofFormat = (format: string | undefined) => (format === undefined ? '' : `text_format: ${format}`);
      const first = definitionOf('first', 'section_contents', ofFormat(stored));
      await using lake = await openLake(temporaryFolder(), { create: true });
      const selector = stored === undefined ? '10-K' : '10-K,markdown';
      const of = { accession_number: '0000000001-24-000001', revision: '..', status: 'done', run_id: 'r1' };
      await bring(
        lake,
        { run: 'r1', batch: 'b' },
        {
          coverage: [{ ...of, step: 'sections', selector }],
          export_runs: [
            {
              run_id: 'r1',
              export: 'first',
              definition: JSON.stringify(first),
              state: 'completed',
              started_at: '2024-03-01T00:00:00Z',
            },
          ],
        },
      );
      const open = (definition: ExportDefinition) => openRun(dependenciesOf(lake), runOf(definition, 'r2', lake));
      await expect(open(definitionOf('second', 'risk_factors', ofFormat(asked)))).rejects.toMatchObject({
        code: 'format-differs',
        message: `export first has stored readable texts of 1 answer as ${words}; second would replace those it selects too`,
        remedy: expect.stringContaining(`Set text_format of second to ${stored ?? 'plain'}`),
      });
      for (const allowed of [
        definitionOf('first', 'section_contents', ofFormat(asked)),
        definitionOf('second', 'section_contents', ofFormat(stored)),
        definitionOf('second', 'document_contents', `documents: { text: true }\n${ofFormat(asked)}`),
        definitionOf('second', 'filings, sections', ofFormat(asked)),
      ])
        expect(await open(allowed)).toMatchObject({ lake_id: lake.id });
    });

    it('continues with the same format, other filings, other documents, and under the same name', async () => {
      const { lake, open } = await lakeOf('raw');
      for (const allowed of [
        contents('second', 'documents: { types: [all], xml: raw }'),
        contents('second', 'documents: { types: [all] }', ['8-K']),
        contents('first', 'documents: { types: [all] }'),
        definitionOf('second', 'filings'),
      ])
        expect(await open(allowed)).toMatchObject({ lake_id: lake.id });
      await lake.close();
    });
  });
});
