/** A service of which one operation fails: for a few filings, or for all of them. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { ensureTemporal, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road } from '../../support/test-stack.ts';

const FILINGS = 30;
const CONNECTIONS = 4;
const BROKEN = { status: 500, body: '<html>it broke</html>' };

describe.skipIf(!temporalExecutable)('an operation of the service', () => {
  let road: Road;
  let env: Record<string, string>;
  let temporal: TemporalSession | undefined;
  let undisturbed: Record<string, unknown[]>;

  async function ends(args: readonly string[]) {
    const { status: code, stderr, events } = await commandLine([...args, '--json'], { env });
    return { code, stderr, done: events.at(-1) };
  }
  const asked = (path: string) => road.proxy.asked.filter((url) => url.startsWith(`/v2/${path}`));
  async function rowsOf(folder: string, sql: string) {
    await using lake = await openLake(folder);
    return await lake.query(sql);
  }

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited'), TEMPORAL_ADDRESS: '' };
    // Held, so that no command starts a server of its own.
    temporal = await ensureTemporal(readSettings({ ...process.env, ...env }));
    const lake = join(road.folder, 'lake-undisturbed');
    const { code, stderr } = await ends(['export', road.definition('undisturbed'), '--lake', lake]);
    expect(code, stderr).toBe(0);
    undisturbed = await contentsOf(lake);
  });
  afterEach(() => {
    road.proxy.fault = () => null;
    road.proxy.asked.length = 0;
  });
  afterAll(async () => {
    await temporal?.release();
    await road.stop();
  });

  it('that fails for a few filings costs these alone: they are recorded, and a retry asks just for them', async () => {
    const numbers = undisturbed.filings!.map((row) => (row as { accession_number: string }).accession_number);
    const poisoned = numbers.filter((_, i) => i % 10 === 3).sort();
    const document = (undisturbed.document_contents![7] as { document_id: string }).document_id;
    road.proxy.fault = (path) =>
      (path.startsWith('/v2/filing_info') && poisoned.some((number) => path.includes(number))) ||
      (path.startsWith('/v2/document') && path.includes(`document_id=${document}`))
        ? BROKEN
        : null;
    const lake = join(road.folder, 'lake-few');
    const file = road.definition('few');
    const first = await ends(['export', file, '--lake', lake]);
    expect(first.code, first.stderr).toBe(3);
    expect(first.done).toMatchObject({
      state: 'completed',
      failures: poisoned.length + 1,
      failed: [
        { step: 'info', code: 'service-failed', count: poisoned.length, subject: poisoned[0] },
        { step: 'document', code: 'service-failed', count: 1, subject: document },
      ],
    });
    const failures = await rowsOf(lake, 'SELECT subject, code, step FROM export_failures ORDER BY step DESC, subject');
    expect(failures).toEqual([
      ...poisoned.map((subject) => ({ subject, code: 'service-failed', step: 'info' })),
      { subject: document, code: 'service-failed', step: `document:${document}` },
    ]);
    const halfway = await contentsOf(lake);
    expect(halfway.section_contents).toEqual(undisturbed.section_contents);
    expect(halfway.document_contents).toHaveLength(undisturbed.document_contents!.length - 1);

    // Another filing is not available yet either.
    road.proxy.fault = (path) => (path.includes(poisoned[0]!) ? BROKEN : null);
    const second = await ends(['retry', 'few']);
    expect(second.code, second.stderr).toBe(3);
    expect(second.done).toMatchObject({ failures: 1 });
    expect(await rowsOf(lake, 'SELECT subject, attempts FROM export_failures')).toEqual([
      { subject: poisoned[0], attempts: 2 },
    ]);

    road.proxy.fault = () => null;
    road.proxy.asked.length = 0;
    const third = await ends(['retry', file, '--lake', lake]);
    expect(third.code, third.stderr).toBe(0);
    // A window is of the export that read it.
    expect(await contentsOf(lake)).toEqual(undisturbed);
    expect(road.proxy.asked).toHaveLength(1);
    expect(asked('filing_info')).toHaveLength(1);

    road.proxy.asked.length = 0;
    const nothingLeft = await ends(['retry', 'few']);
    expect(nothingLeft.code, nothingLeft.stderr).toBe(0);
    expect(road.proxy.asked).toEqual([]);
  });

  it('that fails for the days of EDGAR is recorded, and a retry asks just for it', async () => {
    road.proxy.fault = (path) => (path.startsWith('/v2/coverage') ? { status: 400, body: '{"error":"no"}' } : null);
    const file = road.definition('days');
    const lake = join(road.folder, 'lake-days');
    const tables = ['--set', 'tables=[filings, edgar_days]'];
    const first = await ends(['export', file, '--lake', lake, ...tables]);
    expect(first.code, first.stderr).toBe(3);
    expect(first.done).toMatchObject({ failures: 1, failed: [{ step: 'days', count: 1 }] });
    road.proxy.fault = () => null;
    road.proxy.asked.length = 0;
    const second = await ends(['retry', 'days', '--lake', lake]);
    expect(second.code, second.stderr).toBe(0);
    expect(second.done).toMatchObject({ failures: 0, edgar_days: { days: 0, unproven: 0 } });
    expect(road.proxy.asked.filter((path) => path.startsWith('/v2/'))).toHaveLength(1);
    expect(await rowsOf(lake, 'SELECT count(*)::INT AS n FROM export_failures')).toEqual([{ n: 0 }]);
  });

  it('skips single documents that a proxy refuses, whatever its page says', async () => {
    const documents = undisturbed.document_contents!.map((row) => (row as { document_id: string }).document_id);
    const refusals = new Map([401, 403, 404, 410].map((status, i) => [documents[i * 5 + 2]!, status]));
    road.proxy.fault = (path) => {
      const id = /^\/v2\/document\?.*document_id=([^&]+)/.exec(path)?.[1];
      const status = refusals.get(id ?? '');
      return status === undefined ? null : { status, body: '<html>blocked</html>' };
    };
    const lake = join(road.folder, 'lake-blocked');
    const { code, stderr, done } = await ends(['export', road.definition('blocked'), '--lake', lake]);
    expect(code, stderr).toBe(3);
    expect(done).toMatchObject({ state: 'completed', failures: refusals.size });
    const failures = await rowsOf(lake, 'SELECT subject, code FROM export_failures ORDER BY subject');
    expect(failures).toEqual([...refusals.keys()].sort().map((subject) => ({ subject, code: 'service-failed' })));
    const { document_contents } = await contentsOf(lake);
    expect(document_contents).toHaveLength(documents.length - refusals.size);
  });

  it('reports every final failure of a few filings, which cause exit code 3 only once', async () => {
    const [, filing] = undisturbed.filings!.map((row) => (row as { accession_number: string }).accession_number);
    const documents = undisturbed.document_contents!.map((row) => (row as { document_id: string }).document_id);
    const document = documents.find((id) => !id.startsWith(filing!))!;
    const said = (status: number, error: string) => ({
      status,
      body: JSON.stringify({ error }),
      type: 'application/json',
    });
    road.proxy.fault = (path) => {
      if (path.startsWith('/v2/filing_info') && path.includes(filing!))
        return said(404, `filing ${filing} was not found`);
      if (path.startsWith('/v2/document') && path.includes(document)) return said(422, 'it can not be converted');
      return null;
    };
    const lake = join(road.folder, 'lake-final');
    const file = road.definition('final');
    const first = await ends(['export', file, '--lake', lake]);
    expect(first.code, first.stderr).toBe(3);
    expect(first.done).toMatchObject({ failures: 2, known_failures: 0, retryable: 2 });
    const second = await ends(['export', file, '--lake', lake]);
    expect(second.code, second.stderr).toBe(0);
    expect(second.done).toMatchObject({ failures: 2, known_failures: 2, retryable: 2 });
    // A person who requests them by name sees the outcome.
    const retried = await ends(['retry', 'final']);
    expect(retried.code, retried.stderr).toBe(3);
    expect(retried.done).toMatchObject({ failures: 2, known_failures: 2 });
  });

  it('never stops a run for many plain 404s: they are new on the first day, then known, and requested each day', async () => {
    const documents = undisturbed.documents!.map((row) => (row as { document_id: string }).document_id);
    const missing = new Set(documents.filter((_, i) => i % 2 === 0));
    road.proxy.fault = (path) => {
      const id = /^\/v2\/document\?.*document_id=([^&]+)/.exec(path)?.[1];
      return id !== undefined && missing.has(id) ? { status: 404, body: '', type: 'application/json' } : null;
    };
    const lake = join(road.folder, 'lake-missing');
    const file = road.definition('missing', 'documents: { types: [all] }');
    const first = await ends(['export', file, '--lake', lake]);
    expect(first.code, first.stderr).toBe(3);
    const failures = first.done!.failures as number;
    expect(failures).toBeGreaterThan(20);
    expect(first.done).toMatchObject({ state: 'completed', known_failures: 0 });
    road.proxy.asked.length = 0;
    const second = await ends(['export', file, '--lake', lake]);
    expect(second.code, second.stderr).toBe(0);
    expect(second.done).toMatchObject({ state: 'completed', failures, known_failures: failures });
    expect(asked('document?')).toHaveLength(failures);
    // New filings of the third day are exported.
    const before = (await contentsOf(lake)).document_contents!.length;
    const third = await ends([
      'export',
      road.definition('missing', 'documents: { types: [all], graphics: true }'),
      '--lake',
      lake,
    ]);
    expect(third.done, third.stderr).toMatchObject({ state: 'completed', known_failures: failures });
    expect((await contentsOf(lake)).document_contents!.length).toBeGreaterThan(before);
  });

  it('that fails for all filings stops the run after the others, with nothing recorded as failed and few requests', async () => {
    road.proxy.fault = (path) => (path.startsWith('/v2/filing_info') ? BROKEN : null);
    const lake = join(road.folder, 'lake-all');
    const stopped = await ends(['export', road.definition('all'), '--lake', lake]);
    expect(stopped.code, stopped.stderr).toBe(5);
    expect(stopped.done).toMatchObject({ state: 'paused', stopped_by: 'unreachable', failures: 0 });
    expect(stopped.done!.message).toMatch(/^filing_info failed \d+ times in a row: .*500/);
    const halfway = await contentsOf(lake);
    expect(halfway.filings).toEqual(undisturbed.filings);
    expect(halfway.section_contents).toEqual(undisturbed.section_contents);
    expect(halfway.document_contents).toEqual(undisturbed.document_contents);
    expect(halfway.parties).toEqual([]);
    expect(halfway.export_failures).toEqual([]);
    // Eight failures, the requests in flight with them, a probe.
    const subjects = new Set(asked('filing_info').map((url) => /\d{10}-\d\d-\d{6}/.exec(url)?.[0]));
    expect(subjects.size).toBeLessThanOrEqual(8 + CONNECTIONS + 1);

    road.proxy.fault = () => null;
    const resumed = await ends(['resume', 'all']);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(await contentsOf(lake)).toEqual(undisturbed);
  });
});
