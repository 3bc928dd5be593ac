/** The kinds of files that enrich entities, each under the name of its folder in src/filings/edgar. Ingest and its summary follow this list. */
import type { Enrichment } from './enrichment.ts';
import { fundTickersJson } from './fund-tickers-json.ts';
import { submissionsJson } from './submissions-json.ts';
import { tickersJson } from './tickers-json.ts';

export const ENRICHMENTS: readonly Enrichment[] = [submissionsJson, tickersJson, fundTickersJson];
