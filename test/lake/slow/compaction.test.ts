/** Compactions of long text. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/compaction.test.ts');

export {};
