/** Mails into a file, a JSON line each: for a service without a mail server. Only its owner may read it, for it has one-time links. */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { FilinglakeError, systemErrorWords } from '../../../core/index.ts';
import type { Mail, MailSender } from './mail.ts';

/** Runs work while no other process runs such work. */
type Exclusively = (work: () => void) => Promise<void>;

export class MailFile implements MailSender {
  readonly #file: string;
  readonly #exclusively: Exclusively;

  constructor(file: string, exclusively: Exclusively) {
    this.#file = file;
    this.#exclusively = exclusively;
  }

  send(mail: Mail): Promise<void> {
    const line = `${JSON.stringify({ at: new Date().toISOString(), ...mail })}\n`;
    return this.#write(() => appendFileSync(this.#file, line, { mode: 0o600 }));
  }

  /** Removes the mails to an address, and those that name it. */
  forget(address: string): Promise<void> {
    return this.#write(() => {
      if (!existsSync(this.#file)) return;
      const lines = readFileSync(this.#file, 'utf8').split('\n');
      const kept = lines.filter((line) => !namesAddress(line, address));
      if (kept.length === lines.length) return;
      const copy = `${this.#file}.new`;
      rmSync(copy, { force: true });
      writeFileSync(copy, kept.join('\n'), { mode: 0o600, flush: true });
      renameSync(copy, this.#file);
    });
  }

  async #write(work: () => void): Promise<void> {
    try {
      await this.#exclusively(work);
    } catch (cause) {
      if (cause instanceof FilinglakeError) throw cause;
      const why = systemErrorWords(cause);
      throw new FilinglakeError('mail-failed', `${this.#file} can't be written: ${why}`, { cause });
    }
  }
}

/** Not if the address is only a part of a longer one. */
export function namesAddress(line: string, address: string): boolean {
  const escaped = address.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\w.!#$%&'*+/=?^\`{|}~-])${escaped}(?![\\w-]|\\.\\w)`, 'i').test(line);
}
