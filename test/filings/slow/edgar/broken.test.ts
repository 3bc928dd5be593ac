/** The time that a damaged file takes. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../unit/edgar/broken.test.ts');

export {};
