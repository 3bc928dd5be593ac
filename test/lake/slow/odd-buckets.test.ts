/** Buckets as they may be: cases that send many requests. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/odd-buckets.test.ts');

export {};
