/** All checks of a service, one after the other, and what they found. */
import { type Check, type CheckLevel, Skipped } from './check.ts';
import { CONTENT_CHECKS } from './checks/contents.ts';
import { ENTITY_CHECKS } from './checks/entities.ts';
import { FILING_CHECKS } from './checks/filings.ts';
import { KEY_CHECKS } from './checks/keys.ts';
import { LIBERTY_CHECKS } from './checks/liberties.ts';
import { RECORD_CHECKS } from './checks/records.ts';
import { findSample } from './sample.ts';
import { Wire } from './wire.ts';

export const CHECKS: readonly Check[] = [
  ...KEY_CHECKS,
  ...ENTITY_CHECKS,
  ...FILING_CHECKS,
  ...RECORD_CHECKS,
  ...CONTENT_CHECKS,
  ...LIBERTY_CHECKS,
];

export interface CheckResult {
  id: string;
  level: CheckLevel;
  title: string;
  /** `skipped`: the service has nothing to check it with */
  result: 'passed' | 'failed' | 'skipped';
  /** What the service does in place of it, or why the check was skipped */
  reason: string | null;
}

export interface ConformanceReport {
  /** Every `must` that could be checked passed, and at least one did */
  conforms: boolean;
  must: Record<CheckResult['result'], number>;
  may: Record<CheckResult['result'], number>;
  /** Requests that were sent */
  requests: number;
  checks: CheckResult[];
}

/**
 * Checks a service. Some 110 requests, one after the other.
 * @param baseUrl without `/v2`
 * @throws FilinglakeError `service-unreachable` if no answer comes
 */
export async function checkConformance(
  baseUrl: string,
  apiKey: string,
  onResult: (result: CheckResult, done: number, total: number) => void = () => undefined,
): Promise<ConformanceReport> {
  const wire = new Wire(baseUrl, apiKey);
  try {
    const context = { wire, sample: await findSample(wire) };
    const checks: CheckResult[] = [];
    for (const check of CHECKS) {
      const { id, level, title } = check;
      const result: CheckResult = { ...{ id, level, title }, ...(await outcomeOf(() => check.run(context))) };
      checks.push(result);
      onResult(result, checks.length, CHECKS.length);
    }
    const must = countsOf(checks, 'must');
    const conforms = must.failed === 0 && must.passed > 0;
    return { conforms, must, may: countsOf(checks, 'may'), requests: wire.requests, checks };
  } finally {
    await wire.close();
  }
}

async function outcomeOf(run: () => Promise<string | null>): Promise<Pick<CheckResult, 'result' | 'reason'>> {
  try {
    const reason = await run();
    return { result: reason === null ? 'passed' : 'failed', reason };
  } catch (error) {
    if (error instanceof Skipped) return { result: 'skipped', reason: error.message };
    throw error;
  }
}

function countsOf(checks: readonly CheckResult[], level: CheckLevel): Record<CheckResult['result'], number> {
  const of = (result: CheckResult['result']) =>
    checks.filter((check) => check.level === level && check.result === result).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}
