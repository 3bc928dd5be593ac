/** Values of a filing's statements, for the page of its company. It is not an operation of /v2: pages alone ask for it. */
import type { ReaderOperation } from './operation.ts';

/** Loaded at the first view: mapping takes a thread 200 ms and 9 MB, and most threads never need it. */
let loaded: typeof import('./statement-values.ts') | null = null;

export const statements: ReaderOperation<'statements'> = {
  lane: 'long',
  deadlineMs: 10_000,
  async load() {
    loaded ??= await import('./statement-values.ts');
  },
  answer: (parameters, context) => loaded!.answerStatements(parameters, context),
};
