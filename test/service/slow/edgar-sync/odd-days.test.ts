/** Filings beyond the reach of the feed. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/edgar-sync/odd-days.test.ts');

export {};
