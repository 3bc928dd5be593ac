/** A lake in a bucket: writers in several processes, and random faults of the store. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/lake-in-bucket.test.ts');

export {};
