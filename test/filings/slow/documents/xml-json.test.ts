/** The largest JSON of an XML document. */
process.env.FILINGLAKE_CASES = 'slow';
await import('../../unit/documents/xml-json.test.ts');

export {};
