/** Very many documents beyond documents.max_bytes. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/pipeline/too-large.test.ts');

export {};
