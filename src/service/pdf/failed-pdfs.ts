/** PDFs that could not be made. A repeated request is refused at once, and delays no other. */
import type { ParametersOf } from '../../filings/api/index.ts';
import { ServiceProblem } from '../answers/problem.ts';

/** How long a failure counts, by status, in milliseconds: a page stays too large, but a time-out may not repeat. */
const REMEMBERED_MS: Readonly<Record<number, number>> = { 422: 60 * 60_000, 504: 10 * 60_000 };
const FAILURES_MAX = 1_000;

export class FailedPdfs {
  readonly #failures = new Map<string, { problem: ServiceProblem; until: number }>();

  add(parameters: ParametersOf<'pdf'>, problem: ServiceProblem): void {
    const rememberedMs = REMEMBERED_MS[problem.status];
    if (rememberedMs === undefined) return;
    if (this.#failures.size >= FAILURES_MAX) this.#failures.delete(this.#failures.keys().next().value!);
    this.#failures.set(nameOf(parameters), { problem, until: Date.now() + rememberedMs });
  }

  find(parameters: ParametersOf<'pdf'>): ServiceProblem | null {
    const name = nameOf(parameters);
    const known = this.#failures.get(name);
    if (!known) return null;
    if (Date.now() <= known.until) return new ServiceProblem(known.problem.status, known.problem.message);
    this.#failures.delete(name);
    return null;
  }
}

function nameOf({ api_key: _, ...asked }: ParametersOf<'pdf'>): string {
  return JSON.stringify(Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1)));
}
