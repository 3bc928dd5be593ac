/** Mails into a file, a JSON line each: for a service without a mail server. Only its owner may read it, for it has one-time links. */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { FilinglakeError, systemErrorWords } from '../../../core/index.ts';
import type { AccountsDatabase } from '../store/database.ts';
import { all, atomically, run } from '../store/operation.ts';
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

export class MailTable implements MailSender {
  readonly #database: AccountsDatabase;

  constructor(database: AccountsDatabase) {
    this.#database = database;
  }

  async send(mail: Mail): Promise<void> {
    const text = JSON.stringify({ at: new Date().toISOString(), ...mail });
    try {
      await this.#database.run(() => run('INSERT INTO mails (mail) VALUES (?)', text));
    } catch (cause) {
      throw new FilinglakeError('mail-failed', 'a mail could not be noted in the table of mails', { cause });
    }
  }

  /** Removes the mails to an address, and those that name it. */
  async forget(address: string): Promise<void> {
    await this.#database.run(function* () {
      yield* atomically();
      for (const { id, mail } of yield* all<{ id: number; mail: string }>('SELECT id, mail FROM mails')) {
        if (namesAddress(mail, address)) yield* run('DELETE FROM mails WHERE id = ?', id);
      }
    });
  }
}
