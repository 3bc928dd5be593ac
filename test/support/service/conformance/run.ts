/** All checks of a service, one after the other, and what they found. */
import { type Check, type CheckLevel, Skipped } from './check.ts';
import { CONTENT_CHECKS } from './checks/contents.ts';
import { ENTITY_CHECKS } from './checks/entities.ts';
import { ERROR_CHECKS } from './checks/errors.ts';
import { FILING_CHECKS } from './checks/filings.ts';
import { KEY_CHECKS } from './checks/keys.ts';
import { LIBERTY_CHECKS } from './checks/liberties.ts';
import { MEMBER_CHECKS } from './checks/members.ts';
import { PAGE_CHECKS } from './checks/pages.ts';
import { QUOTA_CHECKS } from './checks/quota.ts';
import { RECORD_CHECKS } from './checks/records.ts';
import { findSample } from './sample.ts';
import { Wire } from './wire.ts';

export const CHECKS: readonly Check[] = [
  ...KEY_CHECKS,
  ...ERROR_CHECKS,
  ...QUOTA_CHECKS,
  ...ENTITY_CHECKS,
  ...FILING_CHECKS,
  ...PAGE_CHECKS,
  ...MEMBER_CHECKS,
  ...RECORD_CHECKS,
  ...CONTENT_CHECKS,
  ...LIBERTY_CHECKS,
];

export interface CheckResult extends Omit<Check, 'run'> {
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

interface ConformanceKeys {
  apiKey: string;
  /** A key whose month is used up, for the checks of 429; null: they are skipped */
  spentKey: string | null;
}

/**
 * Checks a service. Some 170 requests, one after the other.
 * @param baseUrl without `/v2`
 * @throws FilinglakeError `service-unreachable` if no answer comes
 */
export async function checkConformance(
  baseUrl: string,
  { apiKey, spentKey }: ConformanceKeys,
  onResult: (result: CheckResult, done: number, total: number) => void = () => undefined,
): Promise<ConformanceReport> {
  const wire = new Wire(baseUrl, apiKey);
  const spentWire = spentKey === null ? null : new Wire(baseUrl, spentKey);
  try {
    const context = { wire, spentWire, sample: await findSample(wire) };
    const checks: CheckResult[] = [];
    for (const check of CHECKS) {
      const { id, level, title } = check;
      const result: CheckResult = { id, level, title, ...(await outcomeOf(() => check.run(context))) };
      checks.push(result);
      onResult(result, checks.length, CHECKS.length);
    }
    const must = countsOf(checks, 'must');
    const conforms = must.failed === 0 && must.passed > 0;
    const requests = wire.requests + (spentWire?.requests ?? 0);
    return { conforms, must, may: countsOf(checks, 'may'), requests, checks };
  } finally {
    await wire.close();
    await spentWire?.close();
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
