/** Whether a store keeps the object of the first of many writers: some ignore the condition of a put, and let all of them win. */
import { randomUUID } from 'node:crypto';
import { isPassing, keyOf, refusal, type S3Requests, statusOf } from '../../../core/bucket/index.ts';
import { FilinglakeError } from '../../../core/index.ts';

const WRITERS = 8;
/** A store that keeps the first by luck seldom does so twice. */
const RACES = 2;
/** Races with a lost answer prove nothing. */
const TRIES_MAX = 8;
const PROBE = '_probe-';
/** A probe takes seconds, and clocks differ by less than this: an older object was left by a killed process. */
const LEFT_BEHIND_MS = 24 * 3600 * 1000;

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
    else if (tries >= TRIES_MAX || (refused && !isPassing(refused))) {
      throw refusal(requests.place, 'write', '', lost ?? new Error('no writer was first'));
    }
  }
  await removeLeftBehind(requests);
}

/** Objects of probes whose processes were killed. */
async function removeLeftBehind(requests: S3Requests): Promise<void> {
  const { Bucket, Key: Prefix } = keyed(requests, PROBE);
  const { Contents = [] } = await requests.send('read', '', ({ sdk, client }) =>
    client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix })),
  );
  for (const { Key, LastModified } of Contents) {
    if (Date.now() - (LastModified?.getTime() ?? Date.now()) < LEFT_BEHIND_MS) continue;
    await requests.send('write', '', ({ sdk, client }) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key })));
  }
}

function keyed({ place }: S3Requests, file: string): { Bucket: string; Key: string } {
  return { Bucket: place.bucket, Key: keyOf(place, file) };
}

/** Many conditional puts of one new object, each sent once. */
async function race(requests: S3Requests): Promise<('won' | 'lost' | Error)[]> {
  const { sdk, client } = await requests.open();
  const at = keyed(requests, `${PROBE}${randomUUID()}`);
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
