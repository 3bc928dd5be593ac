/** What an examination of this machine finds, one thing at a time. */

export interface Check {
  /** `node`, `temporal`, `key` … */
  name: string;
  /** `missing`: no export runs without it. `warning`: exports run, something else doesn't, or not for long. */
  state: 'ok' | 'warning' | 'missing';
  /** What is there, or what is wrong. */
  found: string;
  /** What to do about it; null where nothing need be done. */
  remedy: string | null;
}

export function ok(name: string, found: string): Check {
  return { name, state: 'ok', found, remedy: null };
}

export function warning(name: string, found: string, remedy: string): Check {
  return { name, state: 'warning', found, remedy };
}

export function missing(name: string, found: string, remedy: string): Check {
  return { name, state: 'missing', found, remedy };
}
