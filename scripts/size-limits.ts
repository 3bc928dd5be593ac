/** Lines that a wing may have. */
export interface Limit {
  readonly source: number;
  readonly tests: number;
  /** Why a number was raised: what the new lines replace. */
  readonly because?: string;
}

export const LIMITS: Readonly<Record<string, Limit>> = {
  core: { source: 0, tests: 0 },
  filings: { source: 0, tests: 0 },
  lake: { source: 0, tests: 0 },
  service: { source: 0, tests: 0 },
  export: { source: 0, tests: 0 },
  agents: { source: 0, tests: 0 },
  library: { source: 0, tests: 0 },
  cli: { source: 0, tests: 0 },
};
