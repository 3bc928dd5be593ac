/** What the sides of the lookup benchmark are given, and what each says of itself. */
export interface Given {
  url: string;
  /** How many there are. */
  filings: number;
  page_size: number;
  /** Whether the documents that the lookup names are wanted, as a table of their own. */
  documents: boolean;
  /** Where the side may write. */
  folder: string;
  /** FILINGLAKE_HOME of a Temporal that runs already. */
  home: string;
}

export interface Measured {
  rows: number;
  requests: number;
  wall_seconds: number;
  /** Of all its processes. */
  cpu_seconds: number;
  rss_mb: number;
}

/** Runs the work and tells the parent. Clock and CPU run from the process's start. */
export async function report(
  work: (given: Given) => Promise<{ rows: number; requests: number; otherCpuSeconds?: number }>,
): Promise<void> {
  const { rows, requests, otherCpuSeconds = 0 } = await work(JSON.parse(process.argv[2]!) as Given);
  const { user, system } = process.cpuUsage();
  const measured: Measured = {
    rows,
    requests,
    wall_seconds: performance.now() / 1000,
    cpu_seconds: (user + system) / 1e6 + otherCpuSeconds,
    rss_mb: process.resourceUsage().maxRSS / 1000,
  };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}
