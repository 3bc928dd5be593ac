/** Settings of buckets. The SDK reads the others itself: credentials, profiles, AWS_REGION, AWS_ENDPOINT_URL. */
import { homedir } from 'node:os';
import path from 'node:path';
import { invalidValue } from '../index.ts';

export interface S3Settings {
  /** Null: AWS, or what AWS_PROFILE names. */
  readonly endpoint: string | null;
  readonly reading: 'auto' | 'copies' | 'httpfs';
  /** Limit for copies of parts on this machine's disk, without those in use, and for blocks of moved packs. */
  readonly copiesBytesMax: number;
  /** Absolute; for copies, and files that are being built. */
  readonly cacheFolder: string;
}

const COPIES_GB = 20;
const GB = 1_000_000_000;

/** @throws FilinglakeError `setting-invalid` (exit 2) */
export function s3Settings(env: Readonly<Record<string, string | undefined>> = process.env): S3Settings {
  const value = (name: string) => env[name]?.trim() || null;
  const reading = value('FILINGLAKE_S3_READ') ?? 'auto';
  if (reading !== 'auto' && reading !== 'copies' && reading !== 'httpfs') {
    throw invalidValue('setting-invalid', 'FILINGLAKE_S3_READ', 'one of auto, copies, httpfs', reading);
  }
  const gigabytes = value('FILINGLAKE_S3_CACHE_GB') ?? String(COPIES_GB);
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(gigabytes)) {
    throw invalidValue('setting-invalid', 'FILINGLAKE_S3_CACHE_GB', 'a number from 0 to 999,999', gigabytes);
  }
  const endpoint = value('AWS_ENDPOINT_URL_S3') ?? value('AWS_ENDPOINT_URL');
  if (endpoint !== null && !/^https?:\/\/[^/]+\/?$/i.test(endpoint)) {
    throw invalidValue('setting-invalid', 'AWS_ENDPOINT_URL_S3', 'http://HOST:PORT or https://HOST', endpoint);
  }
  const cache = value('XDG_CACHE_HOME') ?? path.join(value('HOME') ?? homedir(), '.cache');
  return {
    endpoint,
    reading,
    copiesBytesMax: Number(gigabytes) * GB,
    cacheFolder: path.resolve(
      value('FILINGLAKE_S3_CACHE') ?? path.join(value('FILINGLAKE_CACHE') ?? path.join(cache, 'filinglake'), 'buckets'),
    ),
  };
}
