/** Values of the running service for /metrics. */
import { statSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { CatalogTotals } from './catalog/index.ts';
import type { PendingAnswers } from './http/pending-answers.ts';
import { lagOf } from './lag.ts';
import type { Gauge } from './metrics.ts';
import type { ServiceParts } from './readiness.ts';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function gaugesOf(
  parts: ServiceParts & { pending: PendingAnswers; totals: CatalogTotals },
  server: () => Server,
  now: () => Date,
): Gauge[] {
  const { accounts, readers, pdfs, pending, catalog, totals } = parts;
  let connections = 0;
  const file = (name: string) => statSync(join(catalog.folder, name), { throwIfNoEntry: false });
  return [
    gauge('filinglake_waiting_jobs', 'Waiting jobs, by lane', () => ({
      label: 'lane',
      values: { ...readers.state().waiting, pdf: pdfs.waiting },
    })),
    gauge(
      'filinglake_pdfs_printed_total',
      'PDFs that a browser printed; others were there already',
      () => pdfs.printed,
    ),
    gauge('filinglake_reader_threads', 'Threads that read the catalog', () => {
      const { threads, busy, stuck } = readers.state();
      return { label: 'state', values: { busy, idle: threads - busy, stuck } };
    }),
    gauge(
      'filinglake_reader_threads_replaced_total',
      'Reader threads that were ended and replaced',
      () => readers.state().replaced,
    ),
    gauge('filinglake_pending_answer_bytes', 'Bytes of answers that clients have not read yet', () => pending.bytes),
    gauge('filinglake_connections', 'Open connections, at the previous reading', () => {
      server().getConnections((_error, count) => {
        connections = count ?? connections;
      });
      return connections;
    }),
    gauge('filinglake_accounts_writable', '1 while requests can be counted', () => (accounts.failure === null ? 1 : 0)),
    gauge('filinglake_catalog_records', 'Records of the catalog when the service started', () => {
      const { filings, documents, entities } = totals;
      return { label: 'kind', values: { filings, documents, entities } };
    }),
    gauge('filinglake_catalog_database_bytes', 'Size of catalog.db', () => file('catalog.db')?.size ?? 0),
    gauge(
      'filinglake_catalog_changed_timestamp_seconds',
      'When the catalog was last written',
      () => Math.max(file('catalog.db')?.mtimeMs ?? 0, file('catalog.db-wal')?.mtimeMs ?? 0) / 1_000,
    ),
    gauge(
      'filinglake_catalog_lag_seconds',
      'Since EDGAR accepted the newest filing; since edgar follow last ended without a problem',
      () => {
        const { newest_filing_s, follow_s } = lagOf(catalog, now());
        const values = {
          ...(newest_filing_s === null ? {} : { newest_filing: newest_filing_s }),
          ...(follow_s === null ? {} : { follow: follow_s }),
        };
        return { label: 'of', values };
      },
    ),
    gauge('filinglake_resident_memory_bytes', 'Resident memory of the process', () => process.memoryUsage.rss()),
  ];
}

function gauge(name: string, help: string, read: Gauge['read']): Gauge {
  return { name, help, read };
}
