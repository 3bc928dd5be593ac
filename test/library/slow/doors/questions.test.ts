/** Questions about real filings too, through every door. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/doors/questions.test.ts');

export {};
