/** Checks the times of a schedule before Temporal is started. Temporal refuses what is still wrong. */
import { FilinglakeError } from '../../../core/index.ts';

export const TIMES_REMEDY =
  'Give minute, hour, day of month, month and day of week, as in "0 6 * * 1-5", or a word such as @daily.';

/** @throws FilinglakeError `schedule-invalid` (exit 2): a malformed cron expression, or an unknown time zone */
export function checkTimes(cron: readonly string[], timeZone: string): void {
  for (const expression of cron) {
    if (hasShape(expression)) continue;
    throw new FilinglakeError('schedule-invalid', `'${expression}' is not a cron expression`, { remedy: TIMES_REMEDY });
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (cause) {
    throw new FilinglakeError('schedule-invalid', `--time-zone must be the name of a time zone, not "${timeZone}"`, {
      remedy: 'Name a zone such as America/New_York or UTC.',
      cause,
    });
  }
}

/** Temporal reads five to seven fields, or a word with `@`; a zone may come before them and a comment after them. */
function hasShape(expression: string): boolean {
  const times = expression
    .replace(/^\s*(?:CRON_)?TZ=\S+\s/, '')
    .replace(/#.*$/, '')
    .trim();
  if (times.startsWith('@')) return true;
  const fields = times.split(/\s+/);
  return fields.length >= 5 && fields.length <= 7 && fields.every((field) => /^[\d*?/,A-Za-z-]+$/.test(field));
}
