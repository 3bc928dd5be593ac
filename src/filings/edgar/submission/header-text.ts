/** Values in headers: text, dates and times. */
import { isCalendarDate } from '../../api/index.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** Corrects a value read as latin1: UTF-8 if it is entirely valid, else windows-1252 (EDGAR itself sends ASCII only). */
export function headerText(latin1: string): string {
  const value = latin1.trim();
  if (!/[\x80-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  try {
    return UTF8.decode(bytes);
  } catch {
    return WINDOWS_1252.decode(bytes);
  }
}

/** `20240131` as `2024-01-31`; null if there is no such day. */
export function headerDate(value: string): string | null {
  if (!/^\d{8}$/.test(value)) return null;
  const date = `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}`;
  return isCalendarDate(date) ? date : null;
}

/** `20240131163030` as `2024-01-31T16:30:30`, Eastern time as in EDGAR; null if there is no such time. */
export function headerDatetime(value: string): string | null {
  if (!/^\d{14}$/.test(value)) return null;
  const date = headerDate(value.slice(0, 8));
  const [hours, minutes, seconds] = [value.slice(8, 10), value.slice(10, 12), value.slice(12)];
  if (date === null || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return `${date}T${hours}:${minutes}:${seconds}`;
}
