/** Streamable HTTP in front of servers that speak on standard input and output: the suite knows HTTP alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { listening } from './listening.ts';

interface Message {
  id?: string | number;
  method?: string;
  params?: { _meta?: Record<string, unknown> };
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const REVISION = '2026-07-28';

/** One server process. Its messages go to the newest request that waits, its answers to the request of their id. */
class Speaker {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<string | number, ServerResponse>();

  constructor(command: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, command, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.#child.stdout! }).on('line', (line) =>
      this.#heard(JSON.parse(line) as Message, line),
    );
  }

  /** Opens as a client of the revision without sessions does: the first message decides what the connection speaks. */
  open(): this {
    const _meta = { [VERSION]: REVISION, 'io.modelcontextprotocol/clientCapabilities': {} };
    this.say({ jsonrpc: '2.0', id: 'bridge', method: 'resources/list', params: { _meta } } as Message);
    return this;
  }

  #heard(message: Message, line: string): void {
    const isAnswer = message.method === undefined && message.id !== undefined;
    const to = isAnswer ? this.#waiting.get(message.id!) : [...this.#waiting.values()].at(-1);
    to?.write(`event: message\ndata: ${line}\n\n`);
    if (!isAnswer) return;
    this.#waiting.delete(message.id!);
    to?.end();
  }

  say(message: Message): void {
    this.#child.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends the response with the answer. */
  ask(message: Message, response: ServerResponse): void {
    this.#waiting.set(message.id!, response);
    response.on('close', () => {
      if (this.#waiting.delete(message.id!))
        this.say({ method: 'notifications/cancelled', params: { requestId: message.id }, jsonrpc: '2.0' } as Message);
    });
    this.say(message);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

export class StdioBridge {
  readonly #command: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #http: Server;
  /** Of the revisions with sessions. */
  readonly #sessions = new Map<string, Speaker>();
  /** Of the revision without: a process serves one request at a time. */
  readonly #idle: Speaker[] = [];
  readonly #all: Speaker[] = [];

  constructor(command: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.#command = command;
    this.#env = env;
    this.#http = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<string> {
    return `${await listening(this.#http)}/mcp`;
  }

  #speaker(): Speaker {
    const speaker = new Speaker(this.#command, this.#env);
    this.#all.push(speaker);
    return speaker;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(await text(request)) as Message;
    const session = request.headers['mcp-session-id'];
    const stream = { 'content-type': 'text/event-stream' };
    if (message.method === 'initialize') {
      const id = crypto.randomUUID();
      const speaker = this.#speaker();
      this.#sessions.set(id, speaker);
      return speaker.ask(message, response.writeHead(200, { ...stream, 'mcp-session-id': id }));
    }
    const ofSession = this.#sessions.get(String(session));
    if (message.method === undefined || message.id === undefined) {
      ofSession?.say(message);
      return void response.writeHead(202).end();
    }
    response.writeHead(200, stream);
    if (ofSession) return ofSession.ask(message, response);
    // Another revision is asked for first: the SDK holds an opened connection at its revision, whatever later messages name.
    const isOther = (message.params?._meta?.[VERSION] ?? REVISION) !== REVISION;
    const speaker = isOther ? this.#speaker() : (this.#idle.pop() ?? this.#speaker().open());
    response.on('close', () => (isOther ? speaker.kill() : this.#idle.push(speaker)));
    speaker.ask(message, response);
  }

  close(): void {
    for (const speaker of this.#all) speaker.kill();
    this.#http.closeAllConnections();
    this.#http.close();
  }
}
