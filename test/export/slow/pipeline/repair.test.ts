/** Lost parts of every table, repaired and exported again: the cases of test/export/integration/pipeline/repair.test.ts, with all tables. */
process.env.FILINGLAKE_EVERY_TABLE = '1';
await import('../../integration/pipeline/repair.test.ts');

export {};
