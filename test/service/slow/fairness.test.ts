/** Slow jobs, deadlines and callers that leave. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/fairness.test.ts');

export {};
