/** Charts as SVG, drawn here: steps for each series, its points with their numbers as titles. */
import { type Html, html } from './html.ts';

interface Point {
  x: number;
  y: number;
  /** The tooltip of the point. */
  title: string;
}

export interface Series {
  name: string;
  points: readonly Point[];
  /** Until where the last amount is valid; default: its point. */
  until?: number;
}

interface ChartOptions {
  /** Description for screen readers. */
  label: string;
  series: readonly Series[];
  /** Below the line, left and right. */
  ends: readonly [string, string];
  /** A number of the y axis as text. */
  amount: (y: number) => string;
  /** Ends of the x axis; default: those of the points. */
  xMax?: number;
  xMin?: number;
}

const WIDTH = 640;
const HEIGHT = 200;
const LEFT = 92;
const RIGHT = 12;
const TOP = 14;
const BOTTOM = 24;
/** With more points, dots hide the line. */
const DOTS_MAX = 62;

/** Amounts are valid until the next point: the line has steps, not slopes. */
export function stepChart({ label, series, ends, amount, xMax, xMin }: ChartOptions): Html {
  const points = series.flatMap((one) => one.points);
  const left = xMin ?? Math.min(...points.map(({ x }) => x));
  const right = xMax ?? Math.max(...points.map(({ x }) => x));
  const top = niceAbove(Math.max(1, ...points.map(({ y }) => y)));
  const at = ({ x, y }: Pick<Point, 'x' | 'y'>): [number, number] => [
    round(LEFT + (right === left ? 0.5 : (x - left) / (right - left)) * (WIDTH - LEFT - RIGHT)),
    round(TOP + (1 - y / top) * (HEIGHT - TOP - BOTTOM)),
  ];
  const base = HEIGHT - BOTTOM;
  const grid = [0, 0.5, 1].map((share) => {
    const [, y] = at({ x: left, y: share * top });
    return html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/><text class="axis" x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${amount(share * top)}</text>`;
  });
  const lines = series.map(({ points: ours, until }, i) => {
    const corners = stairs(ours, until).map((corner) => at(corner));
    const path = corners.map((corner) => corner.join(',')).join(' ');
    const [firstX, lastX] = [corners[0]?.[0] ?? LEFT, corners.at(-1)?.[0] ?? LEFT];
    const area =
      series.length === 1 && html`<polygon class="area" points="${firstX},${base} ${path} ${lastX},${base}"/>`;
    const dots =
      ours.length <= DOTS_MAX &&
      ours.map((point) => {
        const [x, y] = at(point);
        return html`<circle class="s${i % 4}" cx="${x}" cy="${y}" r="3"><title>${point.title}</title></circle>`;
      });
    return html`${area}<polyline class="s${i % 4}" points="${path}"/>${dots}`;
  });
  const legend =
    series.length > 1 &&
    html`<p class="legend">${series.map(({ name }, i) => html`<span><i class="s${i % 4}"></i>${name}</span> `)}</p>`;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}"><title>${label}</title>${grid}${lines}<text class="axis" x="${LEFT}" y="${HEIGHT - 6}">${ends[0]}</text><text class="axis" x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${ends[1]}</text></svg>${legend}`;
}

/** The corners of the steps, each level up to the next rise. */
function stairs(points: readonly Point[], until: number | undefined): Pick<Point, 'x' | 'y'>[] {
  const corners = points.flatMap((point, i) => {
    const before = points[i - 1];
    return before === undefined ? [point] : [{ x: point.x, y: before.y }, point];
  });
  const last = points.at(-1);
  return last !== undefined && until !== undefined && until > last.x ? [...corners, { x: until, y: last.y }] : corners;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}

/** 1, 2, 5, 10, 20 …: the next at or above, so that half of it is a round number too. */
function niceAbove(n: number): number {
  const power = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= n) ?? n;
}
