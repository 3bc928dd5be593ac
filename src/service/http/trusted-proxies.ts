/** Which addresses may be trusted as proxies. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { invalidValue } from '../../core/index.ts';
import { shortAddress } from '../accounts/index.ts';

/** Names that stand for networks: those that fastify takes. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** `127.0.0.1, 10.0.0.0/8`: their X-Forwarded-For is trusted. @throws FilinglakeError `argument-invalid` */
export function readTrustedProxies(text: string): string[] {
  const addresses = text.split(',').map((address) => address.trim());
  const wrong = addresses.find((address) => !Object.hasOwn(NETWORKS, address) && !isAddressOrNetwork(address));
  if (wrong === undefined) return addresses;
  const expected = `IP addresses or networks (10.0.0.0/8), separated by commas, or ${Object.keys(NETWORKS).join(', ')}`;
  throw invalidValue('argument-invalid', '--trust-proxy', expected, wrong);
}

/** Whether an address is one of these proxies. @param proxies as `readTrustedProxies` gives them */
export function isTrustedProxy(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of proxies.flatMap((proxy) => NETWORKS[proxy] ?? [proxy])) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (text) => {
    const address = shortAddress(text);
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  // A zone (`fe80::1%eth0`) names an interface of one machine.
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
