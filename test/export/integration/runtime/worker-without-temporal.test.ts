import { describe, expect, it } from 'vitest';
import { Runtime } from '#temporal-worker';
import { openLog, readSettings } from '../../../../src/core/environment/index.ts';
import { startWorker } from '../../../../src/export/runtime/worker/worker.ts';

describe('a worker that starts before Temporal does', () => {
  it('fails with the error of the connection, and leaves nothing that keeps the process alive', async () => {
    const never = async () => Promise.reject(new Error('Temporal could not be started'));
    const log = openLog(readSettings({ ...process.env, FILINGLAKE_LOG: 'none' }), 'worker');
    const session = { namespace: 'filinglake', connect: never, connectWorker: never };
    await expect(startWorker(session, { apiKey: 'key', log })).rejects.toThrow('Temporal could not be started');
    // The SDK's runtime. While there is one, its threads keep a process alive.
    expect(Runtime).not.toHaveProperty('_instance');
  });
});
