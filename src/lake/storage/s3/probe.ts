/** Whether a store keeps the object of the first of many writers: some ignore the condition of a put, and let all of them win. */
import { randomUUID } from 'node:crypto';
import { FilinglakeError } from '../../../core/index.ts';
import { keyOf } from './place.ts';
import { refusal, statusOf } from './refusals.ts';
import type { S3Requests } from './requests.ts';

const WRITERS = 8;
/** A store that keeps the first by luck seldom does so twice. */
const RACES = 2;
/** Races with a lost answer prove nothing. */
const TRIES_MAX = 8;

/** @throws FilinglakeError `lake-place-unfit`, `lake-unwritable`, `lake-unreachable` */
export async function proveFirstWins(requests: S3Requests): Promise<void> {
  for (let races = 0, tries = 0; races < RACES; tries++) {
    const answers = await race(requests);
    const winners = answers.filter((one) => one === 'won').length;
    const refused = answers.find((one) => one instanceof Error && statusOf(one) !== undefined);
    if (winners > 1)
      throw unfit(requests, `${winners} of ${WRITERS} writers of one new object got the answer that they were first`);
    if (refused && [400, 501].includes(statusOf(refused)!)) {
      throw unfit(requests, `it does not support conditional puts (HTTP ${statusOf(refused)})`);
    }
    const lost = answers.find((one) => one instanceof Error);
    if (winners === 1 && lost === undefined) races++;
    else if (tries >= TRIES_MAX || (refused && statusOf(refused)! < 500)) {
      throw refusal(requests.place, 'write', '', lost ?? new Error('no writer was first'));
    }
  }
}

/** Many conditional puts of one new object, each sent once. */
async function race(requests: S3Requests): Promise<('won' | 'lost' | Error)[]> {
  const { sdk, client } = await requests.open();
  const { place } = requests;
  const at = { Bucket: place.bucket, Key: keyOf(place, `_probe-${randomUUID()}`) };
  const put = async (writer: number): Promise<'won' | 'lost' | Error> => {
    try {
      await client.send(new sdk.PutObjectCommand({ ...at, Body: `${writer}`, IfNoneMatch: '*' }));
      return 'won';
    } catch (error) {
      return statusOf(error) === 412 || statusOf(error) === 409 ? 'lost' : (error as Error);
    }
  };
  const answers = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => put(writer)));
  const isMade = answers.some((one) => one === 'won' || (one instanceof Error && statusOf(one) === undefined));
  if (isMade) await requests.send('write', '', () => client.send(new sdk.DeleteObjectCommand(at)));
  return answers;
}

function unfit({ place }: S3Requests, why: string): FilinglakeError {
  return new FilinglakeError('lake-place-unfit', `the store of ${place.url} can't hold a lake: ${why}`, {
    remedy:
      'Use a store that honours If-None-Match: AWS S3, or a recent MinIO, versitygw, Ceph or R2. Two exports would overwrite each other here.',
  });
}
