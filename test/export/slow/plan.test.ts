/** A plan of every document, compared with the run that follows it. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../e2e/plan.test.ts');

export {};
