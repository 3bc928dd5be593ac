/** Processes that compact a lake while others commit. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/concurrent.test.ts');

export {};
