/** A mail server for tests: takes mails by SMTP, asks for a password, and can refuse. */
import { createServer, type Server, type Socket } from 'node:net';

export interface TakenMail {
  from: string;
  to: string[];
  /** Headers and text */
  data: string;
  user: string;
}

export class SmtpServer {
  readonly mails: TakenMail[] = [];
  /** How many of the next mails are refused for now (451) */
  refusals = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => this.#talk(socket));
  }

  static async start(): Promise<SmtpServer> {
    const server = new SmtpServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #talk(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket)).on('error', () => {});
    let mail: TakenMail = { from: '', to: [], data: '', user: '' };
    let isData = false;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    const address = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';
    const take = (line: string) => {
      if (isData) {
        if (line !== '.') {
          mail.data += `${line.startsWith('..') ? line.slice(1) : line}\n`;
          return;
        }
        isData = false;
        this.mails.push(mail);
        mail = { ...mail, to: [], data: '' };
        return say('250 taken');
      }
      const [verb = ''] = line.toUpperCase().split(' ');
      if (verb === 'EHLO') return say('250-mail.example\r\n250 AUTH PLAIN');
      if (verb === 'AUTH') {
        const [, user = '', password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0');
        mail.user = user;
        return say(password === 'right' ? '235 welcome' : '535 wrong password');
      }
      if (verb === 'MAIL') {
        mail.from = address(line);
        return say(this.refusals-- > 0 ? '451 try later' : '250 ok');
      }
      if (verb === 'RCPT') {
        mail.to.push(address(line));
        return say('250 ok');
      }
      if (verb === 'DATA') {
        isData = true;
        return say('354 send it');
      }
      if (verb === 'QUIT') return socket.end('221 bye\r\n');
      return say('250 ok');
    };
    say('220 mail.example');
    socket.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) take(line);
    });
  }
}
