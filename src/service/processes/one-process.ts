/** A service in this process, from options that a process can be given. */
import type { FastifyBaseLogger } from 'fastify';
import { LivePlans } from '../../accounts/index.ts';
import { readTlsFiles } from '../http/tls-files.ts';
import { type RunningService, type ServiceOptions, startService } from '../start.ts';
import type { ProcessOptions } from './messages.ts';

/** @throws FilinglakeError as startService; `certificate-unusable`, and for a plans file as loadPlans */
export async function startOneProcess(
  { tls, plansFile, log: _, ...options }: ProcessOptions,
  logger: FastifyBaseLogger,
  more: Pick<ServiceOptions, 'allMetrics'> = {},
): Promise<RunningService> {
  const plans = new LivePlans(plansFile, (error) => {
    if (error === null) logger.info('the plans file has changed');
    else logger.error({ err: error }, 'the plans file has changed and can not be read: the plans before hold');
  });
  const service = await startService({
    ...{ ...options, ...more, plans, logger },
    ...(tls ? { tls: readTlsFiles(tls) } : {}),
  });
  return { ...service, close: () => service.close().finally(() => plans.close()) };
}
