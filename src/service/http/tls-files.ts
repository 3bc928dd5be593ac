/** Certificate and private key of the service, read and tried. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import type { TlsFiles } from './server.ts';

export interface TlsFileNames {
  /** Certificate chain, PEM */
  certFile: string;
  /** Private key, PEM, without a passphrase */
  keyFile: string;
}

/** @throws FilinglakeError `certificate-unusable` */
export function readTlsFiles({ certFile, keyFile }: TlsFileNames): TlsFiles {
  const [cert, key] = [read(certFile), read(keyFile)];
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new FilinglakeError(
      'certificate-unusable',
      `${certFile} and ${keyFile} can't be used together: ${(cause as Error).message}`,
      { cause },
    );
  }
  return { cert, key };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new FilinglakeError('certificate-unusable', `${file} can't be read: ${systemErrorWords(cause)}`, { cause });
  }
}
