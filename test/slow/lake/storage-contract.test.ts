/** Lists of a bucket that have several pages. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/lake/storage-contract.test.ts');

export {};
