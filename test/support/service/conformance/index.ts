/** Checks of a service against the /v2 interface, over HTTP: what it must do, and which liberties it takes. */

export { CHECKS, type CheckResult, type ConformanceReport, checkConformance } from './run.ts';
