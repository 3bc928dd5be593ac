/** Remaps in `filinglake status`: a table, the details of one, and JSON. */
import { shellWord } from '../../core/index.ts';
import type { RemapRun } from '../../runtime/index.ts';
import { counted, cutTable, formatBytes, formatCount } from './terminal.ts';

const COLUMNS = ['remap', 'state', 'filings', 'examined', 'mapped', 'version', 'started (UTC)', 'lake'];

const stateOf = ({ state, worker }: RemapRun) => (worker?.answers === false ? `${state}, no worker` : state);

/** @param screen width of the terminal; null: nothing is cut. @param placeOf the lake as the table shows it */
export function remapTable(
  remaps: readonly RemapRun[],
  screen: number | null,
  placeOf: (lake: string) => string,
): string {
  const rows = remaps.map((run) => ({
    remap: run.id,
    state: stateOf(run),
    filings: run.report === null ? '' : formatCount(run.report.filings),
    examined: run.report === null ? '' : formatCount(run.report.examined),
    mapped: run.report === null ? '' : formatCount(run.report.mapped),
    version: run.report === null || run.report.version < 0 ? '' : run.report.version,
    'started (UTC)': run.started_at.slice(0, 16).replace('T', ' '),
    lake: placeOf(run.lake),
  }));
  return cutTable(rows, COLUMNS, screen);
}

/** @param run as `filinglake status remap/…` shows it */
export function remapText(run: RemapRun): string {
  const { id, lake, report, worker, active } = run;
  const lines: [string, string][] = [
    ['remap', id],
    ['lake', lake],
    ['state', stateOf(run)],
  ];
  if (worker !== null && !worker.answers)
    lines.push(
      ['worker', `none${worker.last_seen === null ? '' : ` (last heard from at ${worker.last_seen})`}`],
      ['', `filinglake remap --lake ${shellWord(lake)} continues it, with the same --tables`],
      ['', `filinglake cancel ${id} ends it`],
    );
  else if (worker !== null) lines.push(['worker', `${counted(active, 'stretch', 'stretches')} being mapped now`]);
  lines.push(['started', run.started_at]);
  if (report !== null)
    lines.push(
      ['filings', `${formatCount(report.examined)} of ${formatCount(report.filings)} examined`],
      ['mapped', `${formatCount(report.mapped)}, ${formatCount(report.current)} up to date`],
      ['unreadable', formatCount(report.unreadable)],
      ['bytes', `${formatBytes(report.bytes_examined)} of ${formatBytes(report.bytes)}`],
      ['stretches', `${formatCount(report.stretches_done)} of ${formatCount(report.stretches)} done`],
      ['commits', formatCount(report.commits)],
    );
  return lines.map(([name, value]) => `${name.padEnd(12)} ${value}\n`).join('');
}

/** An element of the array of `status --json`: an export has its `progress` there, a remap its report. */
export function remapJson({ report, ...run }: RemapRun): Record<string, unknown> {
  return { ...run, name: run.id, progress: null, remap: report };
}
