/** Accounts that are locked, or can't be written: 503 for who is counted, nothing for anybody else. */
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyQuotas } from '../../../src/service/accounts/index.ts';
import { PatientQuotas } from '../../../src/service/http/account-book.ts';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL } from '../../support/service/small-catalog.ts';

/** A slow machine answers three requests in less. */
const WAIT_MS = 4_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ limits: { accountsWaitMs: WAIT_MS } });
});
afterAll(() => service.stop());

const INFO = `/v2/filing_info?accession_number=${ANNUAL}&api_key=`;

describe('accounts.db locked by another process', () => {
  it('stops neither the health check, nor refusals, nor keys without limits', async () => {
    const free = service.newKey('free');
    const other = new DatabaseSync(join(service.catalog.folder, 'accounts.db'));
    other.exec('BEGIN IMMEDIATE');
    try {
      const ends: number[] = [];
      const counted = [1, 2, 3].map(() =>
        fetch(`${service.service.url}${INFO}${free}`).finally(() => ends.push(performance.now())),
      );
      const statusOf = async (path: string) => (await fetch(`${service.service.url}${path}`)).status;
      expect(await statusOf('/healthz')).toBe(200);
      expect(await statusOf(`${INFO}${service.key}`)).toBe(200);
      expect(await statusOf(`${INFO}nobody`)).toBe(401);
      expect(ends).toEqual([]);
      const answers = await Promise.all(counted);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
      expect(answers[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
      // Side by side, not one after the other.
      expect(ends[2]! - ends[0]!).toBeLessThan(WAIT_MS);
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
    expect((await service.ask(`${INFO}${free}`)).status).toBe(200);
    expect(service.used(free).requests).toBe(1);
  });

  it('makes a request wait if the lock is short', async () => {
    const free = service.newKey('free');
    const other = new DatabaseSync(join(service.catalog.folder, 'accounts.db'));
    other.exec('BEGIN IMMEDIATE');
    setTimeout(() => {
      other.exec('ROLLBACK');
      other.close();
    }, 200);
    expect((await service.ask(`${INFO}${free}`)).status).toBe(200);
    expect(service.used(free).requests).toBe(1);
  });
});

describe('a key without limits', () => {
  it('is counted in batches', async () => {
    const key = service.newKey('unlimited');
    let bytes = 0;
    for (let i = 0; i < 5; i++) bytes += (await service.ask(`${INFO}${key}`)).bytes.length;
    await service.ask(`/v2/filing_info?api_key=${key}`);
    await expect.poll(() => service.used(key), { timeout: 120_000 }).toEqual({ requests: 5, bytes });
  });

  it('is refused as soon as it is revoked or closed', async () => {
    const [revoked, closed] = [service.newKey('unlimited'), service.newKey('unlimited')];
    for (const key of [revoked, closed]) expect((await service.ask(`${INFO}${key}`)).status).toBe(200);
    service.accounts.revokeKey(revoked);
    service.accounts.closeAccount(closed);
    expect((await service.ask(`${INFO}${revoked}`)).status).toBe(401);
    expect((await service.ask(`${INFO}${closed}`)).status).toBe(403);
  });
});

describe('a disk without room', () => {
  const full = () => Object.assign(new Error('database or disk is full'), { errcode: 13 });
  const failing = (error: () => Error) => {
    const refuse = () => {
      throw error();
    };
    return {
      find: refuse,
      admit: refuse,
      settle: refuse,
      writeBatch: refuse,
      close: () => undefined,
    } as unknown as KeyQuotas;
  };

  it('is 503, and /readyz can say why', async () => {
    const accounts = new PatientQuotas(failing(full));
    expect(() => accounts.admit('k', new Date())).toThrow(expect.objectContaining({ status: 503 }));
    expect(() =>
      accounts.settle({ keyId: 1, month: '', day: '2026-11-01', unlimited: false }, { counted: true, bytes: 1 }),
    ).toThrow(expect.objectContaining({ status: 503, headers: { 'retry-after': '5' } }));
    expect(accounts.failure).toBe('database or disk is full');
    await accounts.close();
  });
});

describe('/readyz', () => {
  it('is 200 if every part works, and names the parts', async () => {
    const { status, json } = await service.ask('/readyz');
    expect([status, json]).toEqual([
      200,
      {
        status: 'ok',
        catalog: 'ok',
        accounts: 'ok',
        disk: 'ok',
        browser: 'not tried',
        lag: { newest_filing_s: expect.any(Number), follow_s: null },
      },
    ]);
  });
});

describe('a catalog whose files are replaced while it is served', () => {
  it.each(['catalog.db', 'accounts.db'])('%s: /readyz is 503 and says so', async (name) => {
    const served = await TestService.start();
    try {
      const file = join(served.catalog.folder, name);
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
      const { status, json } = await served.ask('/readyz');
      const part = name === 'catalog.db' ? 'catalog' : 'accounts';
      expect([status, json]).toMatchObject([503, { [part]: `${name} was replaced: restart the service` }]);
    } finally {
      await served.stop();
    }
  });
});

describe('/metrics', () => {
  it('counts requests by operation and status, and times them', async () => {
    await service.get('filing_info', `accession_number=${ANNUAL}`);
    const { headers, bytes } = await service.ask('/metrics');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = bytes.toString();
    expect(text).toMatch(/^filinglake_requests_total\{operation="filing_info",status="200"\} \d+$/m);
    expect(text).toMatch(/^filinglake_requests_total\{operation="filing_info",status="503"\} 3$/m);
    expect(text).toMatch(/^filinglake_request_seconds_bucket\{operation="filing_info",le="\+Inf"\} \d+$/m);
    // Every line is a comment or a sample.
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.e+-]+)$/);
    }
  });
});
