/**
 * The table of forms by months: the number of filings, with a colour for the share of complete ones. The newest month comes first,
 * since the last columns of a long history are out of sight.
 */
import { type Html, html } from '../../../core/index.ts';
import { count, percent, shortCount } from './amounts.ts';
import type { CoverageCell, CoverageFigures } from './coverage.ts';

export function heatMap(coverage: CoverageFigures): Html {
  const { columns, forms, unproven, sum, unit } = coverage;
  if (forms.length === 0) return html`<p class="none">There are no filings in this lake.</p>`;
  const heads = newestFirst(
    columns.map((column, i) => html`<th scope="col"${unproven[i] ? mark : ''}>${headOf(column, columns[i + 1])}</th>`),
  );
  const rows = forms.map(
    ({ form, other, cells, sum: all }) =>
      html`<tr><th scope="row">${other ? html`<em>${form}</em>` : form || '(none)'}</th>${cellOf(all, `${form || 'no form'}, in all`, 'sum')}${newestFirst(cells.map((cell, i) => cellOf(cell, `${form || 'no form'}, ${columns[i]}`)))}</tr>\n`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Filings by form and ${unit}"><table class="heat"><thead><tr><th scope="col">form</th><th scope="col">all</th>${heads}</tr></thead><tbody>
${rows}</tbody><tfoot><tr><th scope="row">all forms</th>${cellOf(sum, 'all forms, in all', 'sum')}${newestFirst(columns.map((column, i) => cellOf(columnSum(coverage, i), `all forms, ${column}`, 'sum')))}</tr></tfoot></table></div>`;
}

const mark = html` class="unproven" title="a window that was not proven complete reaches into it"`;

function newestFirst(cells: readonly Html[]): Html[] {
  return [...cells].reverse();
}

/** The year is above the first column of its months. @param before the column on its left */
function headOf(column: string, before: string | undefined): Html {
  const [year, month] = column.split('-');
  if (month === undefined) return html`${column}`;
  const turns = before === undefined || !before.startsWith(year!);
  return html`<span>${turns ? year! : ''}</span>${month}`;
}

function cellOf(cell: CoverageCell | null, name: string, kind: '' | 'sum' = ''): Html {
  if (cell === null || cell.filings === 0) return html`<td${kind === '' ? '' : html` class="${kind}"`}></td>`;
  const { filings, whole, failed } = cell;
  const share = Math.floor((100 * whole) / filings);
  const failures = failed > 0 ? `, ${count(failed)} with a failed step` : '';
  const title = `${name}: ${count(filings)} ${filings === 1 ? 'filing' : 'filings'}, ${count(whole)} whole (${percent(whole, filings)})${failures}`;
  const classes = [kind, whole < filings ? 'part' : '', failed > 0 ? 'failed' : '']
    .filter((one) => one !== '')
    .join(' ');
  return html`<td${classes === '' ? '' : html` class="${classes}"`} style="--p:${share}%" title="${title}">${shortCount(filings)}</td>`;
}

function columnSum({ forms }: CoverageFigures, column: number): CoverageCell {
  const sum: CoverageCell = { filings: 0, whole: 0, failed: 0 };
  for (const { cells } of forms) {
    sum.filings += cells[column]?.filings ?? 0;
    sum.whole += cells[column]?.whole ?? 0;
    sum.failed += cells[column]?.failed ?? 0;
  }
  return sum;
}
