/** A scripted billing provider: takes checkouts, and sends signed events. */
import { createServer, type Server } from 'node:http';
import { requireSignature, SIGNATURE_HEADER, signatureOf } from '../../../src/accounts/billing/signature.ts';

export interface ProviderCall {
  path: string;
  body: { reference: string; plan?: string; email?: string };
}

export class BillingProvider {
  readonly secret = 'a secret of both';
  readonly calls: ProviderCall[] = [];
  /** Answers 500 while it is set */
  isDown = false;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        try {
          requireSignature(request.headers[SIGNATURE_HEADER] as string | undefined, body, this.secret, new Date());
        } catch {
          response.writeHead(401).end();
          return;
        }
        const { url = '' } = request;
        this.calls.push({ path: url, body: JSON.parse(body.toString()) });
        response.writeHead(this.isDown ? 500 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ url: `${this.url}/pay` }));
      });
    });
  }

  static async start(): Promise<BillingProvider> {
    const provider = new BillingProvider();
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** An event as it goes over the wire. */
  event(id: string, type: string, reference: string, at = new Date()): { body: string; signature: string } {
    const body = JSON.stringify({ id, type, reference, created: Math.floor(at.getTime() / 1_000) });
    return { body, signature: signatureOf(body, this.secret, at) };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
