import type { Payload } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { DATA_CONVERTER } from '../../../../src/export/runtime/temporal/large-payloads.ts';

const [codec] = DATA_CONVERTER.payloadCodecs!;
/** Temporal's limit. */
const MOST = 2 * 1024 * 1024;

function payloadOf(value: unknown): Payload {
  return {
    metadata: { encoding: Buffer.from('json/plain'), type: Buffer.from('x') },
    data: Buffer.from(JSON.stringify(value)),
  };
}

async function there(...payloads: Payload[]) {
  const sent = await codec!.encode(payloads);
  const came = await codec!.decode(sent);
  expect(came.map(({ data }) => Buffer.from(data!).toString())).toEqual(
    payloads.map(({ data }) => Buffer.from(data!).toString()),
  );
  expect(came.map(({ metadata }) => metadata)).toEqual(payloads.map(({ metadata }) => metadata));
  return sent;
}

describe('what Temporal is sent', () => {
  it('is readable if it is small, and comes back as it was if it is large', async () => {
    const small = payloadOf({ id: 'w' });
    const [first, second, none] = await there(small, payloadOf('é'.repeat(3_000_000)), {
      metadata: null,
      data: Buffer.alloc(0),
    });
    expect(first).toBe(small);
    expect(second!.data!.length).toBeLessThan(10_000);
    expect(none!.data).toHaveLength(0);
  });

  it('stays below its limit: 200 windows of lists with 1,000 CIKs, forms and names', async () => {
    const texts = (of: (n: number) => string) => Array.from({ length: 1_000 }, (_, n) => of(n));
    const entity_query = {
      ciks: texts((n) => String(n * 2_654_435)),
      names: texts((n) => `${n * 7_919} COMPANY`.repeat(4)),
    };
    const filter = { form_types: texts((n) => `FORM ${n}`), entity_query };
    const payload = payloadOf(Array.from({ length: 200 }, (_, n) => ({ id: `w-${n}`, filter, today: '2026-11-23' })));
    expect(payload.data!.length).toBeGreaterThan(5 * MOST);
    const [sent] = await there(payload);
    expect(sent!.data!.length).toBeLessThan(MOST / 10);
  });

  it('stays below its limit: the state of 60,000 windows whose counts are noise', async () => {
    let seed = 7;
    const noise = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    const counts = () => ({ filings: noise(10_000), requests: noise(100_000) });
    const pending = Array.from({ length: 60_000 }, (_, n) => ({
      id: `w-${noise(64)}-${n}-${noise(64)}`,
      pages: 1 + noise(3),
      plan: 1 + noise(9),
      base_version: noise(5_000),
      is_stale: noise(2) === 0,
      steps: { info: counts(), sections: counts(), documents: counts() },
      has_conflict: noise(2) === 0,
      deferred: noise(9),
    }));
    const payload = payloadOf({ pending });
    expect(payload.data!.length).toBeGreaterThan(6 * MOST);
    const [sent] = await there(payload);
    expect(sent!.data!.length).toBeLessThan(MOST);
  });
});
