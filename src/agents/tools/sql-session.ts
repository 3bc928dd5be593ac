/** Statements over a lake, as the tools need them. */
import type { SandboxAnswer } from '../../lake/index.ts';
import type { Json } from '../answers/json-text.ts';

export interface Sandbox {
  /** Version of the kept results; null: nothing is kept. */
  readonly keptVersion: number | null;
  run(
    sql: string,
    options: { readonly version: number; readonly keepAs: string | null; readonly signal: AbortSignal },
  ): Promise<SandboxAnswer>;
}

/** Rows as objects, by the names of their columns. Whole numbers beyond 2^53 stay exact. */
export function rowsOf({ columns, rows }: SandboxAnswer, from: number): Json[] {
  return rows.slice(from).map((row) => {
    const cells = JSON.parse(row, (_, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && /^-?\d{16,}$/.test(context?.source ?? '') ? BigInt(context!.source!) : value,
    ) as Json[];
    return Object.fromEntries(columns.map(({ name }, i) => [name, cells[i] ?? null]));
  });
}
