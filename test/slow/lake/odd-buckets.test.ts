/** Buckets as they may be: cases that send many requests. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/lake/odd-buckets.test.ts');

export {};
