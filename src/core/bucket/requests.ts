/** Requests to the store of a bucket: sent again while the store is overloaded or unreachable; errors get our own messages. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { bucketCounts } from './counts.ts';
import type { S3Place } from './place.ts';
import { areRefusedCredentials, isPassing, isUnreachable, refusal } from './refusals.ts';
import type { S3Settings } from './settings.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

export interface Opened {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

/** How long a store that answered before may be unreachable, in milliseconds. */
const PATIENCE_MS = 90_000;
/** How long one that never answered may be unreachable: its address may be wrong. */
const FIRST_PATIENCE_MS = 4_000;
const PAUSE_MS = 100;
const PAUSE_MS_MAX = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Without a byte in either direction. */
const IDLE_TIMEOUT_MS = 30_000;
/** If neither the settings nor the SDK's own sources name a region; AWS redirects. */
const REGION_DEFAULT = 'us-east-1';

/** It takes half a second: lakes on disk don't load it. */
export function loadSdk(): Promise<Sdk> {
  return import('@aws-sdk/client-s3');
}

export class S3Requests {
  readonly place: S3Place;
  readonly #settings: S3Settings;
  #opened: Promise<Opened> | null = null;
  #hasAnswered = false;

  constructor(place: S3Place, settings: S3Settings) {
    this.place = place;
    this.#settings = settings;
  }

  open(): Promise<Opened> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  /**
   * Sends a request until the store answers it.
   * @param send may be called several times, even after a request that was carried out and whose answer was lost
   * @throws FilinglakeError `lake-unreadable`, `lake-unwritable`, `lake-unreachable`, and the store's own errors that `isExpected`
   * names
   */
  async send<Answer>(
    what: 'read' | 'write',
    path: string,
    send: (opened: Opened) => Promise<Answer>,
    isExpected: (error: unknown) => boolean = () => false,
  ): Promise<Answer> {
    const beganMs = performance.now();
    let isRenewed = false;
    for (let tries = 0; ; tries++) {
      const opening = this.open();
      bucketCounts.requests++;
      try {
        const answer = await send(await opening);
        this.#hasAnswered = true;
        return answer;
      } catch (error) {
        if (!isUnreachable(error)) this.#hasAnswered = true;
        if (isExpected(error)) throw error;
        bucketCounts[isUnreachable(error) ? 'unanswered' : isPassing(error) ? 'failed' : 'refused']++;
        if (areRefusedCredentials(error) && !isRenewed) {
          isRenewed = true;
          this.#renew(opening);
          continue;
        }
        const patienceMs = this.#hasAnswered ? PATIENCE_MS : FIRST_PATIENCE_MS;
        const waitedMs = performance.now() - beganMs;
        if (!isPassing(error) || waitedMs > patienceMs) {
          // The next sender should not wait as long again.
          if (isUnreachable(error)) this.#hasAnswered = false;
          throw refusal(this.place, what, path, error);
        }
        await sleep(Math.min(PAUSE_MS * 2 ** tries, PAUSE_MS_MAX) * (0.5 + Math.random() / 2));
      }
    }
  }

  /** The client keeps its credentials, and the SDK the files that they came from: another client reads them again. */
  #renew(refused: Promise<Opened>): void {
    if (this.#opened === refused) this.#opened = null;
  }

  async #open(): Promise<Opened> {
    const sdk = await loadSdk();
    const { endpoint } = this.#settings;
    const options: S3ClientConfig = {
      // Passed on to the readers of AWS's files: somebody may have renewed the credentials since another client read them.
      ...{ ignoreCache: true },
      ...(endpoint === null ? {} : { endpoint }),
      forcePathStyle: endpoint !== null && !/\.amazonaws\.com(\.cn)?\/?$/i.test(endpoint),
      followRegionRedirects: true,
      // Retried here, where a lost answer can be distinguished from a refusal.
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: IDLE_TIMEOUT_MS,
        httpAgent: { keepAlive: true, maxSockets: 32 },
        httpsAgent: { keepAlive: true, maxSockets: 32 },
      },
      // Other stores than AWS's support the checksums that S3 requires, but few support those that the SDK adds.
      ...(endpoint === null
        ? {}
        : { requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' }),
    };
    const client = new sdk.S3Client(options);
    if (await client.config.region().catch(() => '')) return { sdk, client };
    // Other parts of the client look for the region on their own: it must be given from the beginning.
    client.destroy();
    return { sdk, client: new sdk.S3Client({ ...options, region: REGION_DEFAULT }) };
  }
}
