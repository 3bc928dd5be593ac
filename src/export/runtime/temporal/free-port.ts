import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Listens once on a port of the loopback interface.
 * @param port default: any free one. Another process may take it afterwards
 * @returns the port
 * @throws the system's error if nobody may listen there, or somebody does
 */
export async function freePort(port = 0): Promise<number> {
  await using probe = createServer().listen({ host: '127.0.0.1', port });
  await once(probe, 'listening');
  return (probe.address() as AddressInfo).port;
}
