/** Days of EDGAR that each service had, as a calendar: a row a month, a cell a day of publication. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { counted, type Html, html } from '../../../core/index.ts';
import { rowsOf } from '../../engine/duckdb.ts';
import { count, moment, percent } from './amounts.ts';

interface DayFigures {
  /** `YYYY-MM-DD` */
  day: string;
  /** null: the day's index was not read */
  expected: number | null;
  in_catalog: number;
  missing: number;
  proven: boolean;
}

export interface DaysOfService {
  service: string;
  read_at: string;
  days: number;
  proven: number;
  first: string;
  last: string;
  /** Filings of all days */
  expected: number;
  in_catalog: number;
  missing: number;
  /** The newest months, oldest first: their days */
  newest: DayFigures[];
  /** Not proven, newest first; a hundred at most */
  unproven: DayFigures[];
}

const MONTHS_MAX = 36;
const UNPROVEN_MAX = 100;

/** @param connection with a view of `edgar_days` */
export async function edgarDayFigures(connection: DuckDBConnection): Promise<DaysOfService[]> {
  const services = await rowsOf<Omit<DaysOfService, 'newest' | 'unproven'>>(
    connection,
    `SELECT service, max(read_at)::VARCHAR AS read_at, count(*)::DOUBLE AS days, count(proven_at)::DOUBLE AS proven, min(day)::VARCHAR AS first,
       max(day)::VARCHAR AS last, coalesce(sum(expected), 0)::DOUBLE AS expected, sum(in_catalog)::DOUBLE AS in_catalog, sum(missing)::DOUBLE AS missing
     FROM edgar_days GROUP BY service ORDER BY service`,
  );
  const days = await rowsOf<DayFigures & { service: string }>(
    connection,
    `SELECT service, day::VARCHAR AS day, expected::DOUBLE AS expected, in_catalog::DOUBLE AS in_catalog, missing::DOUBLE AS missing, proven_at IS NOT NULL AS proven
     FROM edgar_days ORDER BY service, day`,
  );
  return services.map((sums) => {
    const ofService = days.filter(({ service }) => service === sums.service);
    const months = [...new Set(ofService.map(({ day }) => day.slice(0, 7)))].slice(-MONTHS_MAX);
    return {
      ...sums,
      newest: ofService.filter(({ day }) => day.slice(0, 7) >= months[0]!),
      unproven: ofService
        .filter(({ proven }) => !proven)
        .slice(-UNPROVEN_MAX)
        .reverse(),
    };
  });
}

/** The section of the page; nothing if no export has the table. */
export function edgarDaysSection(services: readonly DaysOfService[]): Html | false {
  if (services.length === 0) return false;
  return html`<section><h2>Days of EDGAR</h2>
<p>Was the source complete? Each cell is a day on which EDGAR published. Its number is the number of filings that EDGAR’s index of the day
names. Its colour says how many of them the service had when the newest run began.</p>
<p class="key"><span><i style="background:var(--high)"></i>proven: all</span><span><i style="background:var(--low)"></i>none</span><span><i style="outline:1px dashed var(--ink)"></i>some are missing</span><span><i style="box-shadow:inset 0 -3px 0 var(--bad);background:var(--card)"></i>the index can’t be read</span></p>
${services.map(ofService)}</section>`;
}

function ofService(figures: DaysOfService): Html {
  const { service, read_at, days, proven, first, last, expected, in_catalog, missing, newest, unproven } = figures;
  const shownFrom = newest[0]?.day ?? first;
  return html`<h3>${service}</h3>
<p>${counted(days, 'day')} from ${first} to ${last}: ${count(proven)} proven (${percent(proven, days)}). Expected ${counted(expected, 'filing')}, in its catalog ${count(in_catalog)}, missing ${count(missing)}. Read ${moment(read_at)}.${
    shownFrom.slice(0, 7) > first.slice(0, 7) && ` Days before ${shownFrom.slice(0, 7)} are not drawn.`
  }</p>
${newest.length > 1 && calendar(newest)}
${
  unproven.length > 0 &&
  html`<details><summary>Days that are not proven</summary><div class="scroll"><table class="list"><thead><tr><th scope="col">day</th><th scope="col" class="n">expected</th><th scope="col" class="n">in its catalog</th><th scope="col" class="n">missing</th></tr></thead><tbody>
${unproven.map((one) => html`<tr><td class="w">${one.day}</td><td class="n">${one.expected === null ? 'index not read' : count(one.expected)}</td><td class="n">${count(one.in_catalog)}</td><td class="n">${count(one.missing)}</td></tr>\n`)}</tbody></table></div>${
    days - proven > unproven.length &&
    html`<p class="soft">${count(days - proven - unproven.length)} more are not listed.</p>`
  }</details>`
}`;
}

function calendar(days: readonly DayFigures[]): Html {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const months = [...new Set(days.map(({ day }) => day.slice(0, 7)))];
  const numbers = Array.from({ length: 31 }, (_, n) => String(n + 1).padStart(2, '0'));
  const rows = months.map(
    (month) =>
      html`<tr><th scope="row">${month}</th>${numbers.map((number) => cell(byDay.get(`${month}-${number}`)))}</tr>\n`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Days of EDGAR"><table class="heat"><thead><tr><th scope="col">month</th>${numbers.map((number) => html`<th scope="col">${number}</th>`)}</tr></thead><tbody>
${rows}</tbody></table></div>`;
}

function cell(day: DayFigures | undefined): Html {
  if (day === undefined) return html`<td></td>`;
  if (day.expected === null)
    return html`<td class="failed" style="--p:0%" title="${day.day}: the index can’t be read">?</td>`;
  const share = day.expected === 0 ? 100 : Math.floor((100 * (day.expected - day.missing)) / day.expected);
  const state = day.proven ? 'proven' : `${count(day.missing)} missing`;
  const title = `${day.day}: ${count(day.expected)} expected, ${count(day.in_catalog)} in the catalog, ${state}`;
  return html`<td${day.proven ? '' : html` class="part"`} style="--p:${share}%" title="${title}">${count(day.expected)}</td>`;
}
