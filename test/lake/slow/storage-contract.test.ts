/** Lists of a bucket that have several pages. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/storage-contract.test.ts');

export {};
