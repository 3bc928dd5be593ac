/** The time that a text takes, for every shape, and longer ones than in the unit test. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../unit/documents/linear-time.test.ts');

export {};
