/** What every room may use: errors, the system's errors in words, folders, small text functions. Knows nothing of filings. */
export * from './csv.ts';
export * from './days.ts';
export * from './errors/index.ts';
export * from './folders.ts';
export * from './html.ts';
export * from './objects.ts';
export { PLACES } from './places.ts';
export { DEFAULT_BASE_URL } from './service-address.ts';
export { quoteList, quoteName, quoteNames, quoteText } from './sql.ts';
export * from './system-errors.ts';
export * from './words.ts';
