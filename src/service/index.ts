/** The /v2 service over HTTP. */
export { DEFAULT_LIMITS, type ServiceLimits } from './http/limits.ts';
export { openApiDocument, SERVICE_TITLE } from './http/openapi.ts';
export { type FoundBrowser, findBrowsers } from './pdf/find-browser.ts';
export { type RunningService, type ServiceOptions, startService } from './start.ts';
