/** A report as one self-contained HTML page: no script, no font, no picture from elsewhere. */
import { counted, Html, html } from '../../../core/index.ts';
import { sentencesOfWithout } from '../filings-without.ts';
import { count, moment, percent, size, span } from './amounts.ts';
import { edgarDaysSection } from './edgar-days.ts';
import type { FailureFigures, LakeReport } from './figures.ts';
import { heatMap } from './heat-map.ts';
import { STYLE } from './style.ts';

/** The whole page. All values from the lake are escaped as text. */
export function reportPage(report: LakeReport): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${titleOf(report)}, version ${report.version}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${heading(report)}
${coverage(report)}
${years(report)}
${fiscalYears(report)}
${companies(report)}
${edgarDaysSection(report.edgar_days)}
${failures(report)}
${tables(report)}
${runs(report)}
</main>
</body>
</html>
`.text;
}

/** A folder is often named `lake`, or `my-lake`. */
function titleOf({ name }: LakeReport): string {
  return /\blake\b/i.test(name) ? name : `Lake ${name}`;
}

function heading(report: LakeReport): Html {
  const { version, committed_at, made_at, filings, rows, bytes, parts, first_filing, last_filing } = report;
  const state =
    version < 0
      ? html`Nothing was committed yet.`
      : html`Version ${version}, committed ${moment(committed_at)}. This page was made ${moment(made_at)}.`;
  const facts: [string, string][] = [
    ['filings', count(filings)],
    ['rows in all tables', count(rows)],
    ['Parquet', size(bytes)],
    ['parts', count(parts)],
    ['first filing', first_filing ?? '–'],
    ['last filing', last_filing ?? '–'],
  ];
  return html`<header><h1>${titleOf(report)}</h1><p class="soft">${state}</p>
<dl class="facts">${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl></header>`;
}

function coverage(report: LakeReport): Html {
  const { coverage: figures, windows, expected, found } = report;
  const { sum, unit, unproven } = figures;
  const expectedText = expected === null ? 'an unknown number of filings' : counted(expected, 'filing');
  return html`<section><h2>Filings by form and ${unit}</h2>
<p>A cell holds the number of filings of a form that were filed in a ${unit} and are in the lake. Its colour says how many of them are
<em>whole</em>: each step that an export planned for it is done, or known to be absent, and none failed. Steps that don’t apply to a filing
don’t count. ${count(sum.whole)} of ${counted(sum.filings, 'filing is', 'filings are')} whole (${percent(sum.whole, sum.filings)}).</p>
<p class="key"><span><i style="background:var(--high)"></i>all whole</span><span><i style="background:var(--low)"></i>none whole</span><span><i style="outline:1px dashed var(--ink)"></i>some are not whole</span><span><i style="box-shadow:inset 0 -3px 0 var(--bad);background:var(--card)"></i>a step failed</span>${
    unproven.some(Boolean) && html`<span><i style="border-bottom:2px solid var(--bad)"></i>not proven complete</span>`
  }</p>
${heatMap(figures)}
${
  report.older_revisions.filings > 0 &&
  html`<p>${counted(report.older_revisions.filings, 'filing')} changed since parts of them were fetched. An export that needs these parts fetches them again.</p>`
}
${sentencesOfWithout(report.without).map((sentence) => html`<p>${sentence}.</p>`)}
<h3>Expected and found</h3>
${
  windows.windows === 0
    ? html`<p class="none">No run that has ended read lookups into this lake. <code>filinglake status</code> shows runs that wait or are active.</p>`
    : html`<p>The newest completed run of each export read its lookups in ${counted(windows.windows, 'window')}. Their service counted ${expectedText}; ${counted(found, 'was', 'were')}
found; a filing counts in each window that it is in. ${
        windows.unproven.length === 0
          ? 'Every window was proven complete.'
          : `${counted(windows.unproven.length, 'window was', 'windows were')} not proven complete:`
      }</p>${windows.unproven.length > 0 && unprovenTable(report)}`
}</section>`;
}

/** What the lake has, and lacks, of each year. */
function years({ years: all }: LakeReport): Html {
  const rows = all.map(
    ({ year, filings, companies, reports, with_sections }) =>
      html`<tr><td>${year || 'no date'}</td><td class="n">${count(companies)}</td><td class="n">${count(filings)}</td><td class="n">${count(reports)}</td><td class="n">${count(with_sections)}</td><td class="n">${count(reports - with_sections)}</td></tr>\n`,
  );
  if (rows.length === 0) return html``;
  return html`<section><h2>Companies and reports by year</h2>
<p>Reports are Forms 10-K, 10-Q, 20-F and 40-F, with amendments.</p>
${list(['year', '#companies', '#filings', '#reports', '#with sections', '#without'], rows, rows.length)}</section>`;
}

function fiscalYears({ fiscal_years: all }: LakeReport): Html {
  const rows = all.map(
    ({ fiscal_year, companies, with_statements, skipped, quarters, quarters_with_statements }) =>
      html`<tr><td>${fiscal_year}</td><td class="n">${count(companies)}</td><td class="n">${count(with_statements)}</td><td class="n">${count(companies - with_statements)}</td><td class="n">${count(skipped)}</td><td class="n">${count(quarters)}</td><td class="n">${count(quarters - quarters_with_statements)}</td></tr>\n`,
  );
  if (rows.length === 0) return html``;
  return html`<section><h2>Statements by fiscal year</h2>
<p>Companies with an annual report (Forms 10-K, 20-F and 40-F) of a fiscal year, by the calendar year in which it ends. A company is skipped in a year if the lake has annual reports of it before and after, and none of that year. A quarter is one of a company with a report on Form 10-Q, by the year of its end.</p>
${list(['fiscal year', '#companies', '#with statements', '#without', '#skipped', '#quarters', '#without'], rows, rows.length)}</section>`;
}

function companies({ companies: most, companies_in_all }: LakeReport): Html {
  const rows = most.map(
    ({ cik, name, filings, first, last, reports, with_sections }) =>
      html`<tr><td>${name ?? '–'}</td><td>${cik}</td><td class="n">${count(filings)}</td><td class="w">${first}</td><td class="w">${last}</td><td class="n">${count(reports)}</td><td class="n">${count(with_sections)}</td><td class="n">${count(reports - with_sections)}</td></tr>\n`,
  );
  if (rows.length === 0) return html``;
  const heads = ['company', 'CIK', '#filings', 'first', 'last', '#reports', '#with sections', '#without'];
  return html`<section><h2>Companies</h2>
<p>Each company under the name of its newest filing, most filings first.</p>
<details><summary>${counted(companies_in_all, 'company', 'companies')}</summary>
${list(heads, rows, companies_in_all)}</details></section>`;
}

const UNPROVEN_MAX = 50;

function unprovenTable({ windows: { unproven } }: LakeReport): Html {
  const rows = unproven
    .slice(0, UNPROVEN_MAX)
    .map(
      (one) =>
        html`<tr><td>${one.export ?? '–'}</td><td>${one.window}</td><td class="w">${one.run_id}</td><td class="n">${one.expected === null ? '–' : count(one.expected)}</td><td class="n">${count(one.found)}</td></tr>\n`,
    );
  return list(['export', 'window', 'run', '#expected', '#found'], rows, unproven.length);
}

function failures({ failures: kinds, failures_in_all }: LakeReport): Html {
  const shown = kinds.reduce((sum, { failures: n }) => sum + n, 0);
  const body =
    kinds.length === 0
      ? html`<p class="none">There are no failures.</p>`
      : html`<p>${counted(failures_in_all, 'request')} failed, and ${failures_in_all === 1 ? 'is' : 'are'} recorded. The next run of the export tries again${kinds.some(({ code }) => isKept(code)) && html`, except values that can’t be stored`}.</p>
${list(['what happened', 'requested', 'export', '#failures', 'last', 'of, and why'], kinds.map(failureRow), kinds.length)}${
  shown < failures_in_all &&
  html`<p class="soft">${count(failures_in_all - shown)} more, of rarer kinds, are not listed.</p>`
}`;
  return html`<section><h2>Failures</h2>${body}</section>`;
}

function failureRow({ code, operation, export: name, failures: n, last_at, examples }: FailureFigures): Html {
  const shown = examples.map(({ subject, message }) => html` <code>${subject}</code> ${message}`);
  return html`<tr><td>${happenedWords(code) ?? ''} <code>${code}</code></td><td>${askedWord(operation)}</td><td>${name}</td><td class="n">${count(n)}</td><td class="w">${moment(last_at)}</td><td>${shown}</td></tr>\n`;
}

function tables({ tables: all, superseded }: LakeReport): Html {
  const most = Math.max(1, ...all.map(({ bytes }) => bytes));
  const empty = all.filter(({ rows }) => rows === 0).map(({ table }) => table);
  const filled = all.filter(({ rows }) => rows > 0);
  const rows = filled.map(
    ({ table, rows, bytes, parts }) =>
      html`<tr><td>${table}</td><td class="n">${count(rows)}</td><td class="n">${size(bytes)}</td><td class="n">${count(parts)}</td><td class="bars">${bytes > 0 && html`<span class="bar" style="width:${((100 * bytes) / most).toFixed(1)}%"></span>`}</td></tr>\n`,
  );
  return html`<section><h2>Tables</h2>${list(['table', '#rows', '#Parquet', '#parts', ''], rows, rows.length)}${
    empty.length > 0 &&
    html`<details><summary>${counted(empty.length, 'table')} without rows</summary><p>${empty.join(', ')}</p></details>`
  }${
    superseded.files > 0 &&
    html`<p>No version of the last 7 days needs ${counted(superseded.files, 'file', 'files')} of the lake: ${size(superseded.bytes)}. <code>filinglake lake vacuum</code> deletes such files. Nothing is deleted automatically.</p>`
  }</section>`;
}

function runs({ runs: newest, runs_in_all }: LakeReport): Html {
  const body =
    newest.length === 0
      ? html`<p class="none">No run has ended yet.</p>`
      : list(
          ['export', 'state', 'began', '#took', '#requests', '#received', '#budget'],
          newest.map(
            (run) =>
              html`<tr><td title="${run.run_id}, ${run.service}">${run.export}</td><td class="state-${run.state.replace(/\W/g, '')}">${run.state}</td><td class="w">${moment(run.started_at)}</td><td class="n">${span(run.started_at, run.ended_at)}</td><td class="n">${count(run.requests)}</td><td class="n">${size(run.bytes)}</td><td class="n">${budget(run)}</td></tr>\n`,
          ),
          runs_in_all,
        );
  return html`<section><h2>Runs</h2>${body}</section>`;
}

function budget({ max_requests, max_bytes }: LakeReport['runs'][number]): string {
  const limits = [
    ...(max_requests === null ? [] : [counted(max_requests, 'request')]),
    ...(max_bytes === null ? [] : [size(max_bytes)]),
  ];
  return limits.length === 0 ? '–' : limits.join(', ');
}

/** A table; a head with # is of a column of numbers. @param all the number of rows, including those not shown */
function list(heads: readonly string[], rows: readonly Html[], all: number): Html {
  const row = heads.map((head) =>
    head.startsWith('#') ? html`<th scope="col" class="n">${head.slice(1)}</th>` : html`<th scope="col">${head}</th>`,
  );
  return html`<div class="scroll"><table class="list"><thead><tr>${row}</tr></thead><tbody>
${rows}</tbody></table></div>${rows.length < all && html`<p class="soft">${count(all - rows.length)} more are not listed.</p>`}`;
}

/** The requested step, with the words of a plan and a run's state. */
const ASKED: Readonly<Record<string, string>> = {
  filing_lookup: 'lookup',
  filing_info: 'filing_info',
  filing_sections: 'sections',
  document: 'documents',
  entity_lookup: 'entities',
  hit: 'fulltext_search',
  days: 'coverage',
};

const HAPPENED: Readonly<Record<string, string>> = {
  'contract-broken': 'the answer did not match the published format',
  'value-unstorable': 'a value can’t be stored; the rest of the record is',
  'record-not-found': 'the service has no such record',
  'entity-not-found': 'the service has no such entity',
  'record-unprocessable': 'the service can’t convert it',
  'request-refused': 'the service refused the request',
  'service-failed': 'the service had a fault',
  'service-unreachable': 'no complete answer came',
};

/** The word for an operation of the service; an unknown one stays unchanged. */
function askedWord(operation: string): string {
  return ASKED[operation] ?? operation;
}

/** The meaning of a failure's code; null: see its message. */
function happenedWords(code: string): string | null {
  return HAPPENED[code] ?? null;
}

/** Whether a new request can't succeed while the record stays the same. */
function isKept(code: string): boolean {
  return code === 'value-unstorable';
}
