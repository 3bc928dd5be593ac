/** Objects of one bucket under one prefix: whole, by ranges, in parts, page by page. Paths are relative to the prefix. */
import { createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DeleteObjectsCommandOutput, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import { eachOf } from './each-of.ts';
import { keyOf } from './place.ts';
import { CutShort, nameOf, statusOf } from './refusals.ts';
import type { Opened, S3Requests } from './requests.ts';

/** Files up to this size go in one request. */
const WHOLE_BYTES_MAX = 32 * 2 ** 20;
const PART_BYTES = 16 * 2 ** 20;
/** S3 accepts 10,000. */
const PARTS_MAX = 9_000;
const PARTS_AT_ONCE = 4;
/** S3's limit. */
const DELETED_AT_ONCE = 1_000;
/** Retries after a 409 for a conditional put: another writer uses the same key now. */
const CONFLICTS_MAX = 50;

/** Size and version of an object. */
export interface ObjectState {
  readonly bytes: number;
  readonly etag: string;
}

interface ListedObject {
  /** Within the listed folder */
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  readonly etag: string;
}

export class S3Objects {
  readonly #requests: S3Requests;

  constructor(requests: S3Requests) {
    this.#requests = requests;
  }

  /** Null if it does not exist. @param range fewer bytes come if the object ends within it */
  read(path: string, range?: { readonly from: number; readonly bytes: number }): Promise<Buffer | null> {
    const Range = range && `bytes=${range.from}-${range.from + range.bytes - 1}`;
    return this.#orNull('read', path, async ({ sdk, client }) => {
      const command = new sdk.GetObjectCommand({ ...this.#at(path), ...(Range && { Range }) });
      const answer = await client.send(command).catch((error: unknown) => {
        // The object ends before the range.
        if (Range && statusOf(error) === 416) return null;
        throw error;
      });
      if (answer === null) return Buffer.alloc(0);
      const { Body, ContentLength } = answer;
      const bytes = Buffer.from(await Body!.transformToByteArray());
      if (ContentLength !== undefined && bytes.length !== ContentLength) throw new CutShort(path);
      return bytes;
    });
  }

  state(path: string): Promise<ObjectState | null> {
    return this.#orNull('read', path, async ({ sdk, client }) => {
      const head = client.send(new sdk.HeadObjectCommand(this.#at(path)));
      const { ContentLength, ETag } = await head.catch(async (error: unknown) => {
        // The answer to a HEAD has no body. That to a GET says why: the credentials may have expired.
        if (statusOf(error) === 403)
          await client.send(new sdk.GetObjectCommand({ ...this.#at(path), Range: 'bytes=0-0' }));
        throw error;
      });
      return { bytes: ContentLength ?? 0, etag: ETag ?? '' };
    });
  }

  /** Downloads an object to a file on this machine's disk. A download that was cut off continues from there. */
  async download(path: string, { bytes, etag }: ObjectState, file: string): Promise<void> {
    let at = 0;
    await this.#requests.send('read', path, async ({ sdk, client }) => {
      at = at === 0 ? 0 : (await stat(file)).size;
      if (at === bytes && at > 0) return;
      const range = at > 0 ? { Range: `bytes=${at}-` } : {};
      const command = new sdk.GetObjectCommand({ ...this.#at(path), ...range, IfMatch: etag });
      const { Body } = await client.send(command);
      const out = createWriteStream(file, { flags: at > 0 ? 'a' : 'w' });
      at = 1;
      await pipeline(Body as Readable, out);
      if ((await stat(file)).size !== bytes) throw new CutShort(path);
    });
  }

  /**
   * Puts an object if none exists. False may refer to the caller's own object, if an answer was lost.
   * @throws FilinglakeError `lake-unwritable`, `lake-unreachable`: the object may exist or not
   */
  async putIfAbsent(path: string, bytes: Uint8Array): Promise<boolean> {
    const put = ({ sdk, client }: Opened) =>
      client.send(new sdk.PutObjectCommand({ ...this.#at(path), Body: bytes, IfNoneMatch: '*' }));
    for (let conflicts = 0; ; conflicts++) {
      try {
        await this.#requests.send('write', path, put, (error) => statusOf(error) === 412 || statusOf(error) === 409);
        return true;
      } catch (error) {
        if (statusOf(error) === 412) return false;
        // Another conditional put is active and may fail, leaving nothing: S3 says to try again.
        if (statusOf(error) !== 409) throw error;
        if ((await this.state(path)) !== null) return false;
        if (conflicts === CONFLICTS_MAX) await this.#requests.send('write', path, put);
      }
    }
  }

  async put(path: string, bytes: Uint8Array): Promise<string> {
    return this.#requests.send('write', path, async ({ sdk, client }) => {
      const { ETag } = await client.send(new sdk.PutObjectCommand({ ...this.#at(path), Body: bytes }));
      return ETag ?? '';
    });
  }

  /** Puts the first `bytes` of a file on this machine's disk. @returns its ETag */
  async putFile(path: string, file: string, bytes: number): Promise<string> {
    await using handle = await open(file, 'r');
    const slice = async (from: number, length: number) => {
      const buffer = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(buffer, filled, length - filled, from + filled);
        if (bytesRead === 0) throw new Error(`${file} ends before byte ${from + length}`);
        filled += bytesRead;
      }
      return buffer;
    };
    if (bytes <= WHOLE_BYTES_MAX) return await this.put(path, await slice(0, bytes));
    return await this.#putParts(path, bytes, slice);
  }

  async #putParts(
    path: string,
    bytes: number,
    slice: (from: number, length: number) => Promise<Buffer>,
  ): Promise<string> {
    const partBytes = Math.max(PART_BYTES, Math.ceil(bytes / PARTS_MAX));
    const UploadId = await this.#requests.send('write', path, async ({ sdk, client }) => {
      return (await client.send(new sdk.CreateMultipartUploadCommand(this.#at(path)))).UploadId!;
    });
    try {
      const Parts: { PartNumber: number; ETag: string }[] = [];
      const numbers = Array.from({ length: Math.ceil(bytes / partBytes) }, (_, i) => i + 1);
      await eachOf(numbers, PARTS_AT_ONCE, async (PartNumber) => {
        const from = (PartNumber - 1) * partBytes;
        const Body = await slice(from, Math.min(partBytes, bytes - from));
        Parts[PartNumber - 1] = await this.#requests.send('write', path, async ({ sdk, client }) => {
          const part = new sdk.UploadPartCommand({ ...this.#at(path), UploadId, PartNumber, Body });
          return { PartNumber, ETag: (await client.send(part)).ETag! };
        });
      });
      return await this.#complete(path, bytes, UploadId, Parts);
    } catch (error) {
      await this.#requests
        .send('write', path, ({ sdk, client }) =>
          client.send(new sdk.AbortMultipartUploadCommand({ ...this.#at(path), UploadId })),
        )
        .catch(() => undefined);
      throw error;
    }
  }

  async #complete(
    path: string,
    bytes: number,
    UploadId: string,
    Parts: { PartNumber: number; ETag: string }[],
  ): Promise<string> {
    const MultipartUpload = { Parts };
    try {
      return await this.#requests.send(
        'write',
        path,
        async ({ sdk, client }) => {
          const complete = new sdk.CompleteMultipartUploadCommand({ ...this.#at(path), UploadId, MultipartUpload });
          return (await client.send(complete)).ETag ?? '';
        },
        (error) => nameOf(error) === 'NoSuchUpload',
      );
    } catch (error) {
      if (nameOf(error) !== 'NoSuchUpload') throw error;
      // An earlier request completed it, and its answer was lost.
      const there = await this.state(path);
      if (there?.bytes === bytes) return there.etag;
      return this.#requests.send('write', path, () => Promise.reject(error));
    }
  }

  async delete(path: string): Promise<void> {
    await this.#requests.send('write', path, ({ sdk, client }) =>
      client.send(new sdk.DeleteObjectCommand(this.#at(path))),
    );
  }

  async deleteAll(paths: readonly string[]): Promise<void> {
    for (let from = 0; from < paths.length; from += DELETED_AT_ONCE) {
      let left = paths.slice(from, from + DELETED_AT_ONCE);
      await this.#requests.send('write', left[0]!, async ({ sdk, client }) => {
        const { Bucket } = this.#at('');
        const Objects = left.map((path) => ({ Key: this.#at(path).Key }));
        const Delete = { Objects, Quiet: true };
        // The type is stated, since the compiler's parallel checkers don't always infer it.
        const answer: DeleteObjectsCommandOutput = await client.send(new sdk.DeleteObjectsCommand({ Bucket, Delete }));
        const { Errors = [] } = answer;
        if (Errors.length === 0) return;
        const failed = new Set(Errors.map(({ Key }) => Key));
        left = left.filter((path) => failed.has(this.#at(path).Key));
        const { Code = 'InternalError', Message } = Errors[0]!;
        const status = /^(AccessDenied|.*Denied)$/.test(Code) ? 403 : 500;
        throw Object.assign(new Error(Message), { name: Code, $metadata: { httpStatusCode: status } });
      });
    }
  }

  /** Objects and folders directly in a folder, or with `deep` all objects under it; names are relative to it. @param after a name */
  async list(
    folder: string,
    { deep = false, after }: { deep?: boolean; after?: string | undefined } = {},
  ): Promise<{ files: ListedObject[]; folders: string[] }> {
    const { Bucket, Key: Prefix } = this.#at(`${folder}/`);
    const files: ListedObject[] = [];
    const folders: string[] = [];
    for (let token: string | undefined, more = true; more; ) {
      const page: ListObjectsV2CommandOutput = await this.#requests.send('read', folder, ({ sdk, client }) => {
        const delimiter = deep ? {} : { Delimiter: '/' };
        const StartAfter = after === undefined ? {} : { StartAfter: `${Prefix}${after}` };
        const from = token === undefined ? StartAfter : { ContinuationToken: token };
        return client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ...delimiter, ...from }));
      });
      for (const { Key = '', Size = 0, LastModified, ETag = '' } of page.Contents ?? []) {
        const name = Key.slice(Prefix.length);
        // Consoles create an empty object for a folder.
        if (name === '' || name.endsWith('/')) continue;
        files.push({ name, bytes: Size, modifiedAtMs: LastModified?.getTime() ?? 0, etag: ETag });
      }
      for (const { Prefix: found = '' } of page.CommonPrefixes ?? []) folders.push(found.slice(Prefix.length, -1));
      token = page.NextContinuationToken;
      more = page.IsTruncated === true && token !== undefined;
    }
    files.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { files, folders: folders.sort() };
  }

  #at(path: string): { Bucket: string; Key: string } {
    const { place } = this.#requests;
    return { Bucket: place.bucket, Key: keyOf(place, path) };
  }

  async #orNull<Answer>(
    what: 'read' | 'write',
    path: string,
    send: (opened: Opened) => Promise<Answer>,
  ): Promise<Answer | null> {
    const isAbsent = (error: unknown) => statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket';
    try {
      return await this.#requests.send(what, path, send, isAbsent);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }
}
