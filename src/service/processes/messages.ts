/** What goes between the first process of a service and those that serve. */
import type { AccountSettings } from '../../accounts/index.ts';
import type { CatalogTotals } from '../../catalog/index.ts';
import type { ServiceLimits } from '../http/limits.ts';
import type { TlsFileNames } from '../http/tls-files.ts';
import type { LogOptions } from '../log.ts';

/** How to serve, as JSON. */
export interface ProcessOptions {
  catalogFolder: string;
  port: number;
  host?: string;
  strictPort?: boolean;
  fulltext?: string;
  /** Default: the plans that come with filinglake */
  plansFile?: string;
  accounts: AccountSettings;
  publicUrl?: string;
  metrics?: { host: string; port: number };
  pages: boolean;
  limits: Partial<ServiceLimits>;
  log: LogOptions;
  tls?: TlsFileNames;
  trustedProxies?: readonly string[];
}

export interface Started {
  url: string;
  port: number;
  totals: CatalogTotals;
  warnings: string[];
  routes: readonly string[];
}

/** To the first process. */
export type FromProcess =
  | ({ kind: 'started' } & Started)
  | { kind: 'failed'; code: string; message: string; remedy: string | null }
  /** /metrics was requested here: of all processes */
  | { kind: 'metrics-wanted'; number: number }
  | { kind: 'metrics'; number: number; text: string };

/** From the first process. */
export type ToProcess =
  | { kind: 'start'; options: ProcessOptions }
  | { kind: 'give-metrics'; number: number }
  | { kind: 'all-metrics'; number: number; texts: string[] }
  | { kind: 'reopen-log' }
  | { kind: 'close' };
