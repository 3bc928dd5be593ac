/** Two commits of the same rows, in the tables that the integration test leaves out. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../integration/repeated-rows.test.ts');

export {};
