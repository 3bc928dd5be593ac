export * from './exit-codes.ts';
export * from './filinglake-error.ts';
export * from './http.ts';
export * from './table.ts';
