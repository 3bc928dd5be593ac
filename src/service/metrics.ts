/** The service's metrics for Prometheus (text format 0.0.4). */
import type { QuotaLimit } from './accounts/index.ts';
import type { AccessLog, AnsweredRequest } from './http/access-log.ts';

/** Upper ends of the buckets, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Timing {
  buckets: number[];
  seconds: number;
  count: number;
}

/** A value that is read when the metrics are requested. */
export interface Gauge {
  name: string;
  help: string;
  /** Values by label, or a single value */
  read: () => number | { label: string; values: Readonly<Record<string, number>> };
}

export class Metrics implements AccessLog {
  readonly #requests = new Map<string, number>();
  readonly #latency = new Map<string, Timing>();
  readonly #wait = new Map<string, Timing>();
  readonly #quotaRefusals: Record<QuotaLimit, number> = { requests: 0, bytes: 0, work: 0, rate: 0 };
  readonly #gauges: readonly Gauge[];
  #bytesSent = 0;

  constructor(gauges: readonly Gauge[]) {
    this.#gauges = gauges;
  }

  add({ operation, status, quotaRefused, waitMs, totalMs, bytesSent }: AnsweredRequest): void {
    const name = operation ?? 'none';
    const labels = `operation="${name}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    if (quotaRefused !== null) this.#quotaRefusals[quotaRefused]++;
    observe(this.#latency, name, totalMs / 1_000);
    if (waitMs !== null) observe(this.#wait, name, waitMs / 1_000);
    this.#bytesSent += bytesSent;
  }

  text(): string {
    const lines = [
      ...head('filinglake_requests_total', 'counter', 'Requests answered, by operation and status'),
      ...[...this.#requests].map(([labels, count]) => `filinglake_requests_total{${labels}} ${count}`),
      ...head('filinglake_quota_refusals_total', 'counter', 'Requests refused because a quota of the month is used up'),
      ...Object.entries(this.#quotaRefusals).map(
        ([limit, count]) => `filinglake_quota_refusals_total{limit="${limit}"} ${count}`,
      ),
      ...head('filinglake_sent_bytes_total', 'counter', 'Bytes of answers, as sent'),
      `filinglake_sent_bytes_total ${this.#bytesSent}`,
      ...histogram('filinglake_request_seconds', 'From arrival to the end of the answer', this.#latency),
      ...histogram('filinglake_wait_seconds', 'Waiting for a reader thread or the PDF renderer', this.#wait),
    ];
    for (const { name, help, read } of this.#gauges) {
      lines.push(...head(name, name.endsWith('_total') ? 'counter' : 'gauge', help));
      const value = read();
      if (typeof value === 'number') lines.push(`${name} ${value}`);
      else for (const [of, n] of Object.entries(value.values)) lines.push(`${name}{${value.label}="${of}"} ${n}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

function observe(timings: Map<string, Timing>, name: string, seconds: number): void {
  let timing = timings.get(name);
  if (!timing) {
    timing = { buckets: BUCKETS.map(() => 0), seconds: 0, count: 0 };
    timings.set(name, timing);
  }
  timing.count++;
  timing.seconds += seconds;
  const at = BUCKETS.findIndex((end) => seconds <= end);
  if (at >= 0) timing.buckets[at]!++;
}

function histogram(name: string, help: string, timings: ReadonlyMap<string, Timing>): string[] {
  const lines = head(name, 'histogram', help);
  for (const [operation, { buckets, seconds, count }] of timings) {
    let sum = 0;
    for (const [i, n] of buckets.entries()) {
      sum += n;
      lines.push(`${name}_bucket{operation="${operation}",le="${BUCKETS[i]}"} ${sum}`);
    }
    lines.push(`${name}_bucket{operation="${operation}",le="+Inf"} ${count}`);
    lines.push(`${name}_sum{operation="${operation}"} ${seconds}`, `${name}_count{operation="${operation}"} ${count}`);
  }
  return lines;
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
