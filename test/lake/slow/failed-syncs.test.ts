/** The law of test/lake/integration/failed-syncs.test.ts, at every call. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/failed-syncs.test.ts');

export {};
