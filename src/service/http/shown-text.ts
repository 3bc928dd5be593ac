/** Text of a request for logs and error messages, without keys, even if the address is misspelt. */

/** Keys as `keys create` makes them. Everything after the first letters is removed. */
const KEY = /fl_[A-Za-z0-9]{8,}/gi;
const SHOWN_PATH_MAX = 100;

export function maskKeys(text: string): string {
  return text.replace(KEY, 'fl_…');
}

/**
 * The path of a request's URL, cut at the first character that no path of the service has: `?`, or the `&`, `;` or `%3F` that people
 * write for it. It is also cut at anything that begins like a key.
 */
export function shownPath(url: string): string {
  const end = url.search(/[^A-Za-z0-9/._~-]|fl_/i);
  return (end < 0 ? url : url.slice(0, end)).slice(0, SHOWN_PATH_MAX);
}

/** An error for the log, without what could be a key. */
export function loggedError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(maskKeys(String(error)));
  const shown = new Error(maskKeys(error.message));
  shown.name = error.name;
  if (error.stack !== undefined) shown.stack = maskKeys(error.stack);
  return shown;
}
