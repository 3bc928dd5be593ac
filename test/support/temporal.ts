/**
 * A Temporal server for tests: found or downloaded as for users. Tests that need one are skipped, and say why, if none is
 * available.
 */

import { readSettings } from '../../src/environment/settings.ts';
import { findTemporal, type TemporalExecutable } from '../../src/runtime/temporal/fetch.ts';

export const temporalExecutable: TemporalExecutable | null = await findTemporal({
  cacheFolder: readSettings().cacheFolder,
  env: process.env,
  onMessage: () => {},
}).catch((error: Error) => {
  process.stderr.write(`tests with a Temporal server are skipped: ${error.message}\n`);
  return null;
});
