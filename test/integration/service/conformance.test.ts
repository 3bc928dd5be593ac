/** `filinglake conformance`: our service passes, and a service that breaks a sentence of the interface is found out. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/conformance/index.ts';
import { findSample } from '../../../src/conformance/sample.ts';
import { Wire } from '../../../src/conformance/wire.ts';
import { commandLine } from '../../support/command-line.ts';
import { TestService } from '../../support/service/running-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

interface Report {
  conforms: boolean;
  must: Record<string, number>;
  may: Record<string, number>;
  requests: number;
  checks: { id: string; level: string; result: string; reason: string | null }[];
}

describe('filinglake conformance', () => {
  it('passes every check on our own service, with a key whose plan has limits', async () => {
    const key = service.newKey('roomy');
    const { status: code, stdout } = await commandLine([
      'conformance',
      service.service.url,
      '--api-key',
      key,
      '--json',
    ]);
    const report = JSON.parse(stdout) as Report;
    const notPassed = report.checks.filter(({ result }) => result !== 'passed');
    // The small catalog has no ticker list, and a machine may have no browser.
    const allowed = ['entity_lookup.tickers', 'entity_lookup.exchanges', 'pdf.filing', 'document.xml-as-json'];
    expect(notPassed.filter(({ id }) => !allowed.includes(id))).toEqual([]);
    expect(notPassed.filter(({ result }) => result === 'failed').map(({ id }) => id)).toEqual(
      notPassed.some(({ id, result }) => id === 'pdf.filing' && result === 'failed') ? ['pdf.filing'] : [],
    );
    expect([code, report.conforms, report.must.failed]).toEqual([0, true, 0]);
    expect(report.requests).toBeLessThan(120);
    expect(stdout).not.toContain(key);
  });

  it('prints a line a check, and ends with 1 if the key is refused', async () => {
    const { status: code, stdout } = await commandLine([
      'conformance',
      service.service.url,
      '--api-key',
      'no-such-key',
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('must  FAILED   key.in-query');
    expect(stdout.trim().split('\n').length).toBeGreaterThanOrEqual(CHECKS.length);
  });

  it('refuses an address that is none, and a service that does not answer', async () => {
    expect((await commandLine(['conformance', 'localhost', '--api-key', 'k'])).status).toBe(2);
    expect((await commandLine(['conformance', 'http://127.0.0.1:9', '--api-key', 'k'])).status).not.toBe(0);
  });
});

type Tamper = (json: Record<string, unknown>, path: string) => unknown;

/** A service before ours that changes answers. */
async function startTampering(tamper: Tamper, status?: (path: string, real: number) => number): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const real = await request(`${service.service.url}${incoming.url}`, {
      method: incoming.method as 'GET',
      headers: body.length > 0 ? { 'content-type': 'application/json' } : {},
      ...(body.length > 0 ? { body } : {}),
    });
    const changed = tamper((await real.body.json()) as Record<string, unknown>, incoming.url!);
    outgoing.writeHead(status?.(incoming.url!, real.statusCode) ?? real.statusCode, {
      'content-type': 'application/json',
    });
    outgoing.end(JSON.stringify(changed));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const inFilings =
  (change: (filings: Record<string, unknown>[]) => unknown): Tamper =>
  (json) =>
    Array.isArray(json.filings) ? { ...json, filings: change(json.filings as Record<string, unknown>[]) } : json;
const inEntities =
  (change: (entities: Record<string, unknown>[]) => unknown): Tamper =>
  (json) =>
    Array.isArray(json.entities) ? { ...json, entities: change(json.entities as Record<string, unknown>[]) } : json;
const inInfo =
  (change: (info: Record<string, unknown>) => object): Tamper =>
  (json, path) =>
    path.startsWith('/v2/filing_info') && json.documents ? { ...json, ...change(json) } : json;

type Broken = [
  what: string,
  id: string,
  reason: RegExp,
  tamper: Tamper,
  status?: (path: string, real: number) => number,
];

/** What a service does wrong, the check that says so, and words of its reason. */
const BROKEN: Broken[] = [
  ['answers 400 to an unknown key', 'key.unknown', /400/, (json) => json, (_path, real) => (real === 401 ? 400 : real)],
  ['has another shape of error', 'key.missing', /error/, (json) => (json.error ? { message: json.error } : json)],
  [
    'gives numbers for ids',
    'entity_lookup.ciks',
    /cik/,
    inEntities((all) => all.map((e) => ({ ...e, cik: Number(e.cik) }))),
  ],
  ['leaves truncated out', 'filing_lookup.types', /truncated/, ({ truncated: _, ...json }) => json],
  [
    'finds other forms too',
    'filing_lookup.form_types',
    /also finds/,
    inFilings((all) => [...all, { ...all[0], form_type: '10-K/A' }]),
  ],
  ['sorts the other way', 'filing_lookup.sort.filing_date.asc', /comes after/, inFilings((all) => all.toReversed())],
  [
    'repeats a filing',
    'filing_lookup.window',
    /twice/,
    inFilings((all) => (all.length > 1 ? [all[0], ...all.slice(0, -1)] : all)),
  ],
  ['ignores to', 'filing_lookup.types', /to=20/, inFilings((all) => Array.from({ length: 30 }, () => all[0]))],
  [
    'writes dates another way',
    'filing_lookup.types',
    /filing_date/,
    inFilings((all) => all.map((f) => ({ ...f, filing_date: '1/2/2024' }))),
  ],
  ['has items for a 10-K', 'filing_info.sections', /items_8k/, inInfo(() => ({ items_8k: [] }))],
  ['contradicts the lookup', 'filing_info.types', /form_type/, inInfo(() => ({ form_type: '8-K' }))],
  [
    'numbers documents from 0',
    'filing_info.document-ids',
    /sequence/,
    inInfo((info) => ({
      documents: (info.documents as { sequence: number }[]).map((d) => ({ ...d, sequence: d.sequence - 1 })),
    })),
  ],
];

describe('a service that breaks the interface', () => {
  it.each<Broken>(BROKEN)('%s: found by %s', async (_what, id, reason, tamper, status) => {
    const server = await startTampering(tamper, status);
    const wire = new Wire(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, service.key);
    try {
      // The sample is of the real service, so that one fault at a time is looked for.
      const real = new Wire(service.service.url, service.key);
      const sample = await findSample(id === 'filing_info.sections' || id === 'filing_info.document-ids' ? wire : real);
      await real.close();
      expect(await CHECKS.find((check) => check.id === id)!.run({ wire, sample })).toMatch(reason);
    } finally {
      await wire.close();
      server.close();
    }
  });

  it('is not found out by a check that it passes', async () => {
    const server = await startTampering((json) => json);
    const wire = new Wire(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, service.key);
    const sample = await findSample(wire);
    for (const [, id] of BROKEN) {
      expect([id, await CHECKS.find((check) => check.id === id)!.run({ wire, sample })]).toEqual([id, null]);
    }
    await wire.close();
    server.close();
  });
});

describe('the checks', () => {
  it('have names of their own, and name an operation or a subject', () => {
    const ids = CHECKS.map((check) => check.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[\w]+\.[\w.-]+$/);
  });
});
