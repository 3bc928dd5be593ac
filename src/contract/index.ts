/** The /v2 interface: identifiers, parameters, records, section codes, errors. Knows nothing of HTTP servers, stores or workflows. */
export * from './counted.ts';
export * from './errors.ts';
export * from './folders.ts';
export * from './form-types.ts';
export * from './forms.ts';
export * from './identifiers.ts';
export * from './items8k.ts';
export * from './operations.ts';
export * from './plans.ts';
export * from './records.ts';
export * from './sections.ts';
export * from './shell-word.ts';
export * from './states.ts';
export * from './system-errors.ts';
