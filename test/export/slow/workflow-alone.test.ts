/** A batch that keeps its worker busy. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../e2e/workflow-alone.test.ts');

export {};
