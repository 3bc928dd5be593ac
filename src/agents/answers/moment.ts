/** `as_of`: a moment in Eastern time, as EDGAR states acceptance. A day alone means its beginning. */
import { FilinglakeError } from '../../core/index.ts';
import { isCalendarDate } from '../../filings/api/index.ts';

/** `YYYY-MM-DDThh:mm:ss`, Eastern time: comparable with an acceptance time as text. */
export type Moment = string;

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?)?$/;

/** @throws FilinglakeError `tool-input-invalid` */
export function readMoment(text: string): Moment {
  const found = MOMENT.exec(text.trim());
  const [, day, time = '00:00', seconds = '00'] = found ?? [];
  if (day !== undefined && isCalendarDate(day) && /^([01]\d|2[0-3]):[0-5]\d$/.test(time) && seconds < '60')
    return `${day}T${time}:${seconds}`;
  throw new FilinglakeError('tool-input-invalid', `as_of "${text.slice(0, 40)}" is not a moment`, {
    remedy: 'Give Eastern time without a zone: 2024-03-01 (its beginning) or 2024-03-01T16:00.',
  });
}
