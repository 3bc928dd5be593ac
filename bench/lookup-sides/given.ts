/** The input of the sides of the lookup benchmark, and their reports. */
export interface Given {
  url: string;
  /** Number of filings. */
  filings: number;
  page_size: number;
  /** Whether the documents that the lookup names are wanted, as a separate table. */
  documents: boolean;
  /** Folder for the side's files. */
  folder: string;
  /** FILINGLAKE_HOME of a Temporal that runs already. */
  home: string;
  /** Process of its server. */
  temporal: number;
  /** The library as it is published: a file. */
  program: string;
}

export interface Measured {
  rows: number;
  requests: number;
  wall_seconds: number;
  /** Of all its processes. */
  cpu_seconds: number;
  rss_mb: number;
}

/** Runs the work and reports to the parent. Clock and CPU start with the process. */
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
