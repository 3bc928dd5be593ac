/** Mails into a table, for services on several machines without a mail server: all of them and the operator see the same mails. */
import { FilinglakeError } from '../../../core/index.ts';
import type { AccountsDatabase } from '../store/database.ts';
import { all, atomically, run } from '../store/operation.ts';
import type { Mail, MailSender } from './mail.ts';
import { namesAddress } from './mail-file.ts';

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
