/** What of the suite does not apply to filinglake, and why. Whatever is not listed must pass; what is listed must not. */
import type { Verdicts } from './suite.ts';

/** By scenario; with a list of checks, the others of the scenario must pass. */
export type Exceptions = Readonly<
  Record<string, string | { readonly why: string; readonly checks: readonly string[] }>
>;

const SESSIONS = '/mcp keeps no sessions: no tool asks its client for anything';
const NO_SUCH_TOOL = 'no tool takes a value from a header';
const NO_INPUT = 'no task asks for input';

/** Over HTTP, where a 2025-11-25 client is answered without a session. */
export const HTTP_2025: Exceptions = {
  'tools-call-sampling': SESSIONS,
  'tools-call-elicitation': SESSIONS,
  'elicitation-sep1034-defaults': SESSIONS,
  'elicitation-sep1330-enums': SESSIONS,
};

export const HTTP_2026: Exceptions = {
  'http-custom-header-server-validation': NO_SUCH_TOOL,
  'tasks-mrtr-input': NO_INPUT,
  'tasks-mrtr-composition': NO_INPUT,
  'tasks-dispatch-and-envelope': { why: NO_INPUT, checks: ['tasks-result-type-complete-on-non-task-responses'] },
  'tasks-required-task-error': 'every tool answers a client without tasks too',
};

const OF_HTTP = 'a rule of HTTP: of its headers, its statuses, or pages in browsers';

export const STDIO_2025: Exceptions = { 'dns-rebinding-protection': OF_HTTP };

const REMOVED = ['initialize', 'ping', 'logging-setlevel', 'resources-subscribe', 'resources-unsubscribe'];

export const STDIO_2026: Exceptions = {
  ...HTTP_2026,
  'dns-rebinding-protection': OF_HTTP,
  'http-header-validation': {
    why: OF_HTTP,
    checks: ['sep-2243-server-reject-invalid-headers'],
  },
  'server-stateless': {
    why: OF_HTTP,
    checks: [
      'meta-invalid-400',
      'unsupported-version-400',
      'header-mismatch-400',
      'method-not-found-404',
      ...REMOVED.map((method) => `method-not-found-404-${method}`),
    ]
      .map((check) => `sep-2575-http-server-${check}`)
      .concat('sep-2575-missing-capability-http-400'),
  },
  'tasks-request-headers': {
    why: OF_HTTP,
    checks: ['tasks-headers-reject-mismatched-method', 'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get'],
  },
};

/** Checks that have no meaning on standard input and output. */
export const OF_HTTP_CHECKS: readonly string[] = [
  'localhost-host-rebinding-rejected',
  ...Object.values(STDIO_2026).flatMap((one) => (typeof one === 'object' && one.why === OF_HTTP ? one.checks : [])),
];

/** What differs from the expectation: empty if all is as listed. */
export function surprises(verdicts: Verdicts, exceptions: Exceptions): string[] {
  const found: string[] = [];
  for (const [scenario, { failed }] of Object.entries(verdicts)) {
    const exception = exceptions[scenario];
    const checks = Object.keys(failed);
    if (typeof exception === 'string') {
      if (checks.length === 0) found.push(`${scenario} passes now`);
      continue;
    }
    for (const [check, message] of Object.entries(failed))
      if (!exception?.checks.includes(check)) found.push(`${scenario}: ${check}: ${message}`);
    for (const check of exception?.checks ?? []) if (!checks.includes(check)) found.push(`${check} passes now`);
  }
  for (const scenario of Object.keys(exceptions)) if (!(scenario in verdicts)) found.push(`${scenario} did not run`);
  return found;
}
