/** The input of the sides of the export benchmark, their report, and how each measures itself. */
import { parseExportDefinition } from '../../src/export/definition/parse.ts';
import type { ExportDefinition } from '../../src/export/index.ts';

export interface Given {
  url: string;
  api_key: string;
  connections: number;
  spool: string;
  lake: string;
  home: string;
}

/** The report of one side. */
export interface Side {
  wall_seconds: number;
  /** Of its own process, from its start on: loading code is part of a command's cost. */
  cpu_seconds: number;
  /** Of the Temporal server meanwhile. */
  temporal_cpu_seconds: number;
  rss_mb: number;
  requests: number;
  /** Rows fetched: filings, sections with text, documents, entities. Only with equal numbers did both sides do the same. */
  rows: Rows;
}

export interface Rows {
  filings: number;
  sections: number;
  documents: number;
  entities: number;
}

export const NO_ROWS: Rows = { filings: 0, sections: 0, documents: 0, entities: 0 };

export const given = JSON.parse(process.argv[2]!) as Given;

/** What both sides fetch. */
export function definitionOf({ url, connections }: Given): ExportDefinition {
  const yaml = `name: bench
service: { base_url: ${url}, connections: ${connections} }
select: {}
tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]`;
  return parseExportDefinition(yaml, 'bench.yaml', {}).definition;
}

/** Runs the work and reports to the parent. The clock starts with the process, like the CPU's. */
export async function report(
  work: () => Promise<Pick<Side, 'requests' | 'rows'> & { temporal_cpu_seconds?: number }>,
): Promise<void> {
  const done = await work();
  const { user, system } = process.cpuUsage();
  const side: Side = {
    temporal_cpu_seconds: 0,
    ...done,
    wall_seconds: performance.now() / 1000,
    cpu_seconds: (user + system) / 1e6,
    rss_mb: process.resourceUsage().maxRSS / 1000,
  };
  process.send!(side);
  process.disconnect!();
}
