/** /mcp: tools for agents over this service, by the protocol's Streamable HTTP. Requests that a tool sends count as those of the caller's key. */
import { Readable } from 'node:stream';
import type { McpHttpHandler, Server } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceProblem } from '../answers/problem.ts';
import type { AccountBook } from './account-book.ts';
import { readKey } from './operation-route.ts';

export interface McpParts {
  readonly accounts: AccountBook;
  /** Address of the service, as this process reaches it. */
  readonly address: () => string;
  /** Address of the service, as others reach it. */
  readonly publicUrl?: string | undefined;
  readonly tools: OpenTools;
}

/** The tools of one caller: requests that they send count as those of his key. */
export interface CallerTools {
  serverFor(apiKey: string): Server;
  close(): Promise<void>;
}

/** Called at the first request. @param address of the service, as this process reaches it @param onFault told when a tool fails */
export type OpenTools = (address: () => string, onFault: (error: unknown) => void) => Promise<CallerTools>;

/** Adds the path. What answers it is loaded with the first request. */
export function addMcp(app: FastifyInstance, parts: McpParts): void {
  const { accounts, address } = parts;
  let opened: Promise<{ handler: McpHttpHandler; close: () => Promise<void> }> | null = null;
  const open = async () => {
    const [{ createMcpHandler }, tools] = await Promise.all([
      import('@modelcontextprotocol/server'),
      parts.tools(address, (error) => app.log.error({ err: error }, 'a tool failed')),
    ]);
    const handler = createMcpHandler(({ authInfo }) => tools.serverFor(authInfo!.token));
    return { handler, close: async () => void (await Promise.all([handler.close(), tools.close()])) };
  };
  app.route({
    method: ['POST', 'GET', 'DELETE'],
    url: '/mcp',
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      // Refused before anything is loaded or read.
      refuseOthersPages(request, parts.publicUrl);
      const token = await readKey(request, accounts);
      opened ??= open();
      const { handler } = await opened;
      const answer = await handler.fetch(webRequest(request, address()), {
        authInfo: { token, clientId: token.slice(0, 8), scopes: [] },
      });
      reply.code(answer.status).headers(Object.fromEntries(answer.headers)).header('cache-control', 'no-store');
      return reply.send(
        answer.body === null ? null : Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]),
      );
    },
  });
  app.addHook('onClose', async () => (await opened?.catch(() => null))?.close());
}

/**
 * A web page may call only from this machine, or from the service's own address. A page whose name was bound to this machine's
 * address (DNS rebinding) has the origin of its name. Programs send no origin.
 */
function refuseOthersPages({ headers: { origin } }: FastifyRequest, publicUrl: string | undefined): void {
  if (origin === undefined) return;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const { hostname } = URL.parse(origin) ?? { hostname: '' };
  if ([...LOOPBACK, ...own].includes(hostname)) return;
  throw new ServiceProblem(403, 'pages of this origin may not call /mcp: set FILINGLAKE_PUBLIC_URL if it is your own');
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

function webRequest({ raw, method, body }: FastifyRequest, address: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw.headers)) {
    // The key stays here.
    if (name === 'authorization' || name === 'x-api-key' || name === 'connection' || value === undefined) continue;
    headers.set(name, [value].flat().join(', '));
  }
  return new Request(new URL('/mcp', address), {
    method,
    headers,
    ...(method === 'POST' && { body: (body as Buffer | undefined) ?? '' }),
  });
}
