/** Several processes that download from EDGAR at the same time. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/edgar-sync/fetch.test.ts');

export {};
