/** A plans file that is read again when it changes: new limits and prices hold without a restart. */
import { statSync } from 'node:fs';
import type { QuotaPlans } from '../../../filings/api/index.ts';
import { defaultPlansFile, loadPlans } from './quota-plans.ts';

const LOOK_EVERY_MS = 1_000;

export class LivePlans implements QuotaPlans {
  readonly #file: string;
  readonly #onChange: (error: Error | null) => void;
  readonly #timer: NodeJS.Timeout;
  #plans: QuotaPlans;
  #stamp: string;

  /**
   * @param onChange called after each change: with null if the new plans hold, with the error if they can't be read; the plans before stay
   * @throws FilinglakeError as loadPlans
   */
  constructor(file: string = defaultPlansFile(), onChange: (error: Error | null) => void = () => {}) {
    this.#file = file;
    this.#onChange = onChange;
    this.#stamp = this.#look();
    this.#plans = loadPlans(file);
    this.#timer = setInterval(() => this.reload(), LOOK_EVERY_MS).unref();
  }

  get pricing_url(): string {
    return this.#plans.pricing_url;
  }

  get sign_up(): string | undefined {
    return this.#plans.sign_up;
  }

  get plans(): QuotaPlans['plans'] {
    return this.#plans.plans;
  }

  /** Reads the file if it has changed. */
  reload(): void {
    try {
      const stamp = this.#look();
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#plans = loadPlans(this.#file);
      this.#onChange(null);
    } catch (error) {
      this.#onChange(error as Error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): string {
    const found = statSync(this.#file, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
  }
}
