import { createServer } from 'node:net';

/** Of this machine, for a server that can't say which one it took. Another process may take it before. */
export function freePort(): Promise<number> {
  return new Promise((settle, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === 'object' ? settle(address.port) : fail(new Error('no port'))));
    });
  });
}
