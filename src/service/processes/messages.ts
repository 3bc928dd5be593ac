/** What goes between the first process of a service and those that serve. */
import type { TlsFileNames } from '../http/tls-files.ts';
import type { LogOptions } from '../log.ts';
import type { RunningService, ServiceOptions } from '../start.ts';

/** How to serve, as JSON. */
export interface ProcessOptions extends Omit<ServiceOptions, 'plans' | 'logger' | 'tls' | 'allMetrics' | 'now'> {
  /** Default: the plans that come with filinglake */
  plansFile?: string;
  log: LogOptions;
  tls?: TlsFileNames;
}

export type Started = Pick<RunningService, 'url' | 'port' | 'totals' | 'warnings' | 'routes'>;

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
