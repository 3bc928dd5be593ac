/** Which addresses may be trusted as proxies. */
import { isIP } from 'node:net';
import { invalidValue } from '../../core/index.ts';

/** Names that stand for networks. */
const NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Reads a list such as `127.0.0.1, 10.0.0.0/8`: X-Forwarded-For of these addresses is believed.
 * @throws FilinglakeError `argument-invalid`
 */
export function readTrustedProxies(text: string): string[] {
  const addresses = text.split(',').map((address) => address.trim());
  const wrong = addresses.find((address) => !NAMES.includes(address) && !isAddressOrNetwork(address));
  if (wrong === undefined) return addresses;
  const expected = `IP addresses or networks (10.0.0.0/8), separated by commas, or ${NAMES.join(', ')}`;
  throw invalidValue('argument-invalid', '--trust-proxy', expected, wrong);
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  // A zone (`fe80::1%eth0`) names an interface of one machine.
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
