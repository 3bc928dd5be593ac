/** Workers of Temporal's SDK: most of the code that a command with a worker loads. */
import {
  DefaultLogger,
  makeTelemetryFilterString,
  type NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '#temporal-worker';
import type { Logger } from '../../../core/environment/index.ts';

export { Worker };

/** Without a connection, the SDK would connect to Temporal's usual address. With this one it fails. */
const NOT_YET = {} as NativeConnection;

/**
 * A worker for workflows whose thread loads while Temporal starts, or the client: the SDK makes the thread before it uses the connection.
 * @throws the error of the connection, with the thread ended
 */
export function createEarly(options: WorkerOptions, connecting: Promise<NativeConnection>): Promise<Worker> {
  const given = { ...options, connection: NOT_YET };
  class EarlyWorker extends Worker {
    protected static override async createWorkflowCreator(...of: Parameters<(typeof Worker)['createWorkflowCreator']>) {
      const creator = await Worker.createWorkflowCreator(...of);
      try {
        given.connection = await connecting;
        return creator;
      } catch (error) {
        await creator.destroy();
        // It ends with its last connection or worker. Without one, it would keep the process alive.
        // biome-ignore lint/complexity/useLiteralKeys: the method is protected
        await Runtime.instance()['shutdownIfIdle']();
        throw error;
      }
    }
  }
  return EarlyWorker.create(given);
}

let installed = false;

/** The SDK's log goes to our log. Signals are handled here: a command decides what Ctrl-C means. */
export function installRuntime(log: Logger, prometheus: string | undefined): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('TRACE', ({ level, message, meta }) =>
      log[level.toLowerCase() as 'info'](meta ?? {}, message),
    ),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} },
      ...(prometheus !== undefined && { metrics: { prometheus: { bindAddress: prometheus, unitSuffix: true } } }),
    },
  });
}
