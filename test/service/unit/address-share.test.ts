/** The share of connections of an address, or of a network of IPv6, without sockets: this machine has one address of a network. */
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { limitAddresses } from '../../../src/service/http/server.ts';
import { isTrustedProxy } from '../../../src/service/http/trusted-proxies.ts';

class MadeSocket extends EventEmitter {
  readonly remoteAddress: string | undefined;
  destroyed = false;
  constructor(remoteAddress: string | undefined) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** @returns which of the connections stay open, in order */
function letIn(addresses: readonly (string | undefined)[], most: number, proxies: readonly string[] = []): boolean[] {
  const server = new EventEmitter();
  limitAddresses(server as Server, most, isTrustedProxy(proxies));
  return addresses.map((address) => {
    const socket = new MadeSocket(address);
    server.emit('connection', socket);
    return !socket.destroyed;
  });
}

describe('the share of connections', () => {
  it('is that of a whole /64 network of IPv6', () => {
    expect(letIn(['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8:0:1::1'], 2)).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  it('is one for an IPv4 address and the same mapped into IPv6', () => {
    expect(letIn(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2'], 1)).toEqual([true, false, true]);
  });

  it('is not that of a trusted proxy, mapped or not', () => {
    const proxies = ['192.0.2.0/24', '2001:db8::/32', 'fe80::/10'];
    const addresses = ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::5', '2001:db8::6', 'fe80::1%eth0', 'fe80::2%eth0'];
    expect(letIn(addresses, 1, proxies)).toEqual(addresses.map(() => true));
    expect(letIn(addresses, 1)).toEqual([true, false, true, false, true, false]);
  });

  it('is free again when a connection closes, once', () => {
    const server = new EventEmitter();
    limitAddresses(server as Server, 1, () => false);
    const connect = (address: string) => {
      const socket = new MadeSocket(address);
      server.emit('connection', socket);
      return socket;
    };
    const first = connect('2001:db8::1');
    expect(connect('2001:db8::2').destroyed).toBe(true);
    first.destroy();
    first.emit('close');
    expect(connect('2001:db8::3').destroyed).toBe(false);
    expect(connect('2001:db8::4').destroyed).toBe(true);
  });

  it('is not asked for a connection that has left already', () => {
    expect(letIn([undefined, '192.0.2.1'], 1)).toEqual([false, true]);
  });
});
