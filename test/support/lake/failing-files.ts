/** A failing operating system: at the Nth call, in one of four ways. */
import { type FileOperations, nodeFileOperations } from '../../../src/lake/storage/local/file-operations.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';

/**
 * `crash`: that call and all after it fail: the process is gone. `refusal`: only that call fails, without effect.
 * `lost-answer`: only that call fails, with its effect. `was-there`: the same, and the failing call is a link that reports that the
 * file exists, like NFS when it sends a link twice; other calls don't fail.
 */
export type Fault = 'crash' | 'refusal' | 'lost-answer' | 'was-there';
export const FAULTS: readonly Fault[] = ['crash', 'refusal', 'lost-answer', 'was-there'];

export interface FailingFiles extends FileOperations {
  /** Calls so far. */
  calls(): number;
}

/** @param at the first call is 1; 0: none fails */
export function failingFiles(at: number, fault: Fault): FailingFiles {
  let calls = 0;
  const fails = (name: string) => {
    const code = fault === 'crash' ? 'EIO' : fault === 'was-there' ? 'EEXIST' : 'ENOSPC';
    return Object.assign(new Error(`${code}: made to fail at call ${calls}, ${name}`), { code, syscall: name });
  };
  const due = () => at > 0 && (fault === 'crash' ? calls >= at : calls === at);
  const around = <Arguments extends unknown[]>(name: keyof FileOperations) => {
    const operation = nodeFileOperations[name] as unknown as (...args: Arguments) => Promise<void>;
    return async (...args: Arguments): Promise<void> => {
      calls++;
      const failing = due() && (fault !== 'was-there' || name === 'link');
      const error = fails(name);
      if (failing && fault !== 'lost-answer' && fault !== 'was-there') throw error;
      await operation(...args);
      if (failing) throw error;
    };
  };
  return {
    calls: () => calls,
    mkdir: around('mkdir'),
    write: around('write'),
    sync: around('sync'),
    rename: around('rename'),
    link: around('link'),
    unlink: around('unlink'),
    removeTree: around('removeTree'),
    appendSync(fd, bytes) {
      calls++;
      const failing = due() && fault !== 'was-there';
      if (failing && fault === 'refusal') throw fails('write');
      if (failing && fault === 'crash') {
        // The disk took half of it.
        nodeFileOperations.appendSync(fd, bytes.subarray(0, bytes.length >> 1));
        throw fails('write');
      }
      nodeFileOperations.appendSync(fd, bytes);
      if (failing) throw fails('write');
    },
  };
}

/**
 * A storage that sends a conditional put twice when an answer is late, like clients of object stores: the Nth put is done, and
 * reports "exists".
 */
export class TwiceSendingStorage extends LocalStorage {
  /** Paths that were put, in order. */
  readonly puts: string[] = [];
  readonly #at: number;

  /** @param at the first put is 1; 0: none */
  constructor(folder: string, at: number) {
    super(folder);
    this.#at = at;
  }

  override async putIfAbsent(file: string, bytes: Uint8Array): Promise<boolean> {
    this.puts.push(file);
    const at = this.puts.length;
    const put = await super.putIfAbsent(file, bytes);
    return at === this.#at ? false : put;
  }
}
