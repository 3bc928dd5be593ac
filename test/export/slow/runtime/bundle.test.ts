/** The bundle of the workflows without a cache. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/runtime/bundle.test.ts');

export {};
