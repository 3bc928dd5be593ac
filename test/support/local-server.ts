/** An HTTP server of a test, on a free port of this machine. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answering = (request: IncomingMessage, response: ServerResponse) => unknown;

export abstract class LocalServer implements AsyncDisposable {
  readonly #server = createServer((request, response) => {
    Promise.resolve(this.answer(request, response)).catch((error: Error) => response.destroy(error));
  });

  protected abstract answer(request: IncomingMessage, response: ServerResponse): unknown;

  async listen(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Breaks open connections, and refuses others. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

class FunctionServer extends LocalServer {
  protected readonly answer: Answering;

  constructor(answer: Answering) {
    super();
    this.answer = answer;
  }
}

export function serve(answer: Answering): Promise<LocalServer> {
  return new FunctionServer(answer).listen();
}
