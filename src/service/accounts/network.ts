/** What counts as one caller: an address, or the network that one house has. */
import { isIPv4, isIPv6, SocketAddress } from 'node:net';

const BRACKETS = /^\[(.+)\](?::\d+)?$/;
const PORT_OF_IPV4 = /^([\d.]+):\d+$/;
const MAPPED = '::ffff:';

/**
 * The address that a socket or a proxy's X-Forwarded-For names, in its shortest form. `[2001:DB8::1]:443` becomes `2001:db8::1`, and
 * `::ffff:192.0.2.1` becomes `192.0.2.1`. Some proxies add the port, which differs with each connection. The zone (`%eth0`) is dropped.
 * @returns the text itself if it isn't an address
 */
export function shortAddress(text: string): string {
  const bare = BRACKETS.exec(text)?.[1] ?? PORT_OF_IPV4.exec(text)?.[1] ?? text;
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return text;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  const tail = address.slice(MAPPED.length);
  return address.startsWith(MAPPED) && isIPv4(tail) ? tail : address;
}

/** One house has many IPv6 addresses: the first 64 bits name it. @param text as for shortAddress */
export function networkOf(text: string): string {
  const address = shortAddress(text);
  if (!isIPv6(address)) return address;
  const [head = [], tail] = address.split('::').map((half) => half.split(':').filter((part) => part !== ''));
  const zeros = Array.from({ length: 8 - head.length - (tail?.length ?? 0) }, () => '0');
  return [...head, ...zeros, ...(tail ?? [])].slice(0, 4).join(':');
}
