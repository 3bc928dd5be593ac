/** Listens on the requested port, or on the next free one. */
import type { FastifyInstance } from 'fastify';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';

/** Number of ports above the requested one that are tried. After that, any free port is used. */
const PORTS_TO_TRY = 20;
const HIGHEST_PORT = 65_535;

/** @param port 0: any free one @param strict a taken port is an error @throws FilinglakeError `address-unusable` */
export async function listen(app: FastifyInstance, host: string, port: number, strict: boolean): Promise<number> {
  const last = strict || port === 0 ? port : Math.min(port + PORTS_TO_TRY, HIGHEST_PORT);
  for (let candidate = port; candidate <= last; candidate++) {
    if (await tryPort(app, host, candidate)) return boundPort(app);
  }
  if (strict) throw new FilinglakeError('address-unusable', `port ${port} of ${host} is taken`);
  await tryPort(app, host, 0);
  return boundPort(app);
}

async function tryPort(app: FastifyInstance, host: string, port: number): Promise<boolean> {
  try {
    await app.listen({ host, port });
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE') return false;
    const why = code === 'EACCES' ? 'ports below 1024 need more rights' : systemErrorWords(error);
    throw new FilinglakeError('address-unusable', `can't listen on port ${port} of ${host}: ${why}`, { cause: error });
  }
}

function boundPort(app: FastifyInstance): number {
  const address = app.server.address();
  if (address === null || typeof address === 'string') {
    throw new FilinglakeError('address-unusable', 'the service listens on no port');
  }
  return address.port;
}
