/** Signatures of messages between the service and a billing provider: HMAC-SHA256 of the time and the body. */
import { createHmac } from 'node:crypto';
import { FilinglakeError } from '../../../core/index.ts';
import { isSameText } from '../store/secrets.ts';

export const SIGNATURE_HEADER = 'filinglake-signature';
/** An event signed longer ago, or so far ahead, is refused. */
const TOLERANCE_S = 300;

/** @returns `t=SECONDS,v1=HEX` */
export function signatureOf(body: string | Buffer, secret: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1_000);
  return `t=${seconds},v1=${macOf(body, secret, String(seconds))}`;
}

/** @param header one or more `v1`: two while a secret is being replaced. @throws FilinglakeError `event-refused` */
export function requireSignature(header: string | undefined, body: Buffer, secret: string, now: Date): void {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined]);
  const seconds = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = macOf(body, secret, seconds);
  const isSigned = parts.filter(([name, value]) => name === 'v1' && isSameText(value ?? '', expected)).length > 0;
  if (!/^\d{1,12}$/.test(seconds) || !isSigned) throw new FilinglakeError('event-refused', 'the signature is wrong');
  if (Math.abs(now.getTime() / 1_000 - Number(seconds)) > TOLERANCE_S) {
    throw new FilinglakeError('event-refused', `the signature is more than ${TOLERANCE_S} s from now`);
  }
}

function macOf(body: string | Buffer, secret: string, seconds: string): string {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
}
