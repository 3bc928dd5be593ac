/** EDGAR's times are Eastern, and name no zone. Made when it is needed: that takes 10 ms, and most commands and threads need none. */
let eastern: Intl.DateTimeFormat | null = null;

/** `YYYY-MM-DDThh:mm:ss`, Eastern. @param ms since 1970 */
export function easternTime(ms: number): string {
  eastern ??= new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/New_York',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return eastern.format(ms).replace(' ', 'T');
}
