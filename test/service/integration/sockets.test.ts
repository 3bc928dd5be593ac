/** Connections that send nothing, read nothing or stay for ever: none holds a descriptor or memory for long. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../../support/service/running-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({
    more: 400,
    limits: { headersTimeoutMs: 2_000, unreadTimeoutMs: 1_000, maxConnections: 300, maxConnectionsOfAddress: 300 },
  });
});
afterAll(() => service.stop());

const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

const descriptors = () => readdirSync('/proc/self/fd').length;

/** `allowHalfOpen`: the client never closes its side, as a hostile one. */
function connected(to = service): Promise<Socket> {
  const socket = createConnection({ port: to.service.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  return once(socket, 'connect').then(() => socket);
}

/** How many connections the service still has. */
async function connections(): Promise<number> {
  const { bytes } = await service.ask('/metrics');
  await service.ask('/metrics');
  return Number(/^filinglake_connections (\d+)/m.exec(bytes.toString())![1]);
}

/** Bytes of answers that the service still holds for clients. */
async function pendingBytes(): Promise<number> {
  const { bytes } = await service.ask('/metrics');
  return Number(/^filinglake_pending_answer_bytes (\d+)/m.exec(bytes.toString())![1]);
}

describe.skipIf(process.platform !== 'linux')('a connection', () => {
  it('that sends nothing, or never ends its headers, is answered 408 and freed', async () => {
    const before = descriptors();
    const sockets = await Promise.all(Array.from({ length: 60 }, () => connected()));
    for (const [i, socket] of sockets.entries()) {
      if (i % 2 === 0) socket.write(`GET /healthz HTTP/1.1\r\nx: ${'a'.repeat(30_000)}`);
    }
    expect(await connections()).toBeGreaterThanOrEqual(0);
    const heard = sockets.map((socket) => {
      let text = '';
      socket.on('data', (piece) => {
        text += piece;
      });
      return () => text;
    });
    await expect.poll(connections, { timeout: 120_000, interval: 300 }).toBeLessThan(5);
    for (const text of heard) expect(text()).toMatch(/^HTTP\/1.1 408 /);
    // What is left open is the clients' own side.
    expect(descriptors() - before).toBeLessThanOrEqual(60 + 5);
    for (const socket of sockets) socket.destroy();
  });

  it('can hold no more than 128 KiB of headers', async () => {
    const socket = await connected();
    socket.write('GET /healthz HTTP/1.1\r\n');
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece;
    });
    // In one piece: a slow machine has no time for the other limit, which is of the headers' time.
    socket.write(Array.from({ length: 20 }, (_, i) => `x-${i}: ${'a'.repeat(10_000)}\r\n`).join(''));
    await expect.poll(() => answer, { timeout: 120_000 }).toMatch(/^HTTP\/1.1 431 /);
    socket.destroy();
  });

  it('whose answer is not read is ended, and its bytes are forgotten', async () => {
    const page = `/v2/filing_lookup?api_key=${service.key}&to=10000`;
    const { bytes } = await service.ask(page);
    expect(bytes.length).toBeGreaterThan(64 * 1024);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connected()));
    const closed = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) {
      socket.pause();
      // Many answers behind one another: more than the system's buffers take.
      socket.write(`GET ${page} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(60));
    }
    // One: the connection that asks. A slow machine still answers requests that it accepted before the sockets were ended.
    await expect.poll(connections, { timeout: 120_000, interval: 500 }).toBeLessThanOrEqual(1);
    await expect.poll(pendingBytes, { timeout: 120_000, interval: 500 }).toBe(0);
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  });

  it('beyond the limit is closed at once, and the others are served', async () => {
    const few = await TestService.start({
      limits: { headersTimeoutMs: 3_000, maxConnections: 20, maxConnectionsOfAddress: 20 },
    });
    const sockets = await Promise.all(Array.from({ length: 40 }, () => connected(few)));
    const heard = await Promise.all(
      sockets.map(async (socket) => {
        let text = '';
        socket.on('data', (piece) => {
          text += piece;
        });
        await Promise.race([once(socket, 'end'), once(socket, 'close')]);
        socket.destroy();
        return text;
      }),
    );
    // Those that were let in wait for the limit of their headers' time, and hear of it.
    expect(heard.filter((text) => text === '').length).toBeGreaterThanOrEqual(10);
    expect(heard.filter((text) => text.startsWith('HTTP/1.1 408 ')).length).toBeGreaterThanOrEqual(20);
    await few.stop();
  });
});

describe.skipIf(process.platform !== 'linux')('an address', () => {
  /** Connections from this address that are open after the service has answered on all that it let in. */
  async function opened(to: TestService, count: number, localAddress: string): Promise<Socket[]> {
    const host = localAddress.includes(':') ? localAddress : '127.0.0.1';
    const sockets = await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = createConnection({ port: to.service.port, host, localAddress });
        socket.on('error', () => undefined);
        const heard = Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => undefined);
        socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
        await heard;
        return socket;
      }),
    );
    return sockets.filter((socket) => !socket.destroyed && socket.bytesRead > 0);
  }
  const CLIENT = '127.0.0.2';
  const OTHER = '127.0.0.3';

  it('can hold its share of the connections, and no more', async () => {
    const few = await TestService.start({ limits: { readerThreads: 1, maxConnections: 40 } });
    const held = await opened(few, 30, CLIENT);
    expect(held.length).toBe(10);
    expect((await opened(few, 10, OTHER)).length).toBe(10);
    for (const socket of held) socket.destroy();
    // The service hears of each end a moment later.
    await expect
      .poll(async () => (await opened(few, 1, CLIENT)).map((socket) => socket.destroy()).length, { timeout: 120_000 })
      .toBe(1);
    await few.stop();
  });

  it('of a trusted proxy has no share: behind it are many callers', async () => {
    const limits = { readerThreads: 1, maxConnections: 200, maxConnectionsOfAddress: 5 };
    const few = await TestService.start({ limits, trustedProxies: [CLIENT] });
    expect((await opened(few, 30, CLIENT)).length).toBe(30);
    expect((await opened(few, 30, OTHER)).length).toBe(5);
    await few.stop();
  });

  it.skipIf(!HAS_IPV6)('of IPv6 has a share too, beside those of IPv4 on the same port', async () => {
    const limits = { readerThreads: 1, maxConnections: 200, maxConnectionsOfAddress: 5 };
    const few = await TestService.start({ limits, host: '::' });
    const held = await opened(few, 20, '::1');
    expect(held.length).toBe(5);
    expect((await opened(few, 20, OTHER)).length).toBe(5);
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await opened(few, 1, '::1')).map((socket) => socket.destroy()).length).toBe(1);
    await few.stop();
  });
});
