/** Following EDGAR for thirty days, and over many pages of its feed. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/edgar-sync/follow.test.ts');

export {};
