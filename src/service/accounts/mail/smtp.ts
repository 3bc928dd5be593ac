/** Mails by SMTP. The library is loaded with the first mail: a service without SMTP needs none. */
import { FilinglakeError } from '../../../core/index.ts';
import type { Mail, MailSender } from './mail.ts';

const WAIT_MS = 15_000;

/** The part of nodemailer that is used here. */
interface Transport {
  sendMail(message: { from: string; to: string; subject: string; text: string }): Promise<unknown>;
  close(): void;
}
interface Nodemailer {
  createTransport(options: Record<string, unknown>): Transport;
}

export class SmtpSender implements MailSender {
  readonly #url: string;
  readonly #from: string;

  /** @param url `smtp://USER:PASSWORD@HOST:PORT`, `smtps://…` for TLS from the start; with `smtp` TLS is used if the server has it */
  constructor(url: string, from: string) {
    this.#url = url;
    this.#from = from;
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    const library: string = 'nodemailer';
    const { createTransport } = (await import(library)) as Nodemailer;
    const transport = createTransport({
      url: this.#url,
      connectionTimeout: WAIT_MS,
      greetingTimeout: WAIT_MS,
      socketTimeout: WAIT_MS,
      // A mail is text: nothing of it names a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({ from: this.#from, to, subject, text });
    } catch (cause) {
      // The server's words may repeat the address, never the password. A log keeps addresses longer than the account lives.
      const why = (cause instanceof Error ? cause.message : String(cause)).replaceAll(to, 'the recipient');
      throw new FilinglakeError('mail-failed', `the mail server did not take a mail: ${why}`);
    } finally {
      transport.close();
    }
  }
}
