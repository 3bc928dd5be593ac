/** A Temporal server for tests: found or fetched as for users. Tests that need one are skipped, and say why, where none can be had. */

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
