/** 10,000 pairs of a call and a moment. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/agents/as-of.test.ts');

export {};
