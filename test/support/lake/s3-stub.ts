/**
 * A store that speaks S3's protocol, in memory and in this process. Conditional puts are atomic here, unlike moto's. It counts
 * requests, delays each of them, and does what real stores sometimes do: lose answers, refuse, list late, report errors with 200.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, FAULT_CODES, type Fault } from './faulty-proxy.ts';

export interface StubRequest {
  readonly method: string;
  /** Undecoded, with the query. */
  readonly url: string;
  /** How many came before it since the last `clear`. */
  readonly number: number;
  /** The access key that signed it. */
  readonly keyId: string | null;
}

export interface S3Stub {
  readonly url: string;
  /** Method and path of all requests since the last `clear`. */
  readonly seen: string[];
  clear(): void;
  /** Added to each request, in milliseconds. */
  delayMs: number;
  /**
   * What happens to the next requests. `body-error`: carried out, and then answered 200 with an error in the body. `denied`: carried
   * out, and then answered 403, which nobody retries. `refused`: not carried out, and answered 403 with this code.
   */
  rule: (request: StubRequest) => Fault | 'body-error' | 'denied' | { refused: string };
  /** Called after each request that was carried out. */
  onAnswer: (request: StubRequest, status: number) => void;
  /** Listings lack objects that are younger, in milliseconds. */
  listingLagMs: number;
  /** Writes an object without a request. */
  seed(bucket: string, key: string, bytes: Uint8Array): void;
  /** Copies all objects under a prefix, without a request. */
  copy(bucket: string, from: string, to: string): void;
  /** Keys of all objects of a bucket, sorted. */
  keys(bucket: string): string[];
  /** Settings for lakes in it. @param cache folder for copies: another one for another machine */
  env(cache: string): Record<string, string>;
  stop(): Promise<void>;
}

interface StoredObject {
  bytes: Buffer;
  etag: string;
  modifiedAtMs: number;
}

const PAGE = 1000;

export async function startS3Stub(): Promise<S3Stub> {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const number = seen.push(`${method} ${url}`) - 1;
    const keyId = /Credential=([^/]+)/.exec(incoming.headers.authorization ?? '')?.[1] ?? null;
    void serve({ method, url, number, keyId }, incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.keepAliveTimeout = 60_000;

  async function serve(request: StubRequest, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fault = stub.rule(request);
    const body = await bodyOf(incoming);
    if (stub.delayMs > 0) await sleep(stub.delayMs);
    if (fault === 'cut') return void incoming.socket.destroy();
    if (typeof fault === 'number') return send(outgoing, fault, errorText(FAULT_CODES[fault] ?? 'InternalError'));
    if (typeof fault === 'object' && fault !== null) return send(outgoing, 403, errorText(fault.refused));
    const answer = carriedOut(request, incoming, body);
    stub.onAnswer(request, answer.status);
    if (fault === 'lose') return void incoming.socket.destroy();
    if (fault === 'denied') return send(outgoing, 403, errorText('AccessDenied'));
    if (fault === 'body-error') return send(outgoing, 200, errorText('InternalError'));
    send(outgoing, answer.status, answer.body ?? '', answer.headers, request.method === 'HEAD');
  }

  /** Synchronous: nothing comes between the test of a condition and the write. */
  function carriedOut({ method, url }: StubRequest, { headers }: IncomingMessage, body: Buffer): Answer {
    const asked = new URL(url, 'http://stub');
    const query = asked.searchParams;
    const path = decodeURIComponent(asked.pathname.slice(1)).replace(/\/$/, '');
    const uploadId = query.get('uploadId');
    if (method === 'GET' && query.has('list-type')) return listed(path, query);
    if (method === 'POST' && query.has('delete')) {
      for (const [, key = ''] of body.toString('utf8').matchAll(/<Key>(.*?)<\/Key>/gs)) {
        objects.delete(`${path}/${unescaped(key)}`);
      }
      return { status: 200, body: xml('DeleteResult', '') };
    }
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, new Map());
      return { status: 200, body: xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`) };
    }
    if (uploadId !== null) return multipart(method, path, uploadId, Number(query.get('partNumber')), body);
    const there = objects.get(path);
    if (method === 'PUT') {
      if (there && headers['if-none-match'] === '*') return { status: 412, body: errorText('PreconditionFailed') };
      return { status: 200, headers: { etag: stored(path, body).etag } };
    }
    if (method === 'DELETE') {
      objects.delete(path);
      return { status: 204 };
    }
    if (!there) return { status: 404, body: errorText('NoSuchKey') };
    return read(there, headers);
  }

  function read({ bytes, etag, modifiedAtMs }: StoredObject, headers: IncomingMessage['headers']): Answer {
    if (headers['if-match'] && headers['if-match'] !== etag)
      return { status: 412, body: errorText('PreconditionFailed') };
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
    const from = Number(range?.[1] ?? 0);
    const to = Math.min(bytes.length, range?.[2] ? Number(range[2]) + 1 : bytes.length);
    const about = { etag, 'last-modified': new Date(modifiedAtMs).toUTCString(), 'accept-ranges': 'bytes' };
    if (!range) return { status: 200, body: bytes, headers: about };
    const contentRange = `bytes ${from}-${to - 1}/${bytes.length}`;
    return { status: 206, body: bytes.subarray(from, to), headers: { ...about, 'content-range': contentRange } };
  }

  function multipart(method: string, path: string, id: string, part: number, body: Buffer): Answer {
    const parts = uploads.get(id);
    if (!parts) return { status: 404, body: errorText('NoSuchUpload') };
    if (method === 'PUT') {
      parts.set(part, body);
      return { status: 200, headers: { etag: `"${part}"` } };
    }
    uploads.delete(id);
    if (method === 'DELETE') return { status: 204 };
    const numbers = [...parts.keys()].sort((a, b) => a - b);
    const { etag } = stored(path, Buffer.concat(numbers.map((number) => parts.get(number)!)));
    return { status: 200, body: xml('CompleteMultipartUploadResult', `<ETag>${escaped(etag)}</ETag>`) };
  }

  function stored(path: string, bytes: Buffer): StoredObject {
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    const one = { bytes, etag, modifiedAtMs: Date.now() };
    objects.set(path, one);
    return one;
  }

  function listed(bucket: string, query: URLSearchParams): Answer {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter');
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const youngest = Date.now() - stub.listingLagMs;
    const entries = new Map<string, string>();
    let last = '';
    for (const key of stub.keys(bucket)) {
      const object = objects.get(`${bucket}/${key}`)!;
      if (!key.startsWith(prefix) || key <= after || (stub.listingLagMs > 0 && object.modifiedAtMs > youngest))
        continue;
      const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
      const name = end === -1 ? key : key.slice(0, end + 1);
      if (name <= after && end !== -1) continue;
      if (entries.size === PAGE && !entries.has(name)) {
        return page([...entries.values()], last);
      }
      last = end === -1 ? key : `${name}\uffff`;
      entries.set(
        name,
        end === -1
          ? `<Contents><Key>${escaped(key)}</Key><LastModified>${new Date(object.modifiedAtMs).toISOString()}</LastModified><ETag>${escaped(object.etag)}</ETag><Size>${object.bytes.length}</Size></Contents>`
          : `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`,
      );
    }
    return page([...entries.values()], null);
  }

  function page(entries: string[], next: string | null): Answer {
    const more = next === null ? '' : `<NextContinuationToken>${escaped(next)}</NextContinuationToken>`;
    const head = `<IsTruncated>${next !== null}</IsTruncated>${more}`;
    return { status: 200, body: xml('ListBucketResult', head + entries.join('')) };
  }

  await new Promise<void>((settle) => server.listen({ host: '127.0.0.1', port: 0 }, settle));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const stub: S3Stub = {
    url,
    seen,
    clear: () => void seen.splice(0),
    delayMs: 0,
    rule: () => null,
    onAnswer: () => undefined,
    listingLagMs: 0,
    seed: (bucket, key, bytes) => void stored(`${bucket}/${key}`, Buffer.from(bytes)),
    copy(bucket, from, to) {
      for (const key of stub.keys(bucket)) {
        if (!key.startsWith(`${from}/`)) continue;
        stub.seed(bucket, `${to}${key.slice(from.length)}`, objects.get(`${bucket}/${key}`)!.bytes);
      }
    },
    keys: (bucket) =>
      [...objects.keys()]
        .filter((path) => path.startsWith(`${bucket}/`))
        .map((path) => path.slice(bucket.length + 1))
        .sort(),
    env: (cache) => ({
      AWS_ACCESS_KEY_ID: 'AKIATESTTESTTESTTEST',
      AWS_SECRET_ACCESS_KEY: 'secret-of-the-test-which-nobody-may-print',
      AWS_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_ENDPOINT_URL_S3: url,
      FILINGLAKE_S3_READ: 'copies',
      FILINGLAKE_S3_CACHE: cache,
    }),
    async stop() {
      server.closeAllConnections();
      await new Promise((settle) => server.close(settle));
    },
  };
  return stub;
}

interface Answer {
  status: number;
  body?: Buffer | string;
  headers?: Record<string, string>;
}

function send(
  outgoing: ServerResponse,
  status: number,
  body: Buffer | string,
  headers: Record<string, string> = {},
  isHead = false,
): void {
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  outgoing.end(isHead ? undefined : bytes);
}

function xml(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`;
}

function errorText(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>of the test</Message></Error>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll('&amp;', '&');
}
