/** The law of test/lake/integration/turns.test.ts, for longer. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/turns.test.ts');

export {};
