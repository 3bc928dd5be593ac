/** Bucket and prefix of a lake: `s3://bucket/prefix`. */
import { FilinglakeError } from '../index.ts';

export interface S3Place {
  readonly bucket: string;
  /** '' for the whole bucket; else without a slash at either end. */
  readonly prefix: string;
  /** The URL in its normal form. */
  readonly url: string;
}

/** Everything after the bucket is used unchanged, `%` too. @throws FilinglakeError `lake-place-unknown` */
export function parsePlace(url: string): S3Place {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)(.*)$/is.exec(url) ?? [];
  if (!/^[a-z0-9][a-z0-9._-]{1,253}[a-z0-9]$/i.test(bucket)) {
    throw refused(url, bucket === '' ? 'it names no bucket' : `'${bucket}' is not a valid bucket name`);
  }
  const prefix = rest.replace(/^\/+|\/+$/g, '');
  if (prefix.split('/').some((name) => name === '.' || name === '..' || (name === '' && prefix !== ''))) {
    throw refused(url, "a name in it is empty, '.' or '..'");
  }
  return { bucket, prefix, url: prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}` };
}

export function keyOf({ prefix }: S3Place, path: string): string {
  return prefix === '' ? path : `${prefix}/${path}`;
}

function refused(url: string, why: string): FilinglakeError {
  return new FilinglakeError('lake-place-unknown', `${url} is not a place in a bucket: ${why}`, {
    remedy: 'Write the place as s3://BUCKET/PREFIX.',
  });
}
