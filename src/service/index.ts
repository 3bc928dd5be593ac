/** The /v2 service over HTTP. */
export { DEFAULT_LIMITS } from './http/limits.ts';
export { SERVICE_TITLE } from './http/openapi.ts';
export { readTrustedProxies } from './http/trusted-proxies.ts';
export { openLog } from './log.ts';
export { findBrowsers } from './pdf/find-browser.ts';
export type { ProcessOptions } from './processes/messages.ts';
export { startOneProcess } from './processes/one-process.ts';
export { type ServiceProcesses, startProcesses } from './processes/start-processes.ts';
export { type RunningService, type ServiceOptions, startService } from './start.ts';
