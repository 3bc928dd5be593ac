/** A corrected catalog: after any changes, with exports between them. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/pipeline/corrected-catalog.test.ts');

export {};
