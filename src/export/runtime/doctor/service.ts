/** The /v2 service, its key and its remaining quota, checked without a request that counts against the month. */
import { FilinglakeError, systemErrorWords } from '../../../core/index.ts';
import { BadRequestError, FilingClient, type Quota, QuotaExceededError } from '../../client/index.ts';
import { type Check, missing, ok, warning } from './check.ts';

/** Title in the `/openapi.json` of services that don't count refused requests, and state their quota in each answer. */
export const FAMILY_TITLE = 'filinglake';
const TIMEOUT_MS = 10_000;
const UNSPENT = 'not checked: this service may count any request with the key against the month';

export interface ServiceToCheck {
  /** Without `/v2` */
  baseUrl: string;
  apiKey: string | null;
  keyVariable: string;
}

/** @returns checks of `service`, `key` and `quota` */
export async function checkService({ baseUrl, apiKey, keyVariable }: ServiceToCheck): Promise<Check[]> {
  const service = await reach(baseUrl);
  if (apiKey === null) {
    return [
      service.check,
      missing(
        'key',
        `${keyVariable} is not set`,
        `Set ${keyVariable} to a key of the service. For your own service run \`filinglake keys create --plan unlimited --catalog DIR\`.`,
      ),
    ];
  }
  if (service.check.state === 'missing') return [service.check, ok('key', `${keyVariable} is set; not tested`)];
  if (!service.isFamily) return [service.check, ok('key', `${keyVariable} is set; not tested`), ok('quota', UNSPENT)];
  return [service.check, ...(await checkKey(baseUrl, apiKey, keyVariable))];
}

/** `/openapi.json`, then a lookup without a key: neither can count against a month. */
async function reach(baseUrl: string): Promise<{ check: Check; isFamily: boolean }> {
  const remedy =
    'Set FILINGLAKE_BASE_URL, or service.base_url of the definition. To run your own service: `filinglake serve`.';
  const away = (why: string) => ({ check: missing('service', `${baseUrl} ${why}`, remedy), isFamily: false });
  try {
    const description = await ask(`${baseUrl}/openapi.json`);
    const title = description.status === 200 ? titleOf(await description.text()) : null;
    if (title === FAMILY_TITLE) {
      return { check: ok('service', `${baseUrl} answers, and is a filinglake service`), isFamily: true };
    }
    const { status } = await ask(`${baseUrl}/v2/entity_lookup`);
    if (status >= 300 && status < 400) return away(`redirects elsewhere (${status}): a key is not sent along`);
    if (status === 404) return away('answers, but has no /v2/entity_lookup (404): the base URL must not end in /v2');
    if (status >= 500) return away(`answers ${status}`);
    return { check: ok('service', `${baseUrl} answers (${status} without a key)`), isFamily: false };
  } catch (error) {
    return away(`doesn't answer: ${reasonOf(error)}`);
  }
}

function ask(url: string): Promise<Response> {
  // A connection that is kept may be closed by the service just when it is used again.
  const headers = { connection: 'close' };
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
}

function titleOf(text: string): string | null {
  try {
    const title: unknown = (JSON.parse(text) as { info?: { title?: unknown } }).info?.title;
    return typeof title === 'string' ? title : null;
  } catch {
    // Any page may be at that path.
    return null;
  }
}

/** A lookup without a filter is refused with 400 and doesn't count. The answer to a valid key states its quota. */
async function checkKey(baseUrl: string, apiKey: string, keyVariable: string): Promise<Check[]> {
  let quota: Quota | null = null;
  await using client = new FilingClient({
    baseUrl,
    apiKey,
    key: 'bearer',
    timeoutMs: TIMEOUT_MS,
    retry: { attempts: 1 },
    onRequest: (event) => {
      quota = event.quota;
    },
  });
  try {
    await client.entityLookup({});
    return [ok('key', `${keyVariable} is set and accepted`), quotaCheck(quota)];
  } catch (error) {
    if (error instanceof BadRequestError) return [ok('key', `${keyVariable} is set and accepted`), quotaCheck(quota)];
    if (error instanceof QuotaExceededError) {
      return [ok('key', `${keyVariable} is set and accepted`), warning('quota', error.message, error.remedy ?? '')];
    }
    if (!(error instanceof FilinglakeError)) throw error;
    return [missing('key', `${keyVariable} is set, but ${error.message}`, error.remedy ?? 'Try again later.')];
  }
}

function quotaCheck(quota: Quota | null): Check {
  const parts: string[] = [];
  let used = false;
  let resetSeconds: number | null = null;
  for (const [name, state] of Object.entries(quota ?? {}) as ['requests' | 'bytes', Quota['requests']][]) {
    if (state === null) continue;
    const of = state.limit === null ? '' : ` of ${state.limit.toLocaleString('en-US')}`;
    parts.push(`${state.remaining.toLocaleString('en-US')}${of} ${name}`);
    used ||= state.remaining === 0;
    resetSeconds ??= state.resetSeconds;
  }
  if (parts.length === 0) return ok('quota', 'no limit is stated');
  const until = resetSeconds === null ? '' : ` until ${new Date(Date.now() + resetSeconds * 1_000).toISOString()}`;
  const found = `${parts.join(' and ')} left${until}`;
  return used
    ? warning('quota', found, 'Wait for the reset, as exports do, or choose a larger plan.')
    : ok('quota', found);
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: NodeJS.ErrnoException }).cause;
  return systemErrorWords(cause ?? error);
}
