/** What a lake's sandbox and its process say to each other. */

export interface SandboxOptions {
  /** Folder or URL of the lake. */
  readonly place: string;
  readonly version: number;
  readonly memoryBytes: number;
  readonly threads: number;
  /** Resident memory at which the process ends itself: DuckDB's own limit does not cover everything. */
  readonly residentBytesMax: number;
}

export interface SandboxQuestion {
  readonly id: number;
  readonly sql: string;
  readonly rowsMax: number;
  readonly charactersMax: number;
  readonly timeMs: number;
  /** Keeps the rows as table `kept.NAME`. */
  readonly keepAs: string | null;
}

export type ToSandbox =
  | { readonly kind: 'open'; readonly options: SandboxOptions }
  | ({ readonly kind: 'ask' } & SandboxQuestion);

export type FromSandbox =
  | { readonly kind: 'opened' }
  | {
      readonly kind: 'rows';
      readonly id: number;
      readonly columns: { name: string; type: string }[];
      readonly rows: string[];
    }
  | {
      readonly kind: 'failed';
      readonly id: number | null;
      readonly code: string;
      readonly message: string;
      readonly remedy: string;
    };
