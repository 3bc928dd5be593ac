/** A whole run against a service with some odd records: it ends with failures recorded, and all other records are exported. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import { ExportRuns, ensureTemporal, startWorker, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { accessionOf, type Oddity, OddService } from '../../support/odd-service.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { contentsOf } from '../../support/test-stack.ts';

const FILED = 24;
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

const replaced = (operation: Oddity['operation'], path: string, text: string): Oddity => ({
  operation,
  member: { path: path.split('.'), how: 'replace', text, name: '' },
});
const headed = (operation: Oddity['operation'], name: string, value: string): Oddity => ({
  operation,
  header: [name, value],
});

/** By number of the filing, and whether a failure tells of it. */
const ODDITIES: readonly [number, Oddity, boolean][] = [
  [1, replaced('filing_lookup', 'acceptance_datetime', '"2024-03-01T10:00:00+24:30"'), true],
  [2, replaced('filing_lookup', 'size', '1e400'), true],
  [3, replaced('filing_lookup', 'entity_name', DEEP), true],
  [4, replaced('filing_lookup', 'entity_name', `"${'N'.repeat(1_000_000)}"`), false],
  [5, replaced('filing_lookup', 'documents', '{"toString":1}'), true],
  [6, replaced('filing_info', 'parties.0.addresses', '{"__proto__":{"zip":1e400}}'), true],
  [7, replaced('filing_info', 'parties.0.name', '"\\ud800"'), false],
  [8, replaced('filing_sections', 'sections.0.html', '[[[]]]'), true],
  [9, replaced('document', 'content', DEEP), true],
  [10, headed('document', 'RateLimit', `"requests";r=${'9'.repeat(400)};t=${'9'.repeat(400)}`), false],
  [11, headed('filing_info', 'Content-Encoding', 'foo'), true],
  [12, headed('document', 'Date', 'Tue, 99 Foo 275761 25:00:00 GMT'), false],
  [13, headed('filing_info', 'Retry-After', '9'.repeat(400)), false],
  [14, headed('document', 'Content-Type', 'image/png'), false],
];

describe.skipIf(!temporalExecutable)('a run that meets odd values', () => {
  let service: OddService;
  let session: TemporalSession;
  const folder = temporaryFolder();
  const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: join(folder, 'home') });

  beforeAll(async () => {
    service = await OddService.start(FILED);
    session = await ensureTemporal(settings);
  });
  afterAll(async () => {
    await session.release();
    await service[Symbol.asyncDispose]();
  });

  it('ends with the failures of just these, and all other records are there', async () => {
    const yaml = `name: odd
service: { base_url: "${service.url}", connections: 4 }
select: {}
tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]
documents: { types: [all], xml: raw }`;
    const { definition } = parseExportDefinition(yaml, 'odd.yaml', {});
    const exported = async (oddities: readonly (readonly [number, Oddity, boolean])[], lake: string) => {
      service.oddities = new Map(oddities.map(([n, oddity]) => [n, oddity]));
      const worker = await startWorker(session, { apiKey: 'key', log: openLog(settings, 'worker', ['key']) });
      const runs = await ExportRuns.of(session);
      const { handle } = await runs.start(definition, join(folder, lake), 'key');
      const { finished, progress } = await runs.result(handle).finally(() => worker.stop());
      return { finished, progress, rows: await contentsOf(join(folder, lake)) };
    };
    const whole = await exported([], 'whole');
    const odd = await exported(ODDITIES, 'odd');

    expect(odd.progress).toMatchObject({ state: 'completed', requests_pending: 0 });
    const told = ODDITIES.filter(([, , isTold]) => isTold).map(([n]) => accessionOf(n));
    const subjects = odd.rows.export_failures!.map((row) => (row as { accession_number: string }).accession_number);
    expect([...new Set(subjects)].sort()).toEqual(told);
    expect(odd.finished.failures).toBe(subjects.length);

    const isOdd = (row: unknown) => {
      const number = (row as { accession_number?: string }).accession_number;
      return ODDITIES.some(([n]) => accessionOf(n) === number);
    };
    for (const table of ['filings', 'parties', 'documents', 'sections', 'section_contents', 'document_contents']) {
      const others = (rows: Record<string, unknown[]>) => rows[table]!.filter((row) => !isOdd(row));
      expect(others(odd.rows), table).toEqual(others(whole.rows));
      expect(others(odd.rows).length, table).toBeGreaterThan(0);
    }
    // What costs a value alone costs no row.
    const filings = odd.rows.filings as { accession_number: string; acceptance_datetime: unknown }[];
    expect(filings.find((row) => row.accession_number === accessionOf(1))).toMatchObject({ acceptance_datetime: null });
    expect(filings).toHaveLength(FILED - 3);
  });
});
