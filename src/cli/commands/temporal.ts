/** `filinglake temporal`: the state of this home's Temporal server, and Temporal's own command against it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Command } from 'commander';
import { readSettings } from '../../core/environment/index.ts';
import { ensureTemporal, findTemporal, temporalStatus } from '../../export/runtime/index.ts';
import { counted, printJson } from '../terminal/terminal.ts';

export function command(): Command {
  return new Command('temporal')
    .description('Show the Temporal server that exports run on, or run Temporal’s own command against it')
    .argument('[words...]', 'words for Temporal’s own command')
    .option('--json', 'print the status as JSON')
    .passThroughOptions()
    .allowUnknownOption()
    .addHelpText(
      'after',
      `
Examples:
  filinglake temporal
  filinglake temporal workflow list
  filinglake temporal workflow show --workflow-id export/annual-reports`,
    )
    .action(async (words: string[], options: { json?: boolean }) => {
      if (words.length === 0) show(options.json === true);
      else await passOn(words);
    });
}

function show(json: boolean): void {
  const status = temporalStatus(readSettings());
  if (json) {
    printJson(status);
    return;
  }
  const { state, address, namespace, version, restarts, users } = status;
  const lines = [`Temporal: ${state}${address ? ` at ${address}` : ''}, namespace ${namespace}`];
  if (version) lines.push(`version: ${version}${restarts > 0 ? `, restarted ${counted(restarts, 'time')}` : ''}`);
  if (state !== 'elsewhere') {
    lines.push(
      `used by: ${users.map((user) => `${user.command} (process ${user.holder.pid})`).join(', ') || 'nobody'}`,
    );
    lines.push(`database: ${status.database}`, `logs: ${status.logs}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The server is held while the command runs: the command finds it running, or starts it. */
async function passOn(words: readonly string[]): Promise<void> {
  const settings = readSettings();
  const onMessage = (line: string) => process.stderr.write(`${line}\n`);
  const { path } = await findTemporal({ cacheFolder: settings.cacheFolder, env: settings.env, onMessage: () => {} });
  await using session = await ensureTemporal(settings, { command: 'temporal', onMessage });
  const env = { ...process.env, TEMPORAL_ADDRESS: session.address, TEMPORAL_NAMESPACE: session.namespace };
  const [code] = (await once(spawn(path, words, { stdio: 'inherit', env }), 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
