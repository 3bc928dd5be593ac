/** Deaths of the embedded Temporal, its supervisor and its users. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/runtime/temporal-server.test.ts');

export {};
