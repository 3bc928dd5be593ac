/** Times of acceptance in SEC's submissions JSON, as Eastern time. The file does not say which zone its times are of. */
import { type AccessionNumber, easternTime } from '../../api/index.ts';
import type { SubmissionsJson } from './submissions-json.ts';

const AS_GIVEN = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2})(?:\.\d+)?Z$/;
/** Fewer could be filings that EDGAR took outside its hours. */
const SIGNS_MIN = 2;
/** One sign of the other zone is allowed for this many. */
const SIGNS_AGAINST = 20;

/**
 * `YYYY-MM-DDThh:mm:ss`, Eastern time, of each filing that has a time.
 *
 * SEC ends every time with `Z`. In some files it is UTC, in others Eastern time: it depends on the day of the download. EDGAR
 * accepts filings from 6:00 to 22:00, so a file that has mornings before 10:00 is Eastern, and one that has hours after 22:30 is
 * UTC. A file that shows neither gives no times. Midnight stands for a header without a time.
 */
export function acceptanceTimes({ filings }: SubmissionsJson): Map<AccessionNumber, string> {
  const given = filings.flatMap(({ accessionNumber, acceptanceAsGiven }) => {
    const match = AS_GIVEN.exec(acceptanceAsGiven ?? '');
    return match === null ? [] : [{ accessionNumber, day: match[1]!, minute: match[2]!, second: match[3]! }];
  });
  const eastern = given.filter(({ minute }) => minute >= '06:00' && minute < '09:55').length;
  // SEC's own notices appear at 0:15 Eastern time: they tell nothing.
  const utc = given.filter(({ minute }) => minute >= '22:30' || (minute >= '00:20' && minute < '03:00')).length;
  const isUtc = utc >= SIGNS_MIN && eastern * SIGNS_AGAINST <= utc;
  const isEastern = eastern >= SIGNS_MIN && utc * SIGNS_AGAINST <= eastern;
  const times = new Map<AccessionNumber, string>();
  if (!isUtc && !isEastern) return times;
  for (const { accessionNumber, day, minute, second } of given) {
    const written = `${day}T${minute}${second}`;
    const at = isUtc ? easternTime(Date.parse(`${written}Z`)) : written;
    if (!at.endsWith('T00:00:00')) times.set(accessionNumber, at);
  }
  return times;
}
