/** What the product itself passes of the suite, without the suite's own tools. The rest fails because they are missing, and for no other reason. */
import type { Verdicts } from './suite.ts';

/** Scenarios that need no fixture. */
export const PASSED = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list'],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
  ],
} as const;
/** Of HTTP alone. */
export const PASSED_OVER_HTTP = {
  '2025-11-25': ['dns-rebinding-protection'],
  '2026-07-28': ['dns-rebinding-protection', 'http-header-validation'],
} as const;
/** Checks of scenarios that need fixtures for others: at least so many pass. */
export const PASSED_CHECKS = { 'server-stateless': 24, caching: 7 };
const MISSING =
  /test_|not testable|-32601|there is no (?:tool|resource)|Method not found|fixture|json_schema_2020_12_tool|Prerequisite failed|Expected InputRequiredResult/i;

/** Failures that have another reason than a missing fixture, and scenarios that should pass and don't. @param except checks that don't apply */
export function unexplained(verdicts: Verdicts, passed: readonly string[], except: readonly string[] = []): string[] {
  const found = passed.filter((name) => (verdicts[name]?.passed ?? 0) === 0).map((name) => `${name} passes nothing`);
  for (const [scenario, { failed }] of Object.entries(verdicts))
    for (const [check, message] of Object.entries(failed)) {
      if (except.includes(check)) continue;
      if (passed.includes(scenario) || !MISSING.test(message)) found.push(`${scenario}: ${check}: ${message}`);
    }
  return found;
}
