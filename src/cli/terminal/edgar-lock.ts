/** One edgar command at a time works on a catalog, and one follows EDGAR. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeProcessLock } from '../../core/environment/index.ts';
import { FilinglakeError } from '../../core/index.ts';

const POLL_MS = 200;
const FOLLOW_LOCK = 'edgar-follow.lock';

/** @throws FilinglakeError `edgar-busy` */
export function takeEdgarLock(catalogFolder: string): Disposable {
  return take(catalogFolder, 'edgar.lock', 'another edgar command works on the catalog');
}

/** Waits until no other command works on the catalog. @throws the signal's reason */
export async function waitForEdgarLock(
  catalogFolder: string,
  options: { onWait: () => void; signal: AbortSignal },
): Promise<Disposable> {
  for (let hasSaid = false; ; hasSaid = true) {
    const lock = takeProcessLock(join(catalogFolder, 'edgar.lock'));
    if (lock !== null) return lock;
    if (!hasSaid) options.onWait();
    await sleep(POLL_MS, undefined, { signal: options.signal });
  }
}

/** A follower has its own lock all the time, and the lock of all commands during a look: others fetch in between. */
export class FollowLock {
  readonly #catalogFolder: string;
  #own: Disposable | null = null;

  constructor(catalogFolder: string) {
    this.#catalogFolder = catalogFolder;
  }

  /** @throws FilinglakeError `edgar-busy`: another process follows */
  take(): void {
    this.#own ??= take(this.#catalogFolder, FOLLOW_LOCK, 'another process follows EDGAR into the catalog');
  }

  /** @throws FilinglakeError `edgar-busy`; the errors of the look */
  async during(look: () => Promise<void>): Promise<void> {
    this.take();
    using _lock = takeEdgarLock(this.#catalogFolder);
    await look();
  }

  [Symbol.dispose](): void {
    this.#own?.[Symbol.dispose]();
  }
}

function take(catalogFolder: string, name: string, message: string): Disposable {
  const lock = takeProcessLock(join(catalogFolder, name));
  if (lock !== null) return lock;
  throw new FilinglakeError('edgar-busy', `${message} in ${catalogFolder}`);
}
