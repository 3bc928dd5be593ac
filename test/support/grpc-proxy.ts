/** A proxy before Temporal that denies some calls, as a server with roles does. It speaks HTTP/2 without TLS. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants, createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';

export interface GrpcProxy {
  /** `HOST:PORT` */
  address: string;
  /** Paths of the calls that were denied. */
  denied: string[];
  close(): Promise<void>;
}

/**
 * @param target `HOST:PORT`
 * @param statusOf gRPC's status for a path, such as 7 for PERMISSION_DENIED; null passes the call on
 */
export async function startGrpcProxy(target: string, statusOf: (path: string) => number | null): Promise<GrpcProxy> {
  const denied: string[] = [];
  const sessions = new Set<ServerHttp2Session | ClientHttp2Session>();
  const server = createServer();
  server.on('session', (session) => {
    const upstream = connect(`http://${target}`);
    for (const one of [session, upstream]) {
      sessions.add(one);
      one.on('error', () => {});
      one.on('close', () => sessions.delete(one));
    }
    session.on('close', () => upstream.close());
    session.on('stream', (stream, headers) => {
      const path = String(headers[constants.HTTP2_HEADER_PATH]);
      stream.on('error', () => {});
      const status = statusOf(path);
      if (status !== null) {
        denied.push(path);
        stream.respond(
          {
            ':status': 200,
            'content-type': 'application/grpc',
            'grpc-status': String(status),
            'grpc-message': 'denied',
          },
          { endStream: true },
        );
        return;
      }
      const onward = upstream.request({ ...headers, ':authority': target }, { endStream: false });
      onward.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
      stream.on('close', () => onward.close());
      onward.on('response', (answer, flags) => {
        const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
        let trailers: object = {};
        onward.on('trailers', (given) => {
          trailers = given;
        });
        if (stream.destroyed) return;
        stream.respond(answer, endStream ? { endStream } : { waitForTrailers: true });
        if (endStream) return;
        stream.on('wantTrailers', () => stream.sendTrailers(trailers as Record<string, string>));
        onward.on('data', (chunk: Buffer) => stream.write(chunk));
        onward.on('end', () => stream.end());
      });
      stream.pipe(onward);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    denied,
    async close() {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
}
