/** Exports straight from a catalog: after a kill, and by a worker of their own. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../e2e/from-a-catalog.test.ts');

export {};
