/** Errors of PostgreSQL and of the line to it: which of them pass, and the remedies of the others. */
import { FilinglakeError } from '../../../core/index.ts';

/** Whether the server can't be reached now, or has just ended the connection. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as { code?: string; syscall?: string };
  // A file that the address names is not there, and will not be.
  if (syscall === 'open') return false;
  return SYSTEM_CODES.has(code) || AWAY.some((start) => code.startsWith(start)) || BROKEN.test(error.message);
}

/** Whether another attempt may succeed at once. */
export function isContended(error: unknown): boolean {
  return error instanceof Error && CONTENDED.has((error as { code?: string }).code ?? '');
}

const SYSTEM_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
/** Of the connection, too many connections, a shutdown or start, a server that only reads. */
const AWAY = ['08', '53', '57P', '25006', '25P03'];
/** Of pg itself, which have no code. */
const BROKEN = /timeout|terminated|not queryable|closed the connection|Connection ended/i;
/** A lock, a deadlock, a statement that took too long. */
const CONTENDED: ReadonlySet<string> = new Set(['55P03', '40P01', '40001', '57014']);
/** Log-in, missing database, missing rights. */
const REFUSALS = ['28', '3D', '42501'];
const UNTRUSTED: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);

/** @param server host and database, for the message */
export function accountsError(error: unknown, server: string): unknown {
  if (!(error instanceof Error) || error instanceof FilinglakeError) return error;
  const { code = '' } = error as { code?: string };
  if (CONTENDED.has(code)) {
    return new FilinglakeError('accounts-busy', 'the accounts are locked by another process', { cause: error });
  }
  return isAway(error) || REFUSALS.some((start) => code.startsWith(start)) ? unreachable(error, server) : error;
}

export function unreachable(error: Error, server: string): FilinglakeError {
  // Node adds an advice for those who run it.
  const why = error.message.replace(/; if the root CA is installed.*$/, '') || (error as { code?: string }).code;
  const remedy = remedyOf(error);
  return new FilinglakeError('accounts-unreachable', `the PostgreSQL server of the accounts, ${server}: ${why}`, {
    cause: error,
    ...(remedy && { remedy }),
  });
}

/** Undefined: that of the table. */
function remedyOf({ message, ...error }: Error): string | undefined {
  const { code = '', syscall } = error as { code?: string; syscall?: string };
  if (UNTRUSTED.has(code)) return 'Name the certificate of its authority in the address: sslrootcert=FILE.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Use a host name in the address that the certificate has.';
  if (code === 'CERT_HAS_EXPIRED') return 'Renew the certificate of the server.';
  if (syscall === 'open') return 'Check the file that sslrootcert, sslcert or sslkey names.';
  if (message.includes('does not support SSL')) return 'Turn TLS on at the server: ssl = on.';
  if (message.includes('no encryption')) return 'The server wants TLS: add sslmode=verify-full to the address.';
  return undefined;
}
