/** Connects to Temporal. Address, namespace, key and TLS are read as Temporal's own tools read them. Errors say what to do. */
import type { Connection, ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnection, NativeConnectionOptions } from '#temporal-worker';
import { FilinglakeError } from '../../../core/index.ts';
import { spreadRetries } from './retry.ts';

/** Search attributes of export workflows: name and type. Registered on every server that is used. */
export const SEARCH_ATTRIBUTES = { ExportName: 'Keyword', ExportState: 'Keyword' } as const;

export const EMBEDDED_NAMESPACE = 'filinglake';

/** Values of Temporal's `IndexedValueType`, as its API sends them. */
const INDEXED_VALUE_TYPE = { Keyword: 2 } as const;
/** Of gRPC. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;
/** For an external server. Our own may be restarting, on a machine under load. */
const CONNECT_TIMEOUT_MS = 5_000;
const OWN_CONNECT_TIMEOUT_MS = 60_000;

/** Temporal's default of 24 h would delete finished runs before anyone looks. */
const RETENTION_SECONDS = 90 * 24 * 3600;

/** How to reach a server; everything but the address and the namespace is secret or long, and never printed. */
export interface TemporalTarget {
  address: string;
  namespace: string;
  /** filinglake's own server. */
  embedded: boolean;
  connectionOptions: NativeConnectionOptions & ConnectionOptions;
}

/** The server of TEMPORAL_ADDRESS; the rest is in other TEMPORAL_ variables or Temporal's configuration file. */
export function externalTarget(env: Readonly<Record<string, string | undefined>>): TemporalTarget {
  const overrideEnvVars: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) overrideEnvVars[name] = value;
  let config: ReturnType<typeof loadClientConnectConfig>;
  try {
    config = loadClientConnectConfig({ overrideEnvVars });
  } catch (cause) {
    throw new FilinglakeError('setting-invalid', `Temporal's settings can't be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  return {
    address: config.connectionOptions.address ?? 'localhost:7233',
    namespace: config.namespace ?? 'default',
    embedded: false,
    connectionOptions: config.connectionOptions as NativeConnectionOptions & ConnectionOptions,
  };
}

/** Connects a client, which the caller closes. @throws FilinglakeError `temporal-unreachable` (exit 5) */
export async function connectClient(target: TemporalTarget): Promise<Connection> {
  const { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } = await import('@temporalio/client');
  try {
    const connectTimeout = target.embedded ? OWN_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
    const interceptors = [makeGrpcRetryInterceptor(spreadRetries(defaultGrpcRetryOptions()))];
    return await Connection.connect({ ...target.connectionOptions, connectTimeout, interceptors });
  } catch (cause) {
    throw unreachable(target, cause);
  }
}

/** Connects a worker. The caller closes it after its workers. @throws FilinglakeError `temporal-unreachable` */
export async function connectWorker(target: TemporalTarget): Promise<NativeConnection> {
  const { NativeConnection } = await import('#temporal-worker');
  try {
    return await NativeConnection.connect(target.connectionOptions);
  } catch (cause) {
    throw unreachable(target, cause);
  }
}

/** gRPC's UNAUTHENTICATED, in the error or in its causes; a client that connects wraps it. */
function isRefusedKey(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as Error & { code?: unknown };
  return code === UNAUTHENTICATED || /unauthenticated|jwt|api.?key/i.test(message) || isRefusedKey(error.cause);
}

function refusedKey(target: TemporalTarget, cause: unknown): FilinglakeError {
  return new FilinglakeError(
    'temporal-refused',
    `Temporal at ${target.address} refuses the key, or the certificate, of TEMPORAL_API_KEY or TEMPORAL_TLS_… for namespace '${target.namespace}'`,
    { cause },
  );
}

function unreachable(target: TemporalTarget, cause: unknown): FilinglakeError {
  if (isRefusedKey(cause)) return refusedKey(target, cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new FilinglakeError('temporal-unreachable', `Temporal at ${target.address} can't be reached: ${reason}`, {
    cause,
  });
}

/**
 * Checks that the namespace exists and has our search attributes; adds missing ones. filinglake's own keeps its histories for 90 days.
 * @throws FilinglakeError `temporal-refused` (exit 5) with the command that creates it
 */
export async function prepareNamespace(connection: Connection, target: TemporalTarget): Promise<void> {
  const { namespace, address } = target;
  let kept: number;
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    kept = Number(config?.workflowExecutionRetentionTtl?.seconds);
  } catch (cause) {
    const isDenied = (cause as { code?: unknown }).code === PERMISSION_DENIED;
    if (isDenied || isRefusedKey(cause)) throw refusedKey(target, cause);
    throw new FilinglakeError(
      'temporal-refused',
      `Temporal at ${address} has no namespace '${namespace}' for us: ${(cause as Error).message}`,
      {
        remedy: `Set TEMPORAL_NAMESPACE, or run \`temporal operator namespace create --namespace ${namespace} --retention 2160h\`.`,
        cause,
      },
    );
  }
  if (target.embedded && kept !== RETENTION_SECONDS) await keepHistories(connection, namespace);
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => customAttributes?.[name] === undefined);
    if (missing.length === 0) return;
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, INDEXED_VALUE_TYPE[type]])),
    });
  } catch (cause) {
    // A role of one namespace may not call this. If the attributes are missing, the start of a run says so.
    if ((cause as { code?: unknown }).code === PERMISSION_DENIED) return;
    throw attributesMissing(namespace, cause);
  }
}

/** For an error that names search attributes, at the start of a run. */
export function attributesMissing(namespace: string, cause: unknown): FilinglakeError {
  const commands = Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => `--name ${name} --type ${type}`);
  return new FilinglakeError(
    'temporal-refused',
    `search attributes in namespace '${namespace}' can't be read or added: ${(cause as Error).message}`,
    {
      remedy: `Ask an administrator to run \`temporal operator search-attribute create --namespace ${namespace} ${commands.join(' ')}\`.`,
      cause,
    },
  );
}

async function keepHistories(connection: Connection, namespace: string): Promise<void> {
  const { msToTs } = await import('@temporalio/common/lib/time.js');
  const config = { workflowExecutionRetentionTtl: msToTs(RETENTION_SECONDS * 1_000) };
  await connection.workflowService.updateNamespace({ namespace, config });
}
