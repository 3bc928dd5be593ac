/** The law of test/integration/lake/copies.test.ts, for more copies and more readers. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/lake/copies.test.ts');

export {};
