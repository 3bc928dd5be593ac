/** A share of the connections for each address: one caller can't take all of them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../accounts/index.ts';

/**
 * Closes connections beyond the share of their address at once. An IPv6 address counts with its /64 network, which one caller has.
 * @param isExempt addresses of proxies, behind which are many callers
 */
export function limitAddresses(server: Server, most: number, isExempt: (address: string) => boolean): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // The caller has left already.
    if (address === undefined) return void socket.destroy();
    if (isExempt(address)) return;
    const network = networkOf(address);
    const before = open.get(network) ?? 0;
    if (before >= most) return void socket.destroy();
    open.set(network, before + 1);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
