/** The default address of `filinglake serve`. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';
