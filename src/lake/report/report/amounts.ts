/** Numbers for people. */
export { formatBytes as size, formatCount as count } from '../../../core/index.ts';

/** 3, 412, 1.2k, 45k, 3.1M: fits a cell of a table with many columns. */
export function shortCount(n: number): string {
  if (n < 1000) return String(n);
  const [value, unit] = n < 999_500 ? [n / 1e3, 'k'] : n < 999_500_000 ? [n / 1e6, 'M'] : [n / 1e9, 'G'];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** Never 100 % if something is missing, nor 0 % if something exists. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const share = (100 * part) / whole;
  if (part === whole) return '100 %';
  if (share > 99.9) return '> 99.9 %';
  return part > 0 && share < 0.1 ? '< 0.1 %' : `${share.toFixed(share > 99 || share < 1 ? 1 : 0)} %`;
}

/** 2026-11-21T10:44:10.886Z → 2026-11-21 10:44 UTC */
export function moment(iso: string | null): string {
  return iso === null ? '–' : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

export function span(fromIso: string | null, toIso: string | null): string {
  if (fromIso === null || toIso === null) return '–';
  const seconds = Math.max(0, (Date.parse(toIso) - Date.parse(fromIso)) / 1000);
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
