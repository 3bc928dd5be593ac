/** EDGAR's times are Eastern, and name no zone. */
const EASTERN = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** `YYYY-MM-DDThh:mm:ss`, Eastern. @param ms since 1970 */
export function easternTime(ms: number): string {
  return EASTERN.format(ms).replace(' ', 'T');
}
