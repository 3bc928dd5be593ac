/** Mails into a file, a JSON line each: for a service without a mail server. Only its owner may read it, for it has one-time links. */
import { appendFile } from 'node:fs/promises';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import type { Mail, MailSender } from './mail.ts';

export class MailFile implements MailSender {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async send(mail: Mail): Promise<void> {
    const line = `${JSON.stringify({ at: new Date().toISOString(), ...mail })}\n`;
    try {
      await appendFile(this.#file, line, { mode: 0o600 });
    } catch (cause) {
      const why = systemErrorWords(cause);
      throw new FilinglakeError('mail-failed', `${this.#file} can't be written: ${why}`, { cause });
    }
  }
}
