/** The operating system's errors in words. `ENOENT: no such file or directory, open 'x'` helps only people who know the codes. */

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'its path uses a file as a folder',
  EEXIST: 'a file with that name exists',
  EACCES: 'you have no permission',
  EPERM: 'the system does not permit it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'it is larger than the file system permits',
  EIO: 'the disk reports an input/output error (EIO)',
  EMFILE: 'too many files are open (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
  ELOOP: 'links form a circle',
  ENAMETOOLONG: 'its name is too long',
  EBUSY: 'another program holds it',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'no answer came in time',
  EHOSTUNREACH: 'there is no route to that host',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no answer came in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the service speaks http, not https: write http://…',
  EADDRINUSE: 'the port is taken',
  EADDRNOTAVAIL: 'this machine has no such address',
};

/** The system's reason, to end a sentence about a file or address; of another error its own message. */
export function systemErrorWords(error: unknown): string {
  const { code, message, syscall } = error as { code?: string; message?: string; syscall?: string };
  if (syscall === 'mkdir' && code === 'ENOENT') return 'no folder can be created there';
  if (syscall === 'mkdir' && code === 'EEXIST') return 'a file is in the place of the folder';
  return WORDS[code ?? ''] ?? message ?? String(error);
}
