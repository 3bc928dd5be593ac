/** Exports through the library that are closed early. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../e2e/library.test.ts');

export {};
