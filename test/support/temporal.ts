/**
 * Temporal for tests: found or downloaded as for users. Tests that need one are skipped, and say why, if none is available.
 */

import { randomUUID } from 'node:crypto';
import { readSettings } from '../../src/core/environment/settings.ts';
import { ensureTemporal, type TemporalSession } from '../../src/export/runtime/index.ts';
import { findTemporal, type TemporalExecutable } from '../../src/export/runtime/temporal/fetch.ts';
import { runFolder } from './file-folder.ts';
import { TIME_SKIPPING_ARGUMENTS } from './time-skipping.ts';

export const temporalExecutable: TemporalExecutable | null = await findTemporal({
  cacheFolder: readSettings().cacheFolder,
  env: process.env,
  onMessage: () => {},
}).catch((error: Error) => {
  process.stderr.write(`tests with a Temporal server are skipped: ${error.message}\n`);
  return null;
});

/** Variables that name a place on a Temporal server. */
export interface TemporalPlace {
  TEMPORAL_ADDRESS: string;
  TEMPORAL_NAMESPACE: string;
}

const RETENTION_SECONDS = 86_400;

/** Held until this process ends. */
let held: Promise<TemporalSession> | null = null;

/**
 * A new namespace on the server that all files of a run share, and that the first one starts: a server costs three seconds of CPU.
 * Files that kill or restart a server, or that want it set otherwise, call `ensureTemporal` with a home of their own.
 */
export async function temporalNamespace(): Promise<TemporalPlace> {
  const home = runFolder('temporal');
  const env = { ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home, TMPDIR: home };
  held ??= ensureTemporal(readSettings(env), { extraServerArguments: TIME_SKIPPING_ARGUMENTS });
  const { address, connect } = await held;
  const namespace = randomUUID();
  const retention = { seconds: RETENTION_SECONDS as never };
  await (await connect()).workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: retention,
  });
  return { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
}
