/** A scripted billing provider: takes checkouts, and sends signed events. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { requireSignature, SIGNATURE_HEADER, signatureOf } from '../../../src/service/accounts/billing/signature.ts';
import { LocalServer } from '../local-server.ts';

export interface ProviderCall {
  path: string;
  body: { reference: string; plan?: string; email?: string };
}

export class BillingProvider extends LocalServer {
  readonly secret = 'a secret of both';
  readonly calls: ProviderCall[] = [];
  /** Answers 500 while it is set */
  isDown = false;

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
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
  }

  static start(): Promise<BillingProvider> {
    return new BillingProvider().listen();
  }

  /** An event as it goes over the wire. */
  event(id: string, type: string, reference: string, at = new Date()): { body: string; signature: string } {
    const body = JSON.stringify({ id, type, reference, created: Math.floor(at.getTime() / 1_000) });
    return { body, signature: signatureOf(body, this.secret, at) };
  }
}
