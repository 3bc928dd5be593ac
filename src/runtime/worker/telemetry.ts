/**
 * What a worker sends about itself if it is asked: metrics of Temporal's SDK, for Prometheus or by OTLP, and a span for each activity
 * by OTLP over HTTP. OpenTelemetry's own variables (`OTEL_EXPORTER_OTLP_ENDPOINT` …) say where to.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IdGenerator } from '@opentelemetry/sdk-trace';
import type { ActivityInterceptorsFactory, MetricsExporterConfig } from '#temporal-worker';

type Environment = Readonly<Record<string, string | undefined>>;

/** How long the last spans may take when the worker ends: a collector that is away does not hold it. */
const LAST_SPANS_MS = 2_000;
const SERVICE_NAME = 'filinglake-worker';

/** `traces` or `metrics`: where they are sent by OTLP over HTTP; null: nowhere. */
function endpointOf(signal: 'traces' | 'metrics', env: Environment): string | null {
  const name = signal.toUpperCase();
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env[`OTEL_${name}_EXPORTER`] === 'none') return null;
  const own = env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`];
  if (own) return own;
  const common = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return common ? `${common.replace(/\/$/, '')}/v1/${signal}` : null;
}

/** `a=1,b=2`, as in `OTEL_EXPORTER_OTLP_HEADERS`. */
function headersOf(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

/**
 * Metrics of Temporal's SDK: polls, slots, latencies of activities.
 * @param prometheus HOST:PORT to serve them at, unless the environment names a collector: the SDK has one exporter
 */
export function sdkMetrics(prometheus: string | undefined, env: Environment): MetricsExporterConfig | undefined {
  const url = endpointOf('metrics', env);
  if (url !== null) {
    const headers = headersOf(env.OTEL_EXPORTER_OTLP_METRICS_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS);
    const globalTags = { service_name: env.OTEL_SERVICE_NAME ?? SERVICE_NAME };
    return { globalTags, otel: { url, http: true, headers, metricsExportInterval: '10 seconds' } };
  }
  return prometheus === undefined ? undefined : { prometheus: { bindAddress: prometheus, unitSuffix: true } };
}

export interface Spans {
  interceptor: ActivityInterceptorsFactory;
  /** Sends the last ones. */
  close(): Promise<void>;
}

/** The members of requests that say which part of a run an activity does. */
interface Request {
  run?: Request;
  run_id?: string;
  started_at?: string;
  lake?: string;
  definition?: { name?: string };
  window?: string;
  pass?: string;
  batch_id?: string;
  state?: string;
}

interface Ids {
  traceId: string;
  spanId: string;
}

/**
 * Spans of activities. All attempts of a run are one trace, whichever worker makes them: its id follows from the run. The activity that
 * ends the run sends the span of the whole.
 * @returns null if the environment asks for none
 */
export async function openSpans(env: Environment): Promise<Spans | null> {
  if (endpointOf('traces', env) === null) return null;
  const [{ ROOT_CONTEXT, SpanStatusCode, trace, TraceFlags }, sdk, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const random = new sdk.RandomIdGenerator();
  let given: Ids | null = null;
  const idGenerator: IdGenerator = {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
  };
  const provider = new sdk.TracerProvider({
    idGenerator,
    resource: resources.resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME ?? SERVICE_NAME }),
    // Reads the variables: endpoint, headers, certificates, time-out.
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('filinglake');
  return {
    interceptor: ({ info }) => ({
      inbound: {
        async execute(input, next) {
          const request = (input.args[0] ?? {}) as Request;
          const run = request.run ?? request;
          const { workflowId, runId } = info.workflowExecution ?? { workflowId: '', runId: '' };
          const ids = idsOf(`${workflowId} ${run.run_id ?? runId}`);
          const whole = {
            'temporal.workflow_id': workflowId,
            ...(run.run_id !== undefined && { 'filinglake.run_id': run.run_id }),
            ...(run.definition?.name !== undefined && { 'filinglake.export': run.definition.name }),
            ...(run.lake !== undefined && { 'filinglake.lake': run.lake }),
          };
          const attributes = {
            ...whole,
            'temporal.attempt': info.attempt,
            ...(request.window !== undefined && { 'filinglake.window': request.window }),
            ...(request.pass !== undefined && { 'filinglake.pass': request.pass }),
            ...(request.batch_id !== undefined && { 'filinglake.batch': request.batch_id }),
          };
          const parent = trace.setSpanContext(ROOT_CONTEXT, {
            ...{ ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true },
          });
          const span = tracer.startSpan(info.activityType, { attributes }, parent);
          try {
            const result = await next(input);
            const { spent } = (result ?? {}) as { spent?: { requests: number; bytes: number } };
            if (spent) span.setAttributes({ 'filinglake.requests': spent.requests, 'filinglake.bytes': spent.bytes });
            if (request.state !== undefined && run.started_at !== undefined) {
              given = ids;
              const startTime = new Date(run.started_at);
              const root = { 'filinglake.state': request.state, ...whole };
              tracer.startSpan('export', { root: true, startTime, attributes: root }).end();
              given = null;
            }
            return result;
          } catch (error) {
            const { message } = error as Error;
            span.setStatus({ code: SpanStatusCode.ERROR, message });
            throw error;
          } finally {
            span.end();
          }
        },
      },
    }),
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(LAST_SPANS_MS, undefined, { ref: false })]);
    },
  };
}

/** Workers agree on them without a message: a trace has 16 bytes, a span 8. */
function idsOf(run: string): Ids {
  const hex = createHash('sha256').update(`filinglake run ${run}`).digest('hex');
  return { traceId: hex.slice(0, 32), spanId: hex.slice(32, 48) };
}
