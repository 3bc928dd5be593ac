/** Backfills from archives that are incomplete, missing or damaged. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/edgar-sync/backfill.test.ts');

export {};
