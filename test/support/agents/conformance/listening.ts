/** Small servers of the tests of conformance. */
import { once } from 'node:events';
import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @returns the address, with a name that means this machine */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** Passes requests on unchanged, with a key: the suite has none. */
export function keyed(to: string, key: string): Server {
  const { hostname, port } = new URL(to);
  return createServer((request, response) => {
    const { url, method, headers } = request;
    const on = send({ hostname, port, path: url, method, headers: { ...headers, 'x-api-key': key } }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    on.on('error', () => response.destroy());
    response.on('close', () => on.destroy());
    request.pipe(on);
  });
}
