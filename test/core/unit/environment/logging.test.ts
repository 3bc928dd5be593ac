import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLog, readSettings, withoutKeys } from '../../../../src/core/environment/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { jsonRows } from '../../../support/shared.ts';

describe('withoutKeys', () => {
  it('hides members and parameters named like keys', () => {
    expect(withoutKeys('GET /v2/filing_info?api_key=fl_secret1&x=1', [])).toBe(
      'GET /v2/filing_info?api_key=[hidden]&x=1',
    );
    expect(withoutKeys('{"api_key":"fl_\\"x","a":1}', [])).toBe('{"api_key":"[hidden]","a":1}');
    expect(withoutKeys('{"body":"{\\"api_key\\":\\"fl_1\\"}"}', [])).toBe('{"body":"{\\"api_key\\":\\"[hidden]\\"}"}');
    expect(withoutKeys('{"Authorization":"Bearer abc"}', [])).toBe('{"Authorization":"[hidden]"}');
  });

  it('hides given secrets anywhere, plain and percent-encoded', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), fc.string(), fc.string(), (secret, before, after) => {
        const clean = withoutKeys(`${before} ${secret} ${encodeURIComponent(secret)} ${after}`, [secret]);
        fc.pre(!'[hidden]'.includes(secret) && !before.includes(secret) && !after.includes(secret));
        expect(clean.includes(` ${secret} `)).toBe(false);
      }),
    );
  });
});

describe('a log', () => {
  it('is a file of JSON lines that only its user can read, without the key of the settings', () => {
    const home = temporaryFolder();
    const log = openLog(
      readSettings({ HOME: home, FILINGLAKE_HOME: home, FILINGLAKE_API_KEY: 'fl_key_123456' }),
      'worker',
    );
    log.info({ url: 'http://127.0.0.1/v2/x', detail: { apiKey: 'other' } }, 'asked with fl_key_123456');
    log.error(new Error('refused: api_key=fl_key_123456'));
    const file = join(home, 'logs', 'worker.log');
    const text = readFileSync(file, 'utf8');
    expect(jsonRows(file).map(({ name }) => name)).toEqual(['worker', 'worker']);
    expect(text).not.toContain('fl_key_123456');
    expect(text).not.toContain('other');
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('says what an error was that a library logs under "error"', () => {
    const home = temporaryFolder();
    const log = openLog(
      readSettings({ HOME: home, FILINGLAKE_HOME: home, FILINGLAKE_API_KEY: 'fl_key_123456' }),
      'worker',
    );
    const cause = new Error('cannot read api_key=fl_key_123456');
    log.error({ error: new TypeError('task failed', { cause }) }, 'Failed to process Workflow Activation');
    log.warn({ error: 'in words' }, 'failed');
    const [first, second] = jsonRows(join(home, 'logs', 'worker.log'));
    expect(first.error).toMatchObject({ type: 'TypeError', message: 'task failed: cannot read api_key=[hidden]' });
    expect(first.error.stack).toContain('logging.test.ts');
    expect(second.error).toBe('in words');
  });

  it('is silent if the settings say so', () => {
    const home = temporaryFolder();
    const log = openLog(readSettings({ HOME: home, FILINGLAKE_HOME: home, FILINGLAKE_LOG: 'none' }), 'worker');
    expect(log.isLevelEnabled('fatal')).toBe(false);
  });
});
