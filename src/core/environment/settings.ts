/** Every environment variable that filinglake reads, with its default. It makes docs/reference/settings.md. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { DEFAULT_BASE_URL, invalidValue, nearestWord } from '../index.ts';

/** A variable of the environment, as the documentation and `filinglake settings` show it. */
interface SettingVariable {
  name: string;
  /** The value if the variable is not set, in words. */
  default: string;
  meaning: string;
}

export const SETTING_VARIABLES: readonly SettingVariable[] = [
  {
    name: 'FILINGLAKE_HOME',
    default: 'filinglake in the user’s state folder (XDG_STATE_HOME, else ~/.local/state)',
    meaning: 'Temporal’s database, leases and logs; belongs to one machine',
  },
  {
    name: 'FILINGLAKE_CACHE',
    default: 'filinglake in the user’s cache folder (XDG_CACHE_HOME, else ~/.cache)',
    meaning: 'what was fetched: Node, Temporal, the browser; may be deleted at any time',
  },
  {
    name: 'FILINGLAKE_BASE_URL',
    default: 'http://127.0.0.1:8080',
    meaning: 'the /v2 service of exports whose definition names none',
  },
  { name: 'FILINGLAKE_API_KEY', default: 'none', meaning: 'the key for that service; only workers read it' },
  {
    name: 'FILINGLAKE_CHROMIUM',
    default: 'a system Chromium or Chrome, else the packaged one',
    meaning: 'path of the browser that renders PDFs',
  },
  {
    name: 'FILINGLAKE_LOG',
    default: 'file',
    meaning: 'destination of logs: file (logs/ in FILINGLAKE_HOME), stderr, or none',
  },
  { name: 'FILINGLAKE_LOG_LEVEL', default: 'info', meaning: 'trace, debug, info, warn, error or fatal' },
  {
    name: 'FILINGLAKE_LINGER',
    default: '180',
    meaning:
      'seconds that filinglake’s own Temporal stays for the next command, which then starts at once; 0: it ends with the last one',
  },
  {
    name: 'FILINGLAKE_S3_READ',
    default: 'auto',
    meaning: 'how DuckDB reads buckets: copies, httpfs, or auto (httpfs if it is installed)',
  },
  {
    name: 'FILINGLAKE_S3_CACHE',
    default: 'buckets in FILINGLAKE_CACHE',
    meaning: 'folder for copies of a bucket’s files and for files that are being built',
  },
  {
    name: 'FILINGLAKE_S3_CACHE_GB',
    default: '20',
    meaning: 'room for these copies, and for blocks of moved packs, in GB each',
  },
  {
    name: 'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL_S3',
    default: 'none: the role of the machine, us-east-1, AWS',
    meaning: 'credentials, region and store of buckets, as in the AWS tools; commands and workers read them',
  },
  {
    name: 'FILINGLAKE_ERRORS',
    default: 'text',
    meaning: 'json: errors are written to standard error as JSON lines, for programs',
  },
  {
    name: 'FILINGLAKE_EDGAR_AGENT',
    default: 'none: the edgar commands need it',
    meaning: 'your name and e-mail, which SEC requires in every request',
  },
  {
    name: 'FILINGLAKE_EDGAR_URL',
    default: 'https://www.sec.gov, and https://data.sec.gov for SEC’s JSON',
    meaning: 'a mirror that has the files of both hosts',
  },
  {
    name: 'FILINGLAKE_ACCOUNTS',
    default: 'none: accounts.db of the catalog',
    meaning: 'PostgreSQL server of the accounts, for services on several machines: postgres://USER@HOST:PORT/DATABASE',
  },
  {
    name: 'FILINGLAKE_FULLTEXT',
    default: 'none: the index of the catalog',
    meaning: 'index in OpenSearch that answers searches of a service: opensearch+https://USER:PASSWORD@HOST:PORT/INDEX',
  },
  {
    name: 'FILINGLAKE_PUBLIC_URL',
    default: 'the address that the service listens on',
    meaning: 'where users reach the service: for links in mails and errors',
  },
  {
    name: 'FILINGLAKE_SMTP_URL',
    default: 'none: mails go into mail.jsonl of the catalog',
    meaning: 'mail server of the service: smtp://USER:PASSWORD@HOST:PORT, or smtps://…',
  },
  { name: 'FILINGLAKE_MAIL_FROM', default: 'filinglake@localhost', meaning: 'sender of its mails' },
  { name: 'FILINGLAKE_OPERATOR_MAIL', default: 'none', meaning: 'who gets a mail when a user asks for a paid plan' },
  {
    name: 'FILINGLAKE_NOTIFY_SECRET',
    default: 'none: no webhook is called',
    meaning: 'secret of the signatures of notices (`notify` of a definition)',
  },
  {
    name: 'FILINGLAKE_BILLING_URL',
    default: 'none: paid plans are granted by `filinglake accounts requests --grant`',
    meaning: 'billing provider of the service',
  },
  { name: 'FILINGLAKE_BILLING_SECRET', default: 'none', meaning: 'secret of signatures to and from that provider' },
  {
    name: 'TEMPORAL_ADDRESS',
    default: 'none: filinglake finds or starts a server',
    meaning: 'host:port of a Temporal server that runs elsewhere',
  },
  {
    name: 'TEMPORAL_NAMESPACE',
    default: 'default with TEMPORAL_ADDRESS, else filinglake',
    meaning: 'namespace on that server',
  },
  { name: 'TEMPORAL_API_KEY', default: 'none', meaning: 'key for that server; turns TLS on' },
  {
    name: 'TEMPORAL_TLS',
    default: 'false',
    meaning: 'TLS to that server; TEMPORAL_TLS_* as Temporal’s own tools read them',
  },
];

const LINGER_SECONDS = 180;

type LogTarget = 'file' | 'stderr' | 'none';
type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface Settings {
  /** Absolute path of FILINGLAKE_HOME; may not exist yet. */
  homeFolder: string;
  /** Absolute path of FILINGLAKE_CACHE; may not exist yet. */
  cacheFolder: string;
  baseUrl: string;
  apiKey: string | null;
  /** `host:port` of a Temporal server that runs elsewhere. */
  temporalAddress: string | null;
  logTarget: LogTarget;
  logLevel: LogLevel;
  /** How long filinglake's own Temporal stays for the next command. */
  lingerSeconds: number;
  /** The environment of these settings. Temporal's own code reads Temporal's variables from it. */
  env: Readonly<Record<string, string | undefined>>;
}

const LOG_TARGETS: readonly string[] = ['file', 'stderr', 'none'];
const LOG_LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** An empty variable counts as not set. @throws FilinglakeError `setting-invalid` for a value not allowed */
export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): Settings {
  const home = value(env, 'HOME') ?? homedir();
  return {
    homeFolder: resolve(
      value(env, 'FILINGLAKE_HOME') ??
        join(value(env, 'XDG_STATE_HOME') ?? join(home, '.local', 'state'), 'filinglake'),
    ),
    cacheFolder: resolve(
      value(env, 'FILINGLAKE_CACHE') ?? join(value(env, 'XDG_CACHE_HOME') ?? join(home, '.cache'), 'filinglake'),
    ),
    baseUrl: value(env, 'FILINGLAKE_BASE_URL') ?? DEFAULT_BASE_URL,
    apiKey: value(env, 'FILINGLAKE_API_KEY'),
    temporalAddress: value(env, 'TEMPORAL_ADDRESS'),
    logTarget: oneOf(env, 'FILINGLAKE_LOG', LOG_TARGETS, 'file') as LogTarget,
    logLevel: oneOf(env, 'FILINGLAKE_LOG_LEVEL', LOG_LEVELS, 'info') as LogLevel,
    lingerSeconds: count(env, 'FILINGLAKE_LINGER', LINGER_SECONDS),
    env,
  };
}

function value(env: Readonly<Record<string, string | undefined>>, name: string): string | null {
  const text = env[name]?.trim();
  return text ? text : null;
}

function count(env: Readonly<Record<string, string | undefined>>, name: string, fallback: number): number {
  const given = value(env, name);
  if (given === null) return fallback;
  if (/^\d{1,6}$/.test(given)) return Number(given);
  throw invalidValue('setting-invalid', name, 'a whole number from 0 to 999,999', given);
}

function oneOf(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  allowed: readonly string[],
  fallback: string,
): string {
  const given = value(env, name) ?? fallback;
  if (allowed.includes(given)) return given;
  const near = nearestWord(given, allowed);
  throw invalidValue(
    'setting-invalid',
    name,
    `one of ${allowed.join(', ')}`,
    given,
    near ? `Did you mean '${near}'?` : undefined,
  );
}
