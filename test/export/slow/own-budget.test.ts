/** An export that stops at its own budget. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../e2e/quota.test.ts');

export {};
