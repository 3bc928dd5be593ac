/** `/readyz` and `/metrics` at an address of their own, which the users of the service don't reach. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import type { OpenPath } from './app.ts';

/** @throws FilinglakeError `address-unusable` */
export async function watchServer(
  paths: readonly OpenPath[],
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer(async (request, response) => {
    const found = paths.find(({ path }) => path === request.url?.split('?')[0]);
    if (found === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    const { status, body } = await found.answer();
    response.writeHead(status, { 'content-type': found.contentType, 'cache-control': 'no-store' });
    response.end(request.method === 'GET' ? body : '');
  });
  server.requestTimeout = 10_000;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const why = systemErrorWords(cause);
    throw new FilinglakeError('address-unusable', `metrics can't be served at ${host}:${port}: ${why}`, { cause });
  }
  return server;
}
