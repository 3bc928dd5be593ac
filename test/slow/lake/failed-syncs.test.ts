/** The law of test/integration/lake/failed-syncs.test.ts, at every call. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/lake/failed-syncs.test.ts');

export {};
