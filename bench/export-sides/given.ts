/** What both sides of the export benchmark are given, and how each measures itself. */
export interface Given {
  url: string;
  api_key: string;
  connections: number;
  spool: string;
  lake: string;
  home: string;
}

export const given = JSON.parse(process.argv[2]!) as Given;

/** Runs the work and reports to the parent. @param work gives the requests it sent and the CPU seconds of other processes */
export async function report(work: () => Promise<{ requests: number; others_cpu_seconds: number }>): Promise<void> {
  const startedAt = performance.now();
  const { requests, others_cpu_seconds } = await work();
  const { user, system } = process.cpuUsage();
  process.send!({
    wall_seconds: (performance.now() - startedAt) / 1000,
    // From the process's start: loading code is part of what a command costs.
    cpu_seconds: (user + system) / 1e6 + others_cpu_seconds,
    rss_mb: process.resourceUsage().maxRSS / 1000,
    requests,
  });
  process.disconnect!();
}
