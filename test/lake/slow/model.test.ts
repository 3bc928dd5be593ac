/** The law of test/lake/integration/model.test.ts, for longer. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/model.test.ts');

export {};
