/** Compactions of long text. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/lake/compaction.test.ts');

export {};
