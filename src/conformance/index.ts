/** Checks of any /v2 service against the interface: what it must do, and which liberties it takes. */

export { CHECKS, type CheckResult, type ConformanceReport, checkConformance } from './run.ts';
