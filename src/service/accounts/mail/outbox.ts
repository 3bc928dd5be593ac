/** Mails on their way. No request waits for them. A mail that fails is sent again, and in the end logged. */
import type { Mail, MailSender } from './mail.ts';

const PAUSES_MS = [1_000, 5_000, 30_000];

export class Outbox {
  readonly #sender: MailSender;
  readonly #onFailure: (error: unknown) => void;
  readonly #sending = new Set<Promise<void>>();
  #closed = false;

  /** @param onFailure called for a mail that was given up. The error has neither its text nor a link */
  constructor(sender: MailSender, onFailure: (error: unknown) => void) {
    this.#sender = sender;
    this.#onFailure = onFailure;
  }

  send(mail: Mail): void {
    const sending = this.#send(mail).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Settled when every mail has been sent or given up. No further attempts are made. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#sending);
  }

  async #send(mail: Mail): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#sender.send(mail);
      } catch (error) {
        const pause = PAUSES_MS[attempt];
        if (pause === undefined || this.#closed) return this.#onFailure(error);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}
