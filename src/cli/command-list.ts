/** The commands of `filinglake`, in the order of its help. */
import type { Command } from 'commander';

interface CommandEntry {
  name: string;
  summary: string;
  /** Loaded only when called: a command that needs no DuckDB or Temporal doesn't load them. */
  load: () => Promise<{ command: () => Command }>;
}

export const COMMANDS: readonly CommandEntry[] = [
  { name: 'init', summary: 'Write an export definition to start from', load: () => import('./commands/init.ts') },
  {
    name: 'export',
    summary: 'Export filings from a /v2 service into a lake',
    load: () => import('./commands/export.ts'),
  },
  { name: 'plan', summary: 'Estimate an export: requests, bytes, time', load: () => import('./commands/plan.ts') },
  { name: 'doctor', summary: 'Check that exports can run here', load: () => import('./commands/doctor.ts') },
  { name: 'status', summary: 'Show the latest run of each export', load: () => import('./commands/status.ts') },
  { name: 'resume', summary: 'Continue a run', load: () => import('./commands/resume.ts') },
  { name: 'retry', summary: "Retry an export's failures", load: () => import('./commands/retry.ts') },
  { name: 'pause', summary: 'Pause a run', load: () => import('./commands/pause.ts') },
  { name: 'cancel', summary: 'Cancel a run', load: () => import('./commands/cancel.ts') },
  { name: 'schedule', summary: 'Run exports on a schedule', load: () => import('./commands/schedule.ts') },
  { name: 'worker', summary: 'Run a worker', load: () => import('./commands/worker.ts') },
  { name: 'up', summary: 'Keep Temporal and a worker running', load: () => import('./commands/up.ts') },
  {
    name: 'temporal',
    summary: 'Show the Temporal server, or run its own command',
    load: () => import('./commands/temporal.ts'),
  },
  { name: 'sql', summary: 'Query a lake with SQL', load: () => import('./commands/sql.ts') },
  {
    name: 'fundamentals',
    summary: 'Show values of a company, and why they are so',
    load: () => import('./commands/fundamentals.ts'),
  },
  {
    name: 'panel',
    summary: 'Write items of statements by company and period',
    load: () => import('./commands/panel.ts'),
  },
  {
    name: 'corpus',
    summary: 'Write the texts of sections as JSON Lines',
    load: () => import('./commands/corpus.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve tools for agents (Model Context Protocol)',
    load: () => import('./commands/mcp.ts'),
  },
  { name: 'schema', summary: 'List tables and columns', load: () => import('./commands/schema.ts') },
  { name: 'report', summary: 'Write an HTML report about a lake', load: () => import('./commands/report.ts') },
  { name: 'lake', summary: 'Verify, list, compact, clean or repair a lake', load: () => import('./commands/lake.ts') },
  {
    name: 'edgar',
    summary: 'Fetch filings from EDGAR, once or continuously',
    load: () => import('./commands/edgar.ts'),
  },
  { name: 'ingest', summary: 'Store EDGAR files in a catalog', load: () => import('./commands/ingest.ts') },
  { name: 'catalog', summary: 'Verify or copy a catalog', load: () => import('./commands/catalog.ts') },
  { name: 'serve', summary: 'Serve a catalog over HTTP', load: () => import('./commands/serve.ts') },
  { name: 'keys', summary: 'Manage the API keys of a service', load: () => import('./commands/keys.ts') },
  {
    name: 'accounts',
    summary: 'Manage the accounts of a service',
    load: () => import('./commands/accounts.ts'),
  },
  { name: 'sections', summary: 'Find sections and 8-K items in files', load: () => import('./commands/sections.ts') },
  { name: 'text', summary: 'Print the readable text of documents', load: () => import('./commands/text.ts') },
  {
    name: 'remap',
    summary: 'Make tables of forms from the documents in a lake',
    load: () => import('./commands/remap.ts'),
  },
  { name: 'map', summary: 'Print rows of structured forms from files', load: () => import('./commands/map.ts') },
  { name: 'sample', summary: 'Generate sample EDGAR files', load: () => import('./commands/sample.ts') },
];
