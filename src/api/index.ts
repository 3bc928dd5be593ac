/** The /v2 interface: identifiers, parameters, records, section codes. Knows nothing of HTTP servers, stores or workflows. */
export * from './form-types.ts';
export * from './forms.ts';
export * from './identifiers.ts';
export * from './items8k.ts';
export * from './operations.ts';
export * from './quota-plans.ts';
export * from './records.ts';
export * from './sections.ts';
export * from './states.ts';
