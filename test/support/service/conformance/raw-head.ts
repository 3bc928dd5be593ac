/** HEAD over a raw connection: HTTP clients drop the bytes behind the headers, which a check looks for. */
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface RawHead {
  status: number;
  /** Bytes behind the empty line that ends the headers */
  bodyBytes: number;
}

/** @throws Error if no answer comes within `timeoutMs` */
export async function rawHead(url: URL, timeoutMs: number): Promise<RawHead> {
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = isTls ? connectTls({ host, port, servername: host }) : connect({ host, port });
  try {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer in time')));
    // Ended by the service: `Connection: close` makes the end of the answer the end of the connection.
    socket.write(
      `HEAD ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
    );
    const bytes = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>));
    const end = bytes.indexOf('\r\n\r\n');
    const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(bytes.toString('latin1', 0, 16)) ?? [];
    if (end < 0 || status === undefined) throw new Error('the answer is not HTTP/1.1');
    return { status: Number(status), bodyBytes: bytes.length - end - 4 };
  } finally {
    socket.destroy();
  }
}
