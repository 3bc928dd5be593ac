/** Every table, view and recipe through every door, also those of other releases of DuckDB. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/doors/doors.test.ts');

export {};
