/** The findings of an examination of this machine. */

export interface Check {
  /** `node`, `temporal`, `key` … */
  name: string;
  /** `missing`: no export can run without it. `warning`: exports run, but something else doesn't, or not for long. */
  state: 'ok' | 'warning' | 'missing';
  /** The finding: what exists, or what is wrong. */
  found: string;
  /** The remedy, one or more sentences in the imperative; null if none is needed. */
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
