/** The law of test/lake/integration/copies.test.ts, for more copies and more readers. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/copies.test.ts');

export {};
