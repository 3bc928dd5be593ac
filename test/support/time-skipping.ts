/** A Temporal client whose workflows skip time: a month's wait takes no second. The server must have been started to allow it. */
import { Client } from '@temporalio/client';
import type { TemporalSession } from '../../src/export/runtime/index.ts';
import { DATA_CONVERTER } from '../../src/export/runtime/temporal/large-payloads.ts';

export const TIME_SKIPPING_ARGUMENTS = ['--dynamic-config-value', 'frontend.WorkflowTimeSkippingEnabled=true'];

interface StartRequest {
  timeSkippingConfig?: { enabled: boolean };
}

interface SignalRequest {
  signalName: string;
}

/** @param onMessage called with the name of each signal before it is sent */
export async function timeSkippingClient(
  session: TemporalSession,
  onMessage: (name: string) => void = () => {},
): Promise<Client> {
  const connection = await session.connect();
  const skipping = (request: StartRequest) => Object.assign(request, { timeSkippingConfig: { enabled: true } });
  // The SDK has no option for it: the requests that start workflows are completed on their way out.
  const workflowService = new Proxy(connection.workflowService, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (request: never, ...rest: unknown[]) => {
        if (name === 'startWorkflowExecution') skipping(request as StartRequest);
        if (name === 'signalWithStartWorkflowExecution') skipping(request as StartRequest);
        if (name === 'signalWithStartWorkflowExecution' || name === 'signalWorkflowExecution')
          onMessage((request as SignalRequest).signalName);
        return (value as (...args: unknown[]) => unknown).call(target, request, ...rest);
      };
    },
  });
  const wrapped = new Proxy(connection, {
    get: (target, name) => {
      if (name === 'workflowService') return workflowService;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
  return new Client({ connection: wrapped, namespace: session.namespace, dataConverter: DATA_CONVERTER });
}
