/** A filing's structured form as parts of its page. It is not an operation of /v2: pages alone ask for it. */
import type { ReaderOperation } from './operation.ts';

/** Loaded at the first view, as for `statements`. */
let loaded: typeof import('./form-parts.ts') | null = null;

export const form: ReaderOperation<'form'> = {
  lane: 'long',
  deadlineMs: 10_000,
  async load() {
    loaded ??= await import('./form-parts.ts');
  },
  answer: (parameters, context) => loaded!.answerForm(parameters, context),
};
