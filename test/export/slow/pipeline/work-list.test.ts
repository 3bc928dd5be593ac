/** Work lists of filings with hundreds of documents. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/pipeline/work-list.test.ts');

export {};
