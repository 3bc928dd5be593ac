/** Values of the running service for /metrics. */
import { statSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { CatalogTotals } from '../catalog/index.ts';
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
    {
      name: 'filinglake_waiting_jobs',
      help: 'Waiting jobs, by lane',
      read: () => ({ label: 'lane', values: { ...readers.state().waiting, pdf: pdfs.waiting } }),
    },
    {
      name: 'filinglake_pdfs_printed_total',
      help: 'PDFs that a browser printed; others were there already',
      read: () => pdfs.printed,
    },
    {
      name: 'filinglake_reader_threads',
      help: 'Threads that read the catalog',
      read: () => {
        const { threads, busy, stuck } = readers.state();
        return { label: 'state', values: { busy, idle: threads - busy, stuck } };
      },
    },
    {
      name: 'filinglake_reader_threads_replaced_total',
      help: 'Reader threads that were ended and replaced',
      read: () => readers.state().replaced,
    },
    {
      name: 'filinglake_pending_answer_bytes',
      help: 'Bytes of answers that clients have not read yet',
      read: () => pending.bytes,
    },
    {
      name: 'filinglake_connections',
      help: 'Open connections, at the previous reading',
      read: () => {
        server().getConnections((_error, count) => {
          connections = count ?? connections;
        });
        return connections;
      },
    },
    {
      name: 'filinglake_accounts_writable',
      help: '1 while requests can be counted',
      read: () => (accounts.failure === null ? 1 : 0),
    },
    {
      name: 'filinglake_catalog_records',
      help: 'Records of the catalog when the service started',
      read: () => {
        const { filings, documents, entities } = totals;
        return { label: 'kind', values: { filings, documents, entities } };
      },
    },
    {
      name: 'filinglake_catalog_database_bytes',
      help: 'Size of catalog.db',
      read: () => file('catalog.db')?.size ?? 0,
    },
    {
      name: 'filinglake_catalog_changed_timestamp_seconds',
      help: 'When the catalog was last written',
      read: () => Math.max(file('catalog.db')?.mtimeMs ?? 0, file('catalog.db-wal')?.mtimeMs ?? 0) / 1_000,
    },
    {
      name: 'filinglake_catalog_lag_seconds',
      help: 'Since EDGAR accepted the newest filing; since edgar follow last ended without a problem',
      read: () => {
        const { newest_filing_s, follow_s } = lagOf(catalog, now());
        const values = {
          ...(newest_filing_s === null ? {} : { newest_filing: newest_filing_s }),
          ...(follow_s === null ? {} : { follow: follow_s }),
        };
        return { label: 'of', values };
      },
    },
    {
      name: 'filinglake_resident_memory_bytes',
      help: 'Resident memory of the process',
      read: () => process.memoryUsage.rss(),
    },
  ];
}
