/** Every input and every service. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../integration/doors/inputs.test.ts');

export {};
