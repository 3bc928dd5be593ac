/** `filinglake mcp`: tools for agents over a lake, a catalog or a service, on standard input and output. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { FilinglakeError } from '../../core/index.ts';
import { watchInterrupts } from '../terminal/interruption.ts';
import { type McpPlaces, openWorld } from '../terminal/mcp-world.ts';
import { packageVersion } from '../terminal/package-version.ts';
import { printJson } from '../terminal/terminal.ts';

interface Options extends McpPlaces {
  config?: boolean;
}

export function command(): Command {
  return new Command('mcp')
    .description('Serve tools for agents (Model Context Protocol) on standard input and output')
    .option('--lake <place>', 'folder or URL of a lake: tables, SQL, texts that were exported')
    .option('--release <name>', 'a release of the lake: all answers are of its version')
    .option('--catalog <dir>', 'folder of a catalog: filings and their texts')
    .option('--service <url>', 'a /v2 service: filings and their texts, and exports from it')
    .option('--config', 'print the configuration for a client, and end')
    .addHelpText(
      'after',
      `
Give one or several. With a lake, tools read it first; what it lacks comes from the catalog or the service.
The lake and a source together also allow exports into the lake.

The key of --service is read from FILINGLAKE_API_KEY. A catalog needs none. Tools write nothing but the named lake.

Examples:
  filinglake mcp --lake ./lake
  filinglake mcp --lake ./lake --release 2026-q3
  filinglake mcp --lake ./lake --service https://filings.example
  filinglake mcp --lake ./lake --catalog ./catalog --config`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const { lake, catalog, service } = options;
  if (lake === undefined && catalog === undefined && service === undefined)
    throw new FilinglakeError('source-missing', 'mcp needs a lake, a catalog or a service');
  if (catalog !== undefined && service !== undefined)
    throw new FilinglakeError('argument-invalid', '--catalog and --service are both given', {
      remedy: 'Give one of them.',
    });
  if (options.release !== undefined && lake === undefined)
    throw new FilinglakeError('argument-invalid', '--release needs --lake', { remedy: 'Give --lake too.' });
  if (options.config) return printJson(clientConfig(options));
  using interruption = watchInterrupts();
  const opened = await openWorld(options);
  const [{ mcpServer }, { serveStdio }] = await Promise.all([
    import('../../agents/index.ts'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const say = (error: unknown) =>
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  const handle = serveStdio(() => mcpServer(opened.world, packageVersion(), say), { onerror: say });
  try {
    await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), once(interruption.signal, 'abort')]);
    await handle.close();
  } finally {
    await opened.close();
  }
}

/** `mcpServers`, which the usual clients read. Places are absolute: a client starts the command elsewhere. */
function clientConfig({ lake, release, catalog, service }: Options) {
  const isUrl = (place: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
  const args = [
    'mcp',
    ...(lake === undefined ? [] : ['--lake', isUrl(lake) ? lake : resolve(lake)]),
    ...(release === undefined ? [] : ['--release', release]),
    ...(catalog === undefined ? [] : ['--catalog', resolve(catalog)]),
    ...(service === undefined ? [] : ['--service', service]),
  ];
  const env = service === undefined ? {} : { env: { FILINGLAKE_API_KEY: '<your key>' } };
  return { mcpServers: { filinglake: { command: 'filinglake', args, ...env } } };
}
