/**
 * Run as `node sdk-download.ts FOLDER VERSION`: the SDK downloads Temporal's CLI into a folder. The SDK can download a server only
 * by starting it, so it is started without a database and ended at once. Failure: one line on stderr, exit 1.
 */
import { createRequire } from 'node:module';
import { Runtime } from '#temporal-worker';

const [folder, version] = process.argv.slice(2);
// All packages of the SDK have one version. This one is in every installation.
const sdk = createRequire(import.meta.url)('@temporalio/core-bridge/package.json') as { version: string };

try {
  if (!folder || !version) throw new Error('usage: temporal-sdk-download FOLDER VERSION');
  const runtime = Runtime.instance();
  const server = await runtime.createEphemeralServer({
    type: 'dev-server',
    exe: {
      type: 'cached-download',
      downloadDir: folder,
      version,
      ttl: 0,
      sdkName: 'sdk-typescript',
      sdkVersion: sdk.version,
    },
    namespace: 'default',
    ip: '127.0.0.1',
    port: null,
    uiPort: null,
    dbFilename: null,
    ui: false,
    log: { format: 'pretty', level: 'error' },
    extraArgs: [],
  });
  await runtime.shutdownEphemeralServer(server);
  await runtime.shutdown();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
