/** The law of test/integration/lake/model.test.ts, for longer. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/lake/model.test.ts');

export {};
