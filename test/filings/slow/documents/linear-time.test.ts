/** The time that a text takes, for the shapes that the unit test leaves out. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../unit/documents/linear-time.test.ts');

export {};
