/** A worker thread's file beside this one: `.ts` in a checkout, where Node strips types itself, `.js` in the published package. */

/** @param stem path of the file from this folder, without extension */
export function threadFile(stem: string): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`../${stem}.${extension}`, import.meta.url);
}
