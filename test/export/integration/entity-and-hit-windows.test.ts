/** Entities and full-text hits are read like filings: whole, once, split if there are too many, with every variant of a service. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ExportWindow,
  entityRequest,
  hitRequest,
  type LookupRequest,
  takeReads,
  WindowReading,
} from '../../../src/export/windows/index.ts';
import type { WindowVerdict } from '../../../src/export/windows/reading-state.ts';
import type { LookupPage } from '../../../src/export/windows/window-reading.ts';
import type { EntityFilter } from '../../../src/filings/api/index.ts';
import { runs } from '../../support/property-runs.ts';
import { type Liberties, LookupService } from './lookup-service.ts';

const TODAY = '2024-06-30';
const MAX = 10_000;

interface SimulatedEntity {
  cik: number;
  name: string | null;
  sic: string;
  state: string;
}

/** An entity_lookup in memory, with the liberties that services take. */
class EntityService {
  readonly entities: SimulatedEntity[];
  readonly liberties: Liberties;
  readonly asked: ReturnType<typeof entityRequest>[] = [];
  meanwhile: (request: number) => void = () => {};

  constructor(entities: readonly SimulatedEntity[], liberties: Liberties = {}) {
    this.entities = [...entities];
    this.liberties = liberties;
  }

  ask(_window: ExportWindow, request: LookupRequest): LookupPage {
    const asked = entityRequest(request);
    this.asked.push(asked);
    this.meanwhile(this.asked.length);
    expect(asked.to).toBeLessThanOrEqual(MAX);
    expect(Object.keys(asked).length, 'entity lookup needs a filter').toBeGreaterThan(2);
    const { count = 'all', truncateAt, silentLimit } = this.liberties;
    const matching = this.entities.filter((entity) => isMatch(entity, asked)).sort((a, b) => a.cik - b.cik);
    const whole = matching.slice(asked.from, Math.min(asked.to, asked.from + (silentLimit ?? Infinity)));
    const page = whole.slice(0, truncateAt);
    return {
      count: count === 'all' ? matching.length : count === 'page' ? page.length : null,
      truncated: page.length < whole.length,
      received: page.length,
      records: page.map(({ cik, name }) => ({
        key: String(cik),
        form_type: null,
        filing_date: null,
        entity_name: name,
      })),
    };
  }
}

function isMatch({ cik, name, sic, state }: SimulatedEntity, filter: EntityFilter): boolean {
  const upper = (name ?? '').toUpperCase();
  return (
    (filter.sics?.includes(sic) ?? true) &&
    (filter.states?.includes(state) ?? true) &&
    (filter.ciks === undefined || (filter.ciks as string[]).includes(String(cik))) &&
    (filter.name_includes ?? []).every((text) => upper.includes(text)) &&
    !(filter.name_excludes ?? []).some((text) => upper.includes(text))
  );
}

const WORDS = ['ALPHA', 'NORTH', 'BANK', 'OIL', 'TRUST', 'FUND', 'SMITH', 'JOHN', 'GLOBAL', 'HOLDINGS', 'CORP', 'LLC'];
const nameOf = (i: number) =>
  [WORDS[i % 12], WORDS[Math.floor(i / 12) % 12], WORDS[Math.floor(i / 144) % 12], String(i)].join(' ');

function registry(number: number): SimulatedEntity[] {
  return Array.from({ length: number }, (_, i) => ({
    cik: 1_000 + i * 3,
    name: nameOf(i),
    sic: String(1_000 + (i % 40)),
    state: `S${i % 3}`,
  }));
}

const window = (id: string, entity_query: EntityFilter): ExportWindow => ({
  id,
  of: 'entities',
  filter: { entity_query },
  today: TODAY,
  inexact: null,
});
const WHOLE = [window('e-1', { name_includes: ['E'] }), window('e-2', { name_excludes: ['E'] })];

interface Asked {
  ask(window: ExportWindow, request: LookupRequest): LookupPage;
}

/** Reads windows to their end as an export does. */
function readAll(service: Asked, windows: readonly ExportWindow[], pageSize = MAX) {
  const found = new Map<string, number>();
  const verdicts: (WindowVerdict & { window: string })[] = [];
  const pending = [...windows];
  let requests = 0;
  for (let next = pending[0]; next; next = pending[0]) {
    const reading = new WindowReading(next, pageSize);
    const fresh: string[] = [];
    for (let step = reading.next(); ; step = reading.next()) {
      if ('split' in step) {
        takeReads(pending, [{ split: step.split, promised: step.matches ?? 0 }]);
      }
      if ('done' in step) {
        takeReads(pending, [{ split: null, promised: step.done.promised }]);
        verdicts.push({ ...step.done, window: next.id });
        // What was read of a window that is cut is read again.
        for (const key of fresh) found.set(key, (found.get(key) ?? 0) + 1);
      }
      if (!('ask' in step)) break;
      if (++requests > 3_000) throw new Error('asks without end');
      fresh.push(...reading.take(service.ask(next, step.ask)));
    }
  }
  return { found, verdicts, requests };
}

describe('a registry of entities', () => {
  it('is read whole by two filters that complement each other, one request each if it is small', () => {
    const service = new EntityService([...registry(500), { cik: 1, name: null, sic: '', state: '' }]);
    const { found, verdicts, requests } = readAll(service, WHOLE);
    expect(found.size).toBe(501);
    expect(requests).toBe(2);
    expect(verdicts.every(({ proven }) => proven)).toBe(true);
    expect([...found.values()].every((times) => times === 1)).toBe(true);
  });

  it('of a quarter of a million is cut by letters at once, into parts that fit: nearly every page counts', () => {
    const service = new EntityService(registry(250_000));
    const { found, verdicts, requests } = readAll(service, WHOLE);
    expect(found.size).toBe(250_000);
    expect([...found.values()].every((times) => times === 1)).toBe(true);
    expect(verdicts.every(({ proven }) => proven)).toBe(true);
    expect(requests).toBeLessThan((250_000 / MAX) * 4);
  });

  it('is split by the values of a list if the query has several', () => {
    const service = new EntityService(registry(30_100));
    const sics = Array.from({ length: 40 }, (_, i) => String(1_000 + i));
    const { found, verdicts, requests } = readAll(service, [window('e', { sics, states: ['S0', 'S1', 'S2'] })]);
    expect(found.size).toBe(30_100);
    expect(verdicts.every(({ proven }) => proven)).toBe(true);
    expect(requests).toBeLessThan(14);
    expect(service.asked.every(({ name_includes, name_excludes }) => !name_includes && !name_excludes)).toBe(true);
  });

  it('is split even if the service counts pages only', () => {
    for (const count of ['page', 'none'] as const) {
      const service = new EntityService(registry(25_000), { count });
      const { found, verdicts } = readAll(service, WHOLE);
      expect(found.size).toBe(25_000);
      expect(verdicts.every(({ proven }) => proven)).toBe(true);
    }
  });

  it('is not called complete if nothing can split it, or a name is missing', () => {
    const one = Array.from({ length: 12_000 }, (_, i) => ({ cik: i + 1, name: 'A', sic: '1', state: 'S' }));
    expect(readAll(new EntityService(one), [window('e', { sics: ['1'] })]).verdicts.some(({ proven }) => !proven)).toBe(
      true,
    );
    const unnamed = [...registry(12_000), { cik: 1, name: null, sic: '1000', state: 'S0' }];
    const states = [window('e', { states: ['S0', 'S1', 'S2'] }), window('f', { states: ['S0'] })];
    expect(readAll(new EntityService(unnamed), states).verdicts.every(({ proven }) => proven)).toBe(true);
    const { verdicts } = readAll(
      new EntityService([...registry(40_000), { cik: 1, name: null, sic: '1', state: 'S0' }]),
      [window('e', { states: ['S0'] })],
    );
    expect(verdicts.every(({ proven, reason }) => !proven && reason?.includes('no name'))).toBe(true);
  });

  const liberties: fc.Arbitrary<Liberties> = fc.record(
    { count: fc.constantFrom('all', 'page', 'none'), truncateAt: fc.integer({ min: 1, max: 60 }) },
    { requiredKeys: [] },
  );

  it('is read whole and once, with every variant of a service', () => {
    fc.assert(
      fc.property(liberties, fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 400 }), (taken, n, size) => {
        const { found, verdicts } = readAll(new EntityService(registry(n), taken), WHOLE, size);
        expect(found.size).toBe(n);
        expect([...found.values()].every((times) => times === 1)).toBe(true);
        expect(verdicts.every(({ proven }) => proven)).toBe(true);
      }),
      { numRuns: runs(80) },
    );
  });

  it('that is called proven has all that was there at first, though entities arrive in between', () => {
    const arrivals = fc.array(
      fc.record({ at: fc.integer({ min: 1, max: 12 }), cik: fc.integer({ min: 1, max: 2_000 }) }),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(
        liberties,
        arrivals,
        fc.integer({ min: 20, max: 250 }),
        fc.integer({ min: 10, max: 90 }),
        (taken, due, n, size) => {
          const service = new EntityService(registry(n), taken);
          const before = service.entities.map(({ cik }) => String(cik));
          service.meanwhile = (request) => {
            for (const { at, cik } of due) {
              const isNew = !service.entities.some((entity) => entity.cik === cik);
              if (at === request && isNew) service.entities.push({ cik, name: nameOf(cik), sic: '1', state: 'S' });
            }
          };
          const { found, verdicts } = readAll(service, WHOLE, size);
          expect([...found.values()].every((times) => times === 1)).toBe(true);
          if (verdicts.every(({ proven }) => proven)) expect(before.filter((cik) => !found.has(cik))).toEqual([]);
        },
      ),
      { numRuns: runs(80) },
    );
  });
});

describe('the hits of a search', () => {
  const fulltext = { query: 'supply chain' };
  const first: ExportWindow = { id: 't', of: 'hits', filter: {}, fulltext, today: TODAY, inexact: null };
  const day = (i: number) => new Date(Date.UTC(2024, 0, 1 + (i % 150))).toISOString().slice(0, 10);
  const hits = (number: number, date = day) =>
    Array.from({ length: number }, (_, i) => {
      const accession_number = `0000000001-24-${String(Math.floor(i / 2)).padStart(6, '0')}`;
      const of = { filing_date: date(i), form_type: i % 5 ? '8-K' : '10-K', entity_name: nameOf(i), size: i };
      return { key: `${accession_number}-${(i % 2) + 1}`, accession_number, ...of };
    });
  const asHits = (service: LookupService): Asked => ({
    ask(window, request) {
      expect(hitRequest(window, request)).toMatchObject({ query: 'supply chain', sort_by: 'filing_date' });
      return service.ask(request);
    },
  });

  it('are read by document, and cut by date, form and name as filings are', () => {
    for (const date of [day, () => '2024-02-14']) {
      const service = new LookupService(hits(26_000, date));
      const { found, verdicts } = readAll(asHits(service), [first]);
      expect(found.size).toBe(26_000);
      expect(verdicts.every(({ proven }) => proven)).toBe(true);
      expect(verdicts.length).toBeGreaterThan(2);
    }
  });

  it('are read whole and once, with every variant of a service', () => {
    const liberties = fc.record(
      {
        count: fc.constantFrom('all' as const, 'page' as const, 'none' as const),
        truncateAt: fc.integer({ min: 1, max: 60 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(liberties, fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 400 }), (taken, n, size) => {
        const { found, verdicts } = readAll(asHits(new LookupService(hits(n), taken)), [first], size);
        expect(found.size).toBe(n);
        expect([...found.values()].every((times) => times === 1)).toBe(true);
        expect(verdicts).toMatchObject([{ found: n, promised: n, proven: true }]);
      }),
      { numRuns: runs(80) },
    );
  });

  it('that arrive in between are neither lost nor doubled', () => {
    const service = new LookupService(hits(500));
    const more = hits(506).slice(500);
    service.meanwhile = (request) => {
      if (request <= 3) service.filings.push(...more.splice(0, 2).map((hit) => ({ ...hit, filing_date: TODAY })));
    };
    const { found, verdicts } = readAll(asHits(service), [first], 100);
    expect(found.size).toBe(506);
    expect([...found.values()].every((times) => times === 1)).toBe(true);
    expect(verdicts).toMatchObject([{ promised: 506, found: 506, proven: true }]);
  });
});
