import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { readSettings, type Settings } from '../../../../src/core/environment/settings.ts';
import { openHome } from '../../../../src/core/environment/state-folder.ts';
import { isAlive } from '../../../../src/export/runtime/temporal/leases.ts';
import { ensureTemporal, type TemporalSession } from '../../../../src/export/runtime/temporal/server.ts';
import { readTemporalState, type TemporalState } from '../../../../src/export/runtime/temporal/state.ts';
import { temporalStatus } from '../../../../src/export/runtime/temporal/status.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../../../support/temporal.ts';
import { runCommand } from '../../../support/test-stack.ts';
import { quickIt as it, quickDescribe, slowIt } from '../../../support/tier-cases.ts';

/** What any of these may take on a machine under load; none waits for a clock. */
const PATIENT = { timeout: 120_000, interval: 50 };

let home: string;
let settings: Settings;
const sessions: TemporalSession[] = [];
const holders: ChildProcess[] = [];

beforeEach(() => {
  home = temporaryFolder();
  settings = readSettings({ ...process.env, FILINGLAKE_HOME: home, TEMPORAL_ADDRESS: '' });
});
afterEach(async () => {
  for (const holder of holders.splice(0)) holder.kill('SIGKILL');
  for (const session of sessions.splice(0)) await session.release();
  const state = stateNow();
  if (state) await vi.waitFor(() => expect(isAlive(state.supervisor)).toBe(false), PATIENT);
});

async function ensure(given = settings, options: Parameters<typeof ensureTemporal>[1] = {}): Promise<TemporalSession> {
  const session = await ensureTemporal(given, options);
  sessions.push(session);
  return session;
}

/** Another command in a process of its own, once it has its server. */
async function startHolder(): Promise<{ process: ChildProcess; address: string; nextLine: () => Promise<string> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hold-temporal.ts')], {
    env: { ...process.env, FILINGLAKE_HOME: home, TEMPORAL_ADDRESS: '', NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  holders.push(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  return { process: child, address: await nextLine(), nextLine };
}

function stateNow(): TemporalState | null {
  return readTemporalState(openHome(home).temporalState);
}

function serverNow() {
  const server = stateNow()?.server;
  if (!server) throw new Error('no server runs');
  return server;
}

async function startSomeWorkflow(session: TemporalSession, workflowId: string): Promise<void> {
  const { workflowService } = await session.connect();
  await workflowService.startWorkflowExecution({
    namespace: session.namespace,
    workflowId,
    workflowType: { name: 'anything' },
    taskQueue: { name: 'nobody' },
    requestId: workflowId,
  });
}

async function describes(session: TemporalSession, workflowId: string): Promise<boolean> {
  const { workflowService } = await session.connect();
  const answer = await workflowService.describeWorkflowExecution({
    namespace: session.namespace,
    execution: { workflowId },
  });
  return answer.workflowExecutionInfo?.execution?.workflowId === workflowId;
}

describe.skipIf(!temporalExecutable)('the embedded Temporal', () => {
  it('is started with its namespace, its search attributes and a retention of 90 days, and ends with its only user', async () => {
    const said: string[] = [];
    const session = await ensure(settings, { onMessage: (line) => said.push(line) });
    expect(said.join('\n')).toMatch(/starting Temporal 1\./);
    expect(session).toMatchObject({ namespace: 'filinglake', embedded: true });
    const connection = await session.connect();
    const attributes = await connection.operatorService.listSearchAttributes({ namespace: 'filinglake' });
    expect(Object.keys(attributes.customAttributes ?? {})).toEqual(expect.arrayContaining(['ExportName']));
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'filinglake' });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(90 * 24 * 3600);
    const server = serverNow();
    expect(temporalStatus(settings)).toMatchObject({
      state: 'running',
      address: session.address,
      users: [{ command: 'filinglake', holder: { pid: process.pid } }],
    });
    await session.release();
    await session.release();
    expect(isAlive(server)).toBe(false);
    expect(temporalStatus(settings)).toMatchObject({ state: 'stopped', address: null, users: [] });
  });

  it('stays for the next command if it may, and ends with one that leaves no time', async () => {
    const lingering = readSettings({ ...settings.env, FILINGLAKE_LINGER: '3600' });
    await (await ensure(lingering)).release();
    const server = serverNow();
    expect(temporalStatus(settings)).toMatchObject({ state: 'running', users: [] });
    const said: string[] = [];
    await (await ensure(lingering, { onMessage: (line) => said.push(line) })).release();
    expect(said.join()).toMatch(/^using the Temporal/);
    expect(isAlive(server)).toBe(true);
    await (await ensure()).release();
    expect(isAlive(server)).toBe(false);
  });

  it('ends some time after the last command, whatever the clock says', async () => {
    const session = await ensure(readSettings({ ...settings.env, FILINGLAKE_LINGER: '3600' }));
    const server = serverNow();
    await session.release();
    const { leases } = openHome(home);
    // A clock that was set back by a year makes the time that is left a year longer.
    writeFileSync(join(leases, 'linger'), String(Date.now() + 365 * 24 * 3_600_000));
    await vi.waitFor(() => expect(isAlive(server)).toBe(false), PATIENT);
  });

  it('is shared by the commands of a home, and ends when the last has left', async () => {
    const [first, second] = await Promise.all([startHolder(), startHolder()]);
    expect(first.address).toBe(second.address);
    const server = serverNow();
    first.process.stdin!.end();
    expect(await first.nextLine()).toBe('released');
    expect(isAlive(server)).toBe(true);
    second.process.stdin!.end();
    expect(await second.nextLine()).toBe('released');
    expect(isAlive(server)).toBe(false);
  });

  slowIt('ends when its only user was killed', async () => {
    const { process: holder } = await startHolder();
    const server = serverNow();
    holder.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(server)).toBe(false), PATIENT);
  });

  slowIt('ends when its only user and its supervisor were killed together', async () => {
    const { process: holder } = await startHolder();
    const server = serverNow();
    const { supervisor } = stateNow()!;
    holder.kill('SIGKILL');
    process.kill(supervisor.pid, 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(server)).toBe(false), PATIENT);
  });

  it('that was killed comes back on the same port with its data', async () => {
    const session = await ensure();
    await startSomeWorkflow(session, 'before-the-kill');
    process.kill(serverNow().pid, 'SIGKILL');
    await vi.waitFor(() => expect(stateNow()).toMatchObject({ state: 'running', restarts: 1 }), PATIENT);
    expect(`127.0.0.1:${stateNow()?.port}`).toBe(session.address);
    await vi.waitFor(async () => expect(await describes(session, 'before-the-kill')).toBe(true), PATIENT);
  });

  slowIt('whose supervisor was killed gets another one, on the same port with its data', async () => {
    const session = await ensure();
    await startSomeWorkflow(session, 'before-the-kill');
    const first = stateNow()!.supervisor;
    process.kill(first.pid, 'SIGKILL');
    await vi.waitFor(() => {
      const state = stateNow();
      expect(state?.state).toBe('running');
      expect(state?.supervisor).not.toEqual(first);
    }, PATIENT);
    expect(`127.0.0.1:${stateNow()?.port}`).toBe(session.address);
    await vi.waitFor(async () => expect(await describes(session, 'before-the-kill')).toBe(true), PATIENT);
  });

  it('records within seconds what it has done, so that the next one does not repeat it', async () => {
    const session = await ensure();
    for (const name of ['one', 'two', 'three']) await startSomeWorkflow(session, name);
    const database = new DatabaseSync(openHome(home).temporalDatabase, { readOnly: true });
    const pending = database.prepare(
      'SELECT (SELECT count(*) FROM transfer_tasks) + (SELECT count(*) FROM visibility_tasks) n',
    );
    try {
      // The server's default is 30 s.
      await vi.waitFor(() => expect(pending.get()).toEqual({ n: 0 }), { timeout: 20_000, interval: 50 });
    } finally {
      database.close();
    }
  });

  it('names its log when it can not be started, and the line with the reason, once however often it was tried', async () => {
    for (let tries = 0; tries < 2; tries++) {
      const failure = ensure(settings, { extraServerArguments: ['--no-such-flag'] });
      await expect(failure).rejects.toMatchObject({
        code: 'temporal-missing',
        exitCode: 5,
        remedy: expect.stringMatching(/temporal-server\.log\n *Error: unknown flag: --no-such-flag$/),
      });
    }
  });

  slowIt('starts after one was killed before its database had tables', async () => {
    const { temporalDatabase } = openHome(home);
    const database = new DatabaseSync(temporalDatabase);
    database.exec('PRAGMA journal_mode = WAL');
    database.close();
    expect(readFileSync(temporalDatabase)).toHaveLength(4096);
    const session = await ensure();
    await startSomeWorkflow(session, 'as-if-nothing-was');
    expect(await describes(session, 'as-if-nothing-was')).toBe(true);
  });

  it('leaves a damaged database unchanged, and names the file and the remedy', async () => {
    const { temporalDatabase } = openHome(home);
    writeFileSync(temporalDatabase, 'no database '.repeat(1000));
    await expect(ensure()).rejects.toMatchObject({
      code: 'temporal-missing',
      message: expect.stringContaining(`${temporalDatabase} is damaged: file is not a database`),
      remedy: expect.stringContaining('Move the file away'),
    });
    expect(readFileSync(temporalDatabase, 'utf8')).toContain('no database');
  });
});

quickDescribe('TEMPORAL_ADDRESS', () => {
  it('that nobody answers at is an error with exit code 5', async () => {
    const failure = ensure(readSettings({ ...process.env, FILINGLAKE_HOME: home, TEMPORAL_ADDRESS: '127.0.0.1:1' }));
    await expect(failure).rejects.toMatchObject({ code: 'temporal-unreachable', exitCode: 5 });
  });

  it('that says nothing keeps no worker from ending by a signal', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const key = { FILINGLAKE_API_KEY: 'fl_any', FILINGLAKE_HOME: home, TEMPORAL_ADDRESS: address };
    const worker = runCommand(['worker', '--json'], key);
    const [socket] = (await once(silent, 'connection')) as [Socket];
    worker.process.kill('SIGTERM');
    await worker.ended;
    expect(worker.process.signalCode).toBe('SIGTERM');
    socket.destroy();
    silent.close();
  });

  it.skipIf(!temporalExecutable)('is used unchanged, and missing parts of its namespace are added', async () => {
    const { address } = await ensure();
    const other = (namespace: string) =>
      readSettings({ ...process.env, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });
    const said: string[] = [];
    const session = await ensure(other('default'), { onMessage: (line) => said.push(line) });
    expect(said).toEqual([`using Temporal at ${address}, namespace default`]);
    const { operatorService } = await session.connect();
    await vi.waitFor(async () => {
      const { customAttributes } = await operatorService.listSearchAttributes({ namespace: 'default' });
      expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(['ExportName', 'ExportState']));
    }, PATIENT);
    await expect(ensure(other('elsewhere'))).rejects.toMatchObject({
      code: 'temporal-refused',
      remedy: expect.stringContaining('--namespace elsewhere'),
    });
  });
});
