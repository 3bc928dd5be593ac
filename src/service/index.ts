/** The /v2 service over HTTP. */
export type { OpenTools } from './http/mcp-route.ts';
export { SERVICE_TITLE } from './http/openapi.ts';
export { readTlsFiles } from './http/tls-files.ts';
export { readTrustedProxies } from './http/trusted-proxies.ts';
export { openLog } from './log.ts';
export { findBrowsers } from './pdf/find-browser.ts';
export { type RunningService, type ServiceOptions, startService } from './start.ts';
