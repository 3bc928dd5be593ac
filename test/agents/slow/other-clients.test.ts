/** Clients of another make: the protocol's own for Python, and FastMCP. They start the server as `filinglake mcp --config` says. */
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSample } from '../../../src/cli/sample/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { KeyRegister } from '../../../src/service/accounts/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { type RunningService, startService } from '../../../src/service/index.ts';
import { serviceTools } from '../../support/agents/service-tools.ts';
import { commandLine } from '../../support/command-line.ts';
import { mcpClients } from '../../support/lake/python-readers.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { PLANS } from '../../support/service/running-service.ts';

const BIN = join(import.meta.dirname, '../../../node_modules/.bin');
const SCRIPT = join(import.meta.dirname, '../../support/agents/mcp_clients.py');
const python = mcpClients();

interface Found {
  tools: string[];
  count: number;
  read: { filed_content: string };
  verdicts: { equal: boolean }[];
  error: string;
}

async function researched(client: string, config: object): Promise<Found> {
  const { command, modules } = python as { command: string; modules: string };
  const child = spawn(command, [SCRIPT, client], { env: { ...process.env, PYTHONPATH: modules } });
  child.stdin.end(JSON.stringify(config));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (out === '') throw new Error(errors.slice(-2_000));
  return JSON.parse(out) as Found;
}

describe.skipIf('missing' in python)('a client in Python', () => {
  let folder: string;
  let lake: string;
  let catalog: string;
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    [lake, catalog] = [join(folder, 'lake'), join(folder, 'catalog')];
    await writeSample({ out: join(folder, 'sample'), filings: 60, seed: 3, onProgress: () => {} });
    await ingest([join(folder, 'sample')], catalog);
    await (await openLake(lake, { create: true })).close();
    const accounts = KeyRegister.open(catalog, PLANS);
    key = accounts.createKey('unlimited').api_key;
    accounts.close();
    service = await startService({ catalogFolder: catalog, port: 0, plans: PLANS, tools: serviceTools });
  });
  afterAll(() => service.close());

  const isSound = (found: Found, tools: number) => {
    expect(found.tools).toHaveLength(tools);
    expect(found.count).toBeGreaterThan(0);
    expect(found.read.filed_content.length).toBeGreaterThan(10);
    expect(found.verdicts.every(({ equal }) => equal)).toBe(true);
    expect(found.error).toBe('tool-input-invalid');
  };

  it.each(['sdk', 'fastmcp'])(
    'reads over standard input and output by the printed configuration: %s',
    async (client) => {
      const { stdout } = await commandLine(['mcp', '--lake', lake, '--catalog', catalog, '--config']);
      const config = JSON.parse(stdout) as { mcpServers: { filinglake: Record<string, unknown> } };
      const path = [BIN, dirname(process.execPath), process.env.PATH].join(delimiter);
      config.mcpServers.filinglake.env = { PATH: path, FILINGLAKE_HOME: join(folder, 'home') };
      isSound(await researched(client, config), 14);
    },
  );

  it.each(['sdk', 'fastmcp'])('reads over HTTP with a key: %s', async (client) => {
    const server = { url: new URL('/mcp', service.url).href, headers: { Authorization: `Bearer ${key}` } };
    isSound(await researched(client, { mcpServers: { filinglake: server } }), 8);
  });
});
