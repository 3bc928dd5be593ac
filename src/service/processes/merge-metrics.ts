/** The metrics of several processes as one text: what each has done is added, what all share is not. */

/** Values of the catalog or the machine, the same in every process: the largest is given. */
const SHARED = /^filinglake_(catalog_|coverage_)/;
/** 1 if every process has 1. */
const ALL = /^filinglake_accounts_writable$/;

export function mergeMetrics(texts: readonly string[]): string {
  const values = new Map<string, number>();
  const lines: { text: string; series: string | null }[] = [];
  for (const text of texts) {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const at = line.lastIndexOf(' ');
      const series = line.startsWith('#') ? null : line.slice(0, at);
      if (series === null) {
        if (!lines.some((known) => known.text === line)) lines.push({ text: line, series: null });
        continue;
      }
      const value = Number(line.slice(at + 1));
      const before = values.get(series);
      values.set(series, before === undefined ? value : joined(series, before, value));
      if (before === undefined) insert(lines, series);
    }
  }
  return `${lines.map(({ text, series }) => (series === null ? text : `${series} ${values.get(series)}`)).join('\n')}\n`;
}

/** Counters of processes that have ended still count: Prometheus takes a sum that falls for a restart. */
export function countersOf(text: string): string {
  return `${text
    .split('\n')
    .filter((line) => COUNTER.test(line))
    .join('\n')}\n`;
}

const COUNTER = /^\w+_(total|bucket|sum|count)[{ ]/;

function joined(series: string, a: number, b: number): number {
  const name = series.split('{', 1)[0]!;
  if (SHARED.test(name)) return Math.max(a, b);
  return ALL.test(name) ? Math.min(a, b) : a + b;
}

/** Series of one metric stand together: behind the last one of its name. */
function insert(lines: { text: string; series: string | null }[], series: string): void {
  const metric = metricOf(series.split('{', 1)[0]!);
  const last = lines.findLastIndex(
    ({ text }) => metricOf(text.split(/[ {]/)[text.startsWith('#') ? 2 : 0]!) === metric,
  );
  lines.splice(last < 0 ? lines.length : last + 1, 0, { text: series, series });
}

/** `…_bucket`, `…_sum` and `…_count` are of one histogram. */
function metricOf(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, '');
}
