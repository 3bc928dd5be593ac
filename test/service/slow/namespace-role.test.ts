/** Temporal with roles: filinglake needs no more than the rights of one namespace, and says so if its key is refused. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/core/environment/settings.ts';
import { ensureTemporal } from '../../../src/export/runtime/temporal/server.ts';
import { startGrpcProxy } from '../../support/grpc-proxy.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, type Road, runCommand } from '../../support/test-stack.ts';

const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

describe.skipIf(temporalExecutable === null)('Temporal with roles', () => {
  let road: Road;
  let session: Awaited<ReturnType<typeof ensureTemporal>>;
  beforeAll(async () => {
    road = await buildRoad(3);
    session = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home }));
  });
  afterAll(async () => {
    await session.release();
    await road.stop();
  });

  const exported = (name: string, TEMPORAL_ADDRESS: string) =>
    runCommand(['export', road.definition(name), '--lake', join(road.folder, name), '--json'], {
      TEMPORAL_ADDRESS,
      TEMPORAL_NAMESPACE: session.namespace,
      FILINGLAKE_HOME: join(road.folder, 'other-home'),
      FILINGLAKE_API_KEY: road.createKey('unlimited'),
    });

  it('permits an export to a role of one namespace, which may not call the operator service', async () => {
    const proxy = await startGrpcProxy(session.address, (path) =>
      path.startsWith('/temporal.api.operatorservice.') ? PERMISSION_DENIED : null,
    );
    const command = exported('role', proxy.address);
    expect(await command.ended, command.stderr()).toBe(0);
    expect(proxy.denied.length).toBeGreaterThan(0);
    await proxy.close();
  });

  it('ends the command with 5 if it refuses the key, and names the settings', async () => {
    const proxy = await startGrpcProxy(session.address, () => UNAUTHENTICATED);
    const command = exported('refused', proxy.address);
    expect(await command.ended).toBe(5);
    expect(command.stderr()).toContain('refuses the key');
    expect(command.stderr()).toContain('TEMPORAL_API_KEY');
    await proxy.close();
  });
});
