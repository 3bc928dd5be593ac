/** What an operator watches: lag of the catalog, refusals for quota, and the files of `config/operations`. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OPERATIONS as OPERATIONS_OF_V2 } from '../../../src/filings/api/index.ts';
import { Ledger } from '../../../src/service/edgar-sync/index.ts';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL } from '../../support/service/small-catalog.ts';

const OPERATIONS = resolve(import.meta.dirname, '../../../config/operations');
const HOUR_S = 3_600;
/** The newest filing was accepted on 2024-05-04 at 16:30:00 Eastern time, which is 20:30:00 UTC. */
const ACCEPTED = Date.parse('2024-05-04T20:30:00Z');

let service: TestService;
let now: Date;
beforeAll(async () => {
  service = await TestService.start({ now: () => now, limits: { readerThreads: 1 } });
});
afterAll(() => service.stop());

const metrics = async () => (await service.ask('/metrics')).bytes.toString();

describe('the lag of the catalog', () => {
  afterEach(() => {
    const { folder } = service.catalog;
    for (const name of readdirSync(folder)) if (name.startsWith('edgar.db')) rmSync(join(folder, name));
  });

  /** /readyz keeps its answer for two seconds. */
  const lag = async () => ((await service.ask('/readyz')).json as { status: string; lag: object }).lag;

  it('is the time since the acceptance of the newest filing, in Eastern time', async () => {
    now = new Date(ACCEPTED + HOUR_S * 1_000);
    await expect.poll(lag).toEqual({ newest_filing_s: HOUR_S, follow_s: null });
    const text = await metrics();
    expect(text).toMatch(/^filinglake_catalog_lag_seconds\{of="newest_filing"\} 3600$/m);
    expect(text).not.toContain('of="follow"');
  });

  it('is the time since the last look at EDGAR, and an old catalog stays ready', async () => {
    now = new Date(ACCEPTED + 400 * 24 * HOUR_S * 1_000);
    const ledger = Ledger.open(service.catalog.folder);
    ledger.setMeta('followed_at', String(now.getTime() - 90_000));
    ledger.close();
    await expect.poll(lag).toEqual({ newest_filing_s: 400 * 24 * HOUR_S, follow_s: 90 });
    expect((await service.ask('/readyz')).status).toBe(200);
    expect(await metrics()).toMatch(/^filinglake_catalog_lag_seconds\{of="follow"\} 90$/m);
  });

  it('is never negative: the clock of the machine may be behind', async () => {
    now = new Date(ACCEPTED - HOUR_S * 1_000);
    await expect.poll(lag).toMatchObject({ newest_filing_s: 0 });
  });

  it('is unknown for the follow alone if the ledger can not be read, and the service stays ready', async () => {
    now = new Date(ACCEPTED);
    const ledger = Ledger.open(service.catalog.folder);
    ledger.db.exec('PRAGMA user_version = 99');
    ledger.close();
    await expect.poll(lag).toEqual({ newest_filing_s: 0, follow_s: null });
    expect((await service.ask('/readyz')).json).toMatchObject({ status: 'ok' });
  });
});

describe('refusals for quota', () => {
  const refusals = async () => {
    const text = await metrics();
    return [...text.matchAll(/^filinglake_quota_refusals_total\{limit="(\w+)"\} (\d+)$/gm)].map(([, limit, n]) => [
      limit,
      Number(n),
    ]);
  };

  it('are counted by the limit that is used up, from 0 on', async () => {
    now = new Date(ACCEPTED);
    expect(await refusals()).toEqual([
      ['requests', 0],
      ['bytes', 0],
      ['work', 0],
      ['rate', 0],
    ]);
    const [few, narrow] = [service.newKey('twenty'), service.newKey('narrow')];
    const ask = async (key: string, n: number) => {
      const statuses: number[] = [];
      for (let i = 0; i < n; i++) {
        statuses.push((await service.ask(`/v2/filing_info?api_key=${key}&accession_number=${ANNUAL}`)).status);
      }
      return statuses.filter((status) => status === 429).length;
    };
    expect(await ask(few, 23)).toBe(3);
    const ofBytes = await ask(narrow, 4);
    expect(ofBytes).toBeGreaterThan(0);
    await expect.poll(refusals).toEqual([
      ['requests', 3],
      ['bytes', ofBytes],
      ['work', 0],
      ['rate', 0],
    ]);
  });
});

describe('config/operations', () => {
  const read = (name: string) => readFileSync(join(OPERATIONS, name), 'utf8');
  interface Panel {
    id: number;
    targets: { expr: string; refId: string; legendFormat: string }[];
  }
  const panels = () => (JSON.parse(read('grafana.json')) as { panels: Panel[] }).panels;
  const rules = () =>
    (
      parse(read('alerts.yaml')) as { groups: { rules: { alert: string; expr: string; for?: string }[] }[] }
    ).groups.flatMap((group) => group.rules);
  const guide = readFileSync(resolve(OPERATIONS, '../../docs/guide/running-a-service.md'), 'utf8');

  /** Series and labels of an expression: `filinglake_waiting_jobs{lane="long"}`. */
  function seriesOf(expression: string): { name: string; labels: Record<string, string> }[] {
    return [...expression.matchAll(/(filinglake_\w+)(?:\{([^}]*)\})?/g)].map(([, name, labels = '']) => ({
      name: name!,
      labels: Object.fromEntries([...labels.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label, value]) => [label, value])),
    }));
  }

  it('names only metrics that /metrics has, with labels that they have', async () => {
    now = new Date(ACCEPTED);
    const ledger = Ledger.open(service.catalog.folder);
    ledger.setMeta('followed_at', String(now.getTime()));
    ledger.close();
    // Histograms have series only after a request that waited.
    await service.get('filing_lookup', 'to=1');
    await expect.poll(metrics).toContain('filinglake_wait_seconds_bucket');
    const text = await metrics();
    const ofGuide = [...guide.matchAll(/`([^`]*filinglake_[^`]*)`/g)].map(([, expression]) => expression!);
    const ofBoard = panels().flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const expressions = [...rules().map(({ expr }) => expr), ...ofBoard, ...ofGuide];
    const series = expressions.flatMap(seriesOf);
    expect(series.length).toBeGreaterThan(20);
    for (const { name, labels } of series) {
      const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
      expect([name, lines.length > 0]).toEqual([name, true]);
      for (const [label, value] of Object.entries(labels)) {
        // Operations and statuses appear with their first request; lanes and states are all there.
        const known = label === 'operation' || label === 'status' ? `${label}="` : `${label}="${value}"`;
        expect([name, known, lines.some((line) => line.includes(known))]).toEqual([name, known, true]);
      }
    }
  });

  it('groups by labels, and names in legends, only what /metrics has', async () => {
    await service.get('filing_lookup', 'to=1');
    await expect.poll(metrics).toContain('filinglake_wait_seconds_bucket{operation="filing_lookup"');
    const lines = (await metrics()).split('\n');
    const uses = [
      ...panels().flatMap(({ targets }) => targets),
      ...rules().map(({ expr }) => ({ expr, legendFormat: '' })),
    ].map(({ expr, legendFormat }) => ({
      names: seriesOf(expr).map(({ name }) => name),
      labels: [
        ...[...expr.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(',').map((label) => label.trim())),
        ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
      ],
    }));
    expect(uses.flatMap(({ labels }) => labels).length).toBeGreaterThan(8);
    for (const { names, labels } of uses) {
      for (const name of names) {
        const series = lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
        for (const label of labels) {
          expect([name, label, series.some((line) => line.includes(`${label}="`))]).toEqual([name, label, true]);
        }
      }
    }
    // A misspelt operation would never raise its alert.
    const operations = rules().flatMap(({ expr }) => seriesOf(expr).flatMap(({ labels }) => labels.operation ?? []));
    for (const name of operations.flatMap((pattern) => pattern.split('|')))
      expect(Object.keys(OPERATIONS_OF_V2)).toContain(name);
  });

  it('keeps queries, which may have a key, out of both logs of nginx', () => {
    const text = read('nginx.conf');
    const [, format] = /^log_format without_query '([^']*)';$/m.exec(text)!;
    expect(format).not.toMatch(/\$(request\b|request_uri|args|query_string|http_referer)(?!_)/);
    expect(text).toMatch(/^ +access_log \S+ without_query;$/m);
    // Every lower level writes the request line of a failed request.
    expect(text).toMatch(/^ +error_log \S+ emerg;$/m);
  });

  it('has an alert and a panel of each name once', () => {
    const names = rules().map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    const ids = panels().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { targets } of panels()) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  });

  it('has alerts with durations that Prometheus reads', () => {
    for (const { alert, for: duration = '1m' } of rules())
      expect([alert, duration]).toEqual([alert, expect.stringMatching(/^\d+[smhd]$/)]);
  });

  it('closes each block of nginx.conf and of the rule for logrotate', () => {
    for (const name of ['nginx.conf', 'logrotate']) {
      const text = read(name).replace(/#.*$/gm, '');
      expect([name, text.split('{').length]).toEqual([name, text.split('}').length]);
    }
    const statements = read('nginx.conf').replace(/#.*$/gm, '').split('\n');
    const open = statements.map((line) => line.trim()).filter((line) => line !== '' && !/[;{}]$/.test(line));
    expect(open).toEqual([]);
  });

  it('starts the service in the systemd unit with options that `serve` has, and reloads it by the signal that it takes', () => {
    const unit = read('filinglake.service');
    const start = /^ExecStart=\S+ (.+)$/m.exec(unit)![1]!.split(' ');
    const help = readFileSync(resolve(OPERATIONS, '../../docs/reference/commands.md'), 'utf8');
    const ofServe = help.slice(help.indexOf('Usage: filinglake serve'));
    expect(start[0]).toBe('serve');
    for (const option of start.filter((word) => word.startsWith('--'))) expect(ofServe).toContain(`  ${option} `);
    expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
    expect(read('logrotate')).toContain('systemctl reload filinglake');
    expect(read('logrotate')).toContain(start[start.indexOf('--log') + 1]);
  });
});
