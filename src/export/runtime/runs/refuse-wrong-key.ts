/** Whether a service takes a key, before a run that waits for the quota of another one is ended in its favour. */
import { catalogOf, type ExportDefinition } from '../../definition/index.ts';

/** A person waits for the answer. */
const RETRY = { attempts: 2, maxRetryAfterMs: 5_000 };

/**
 * Sends one request for one record. A key whose own quota is used up is taken: the run then waits for its reset.
 * @throws FilinglakeError `key-refused` (exit 4); other errors of the client: the service doesn't answer
 */
export async function refuseWrongKey({ service }: ExportDefinition, apiKey: string): Promise<void> {
  // A catalog of this machine has one key, made for it.
  if (catalogOf(service.base_url) !== null) return;
  const { FilingClient, QuotaExceededError } = await import('../../client/index.ts');
  const { base_url: baseUrl, method, key } = service;
  await using client = new FilingClient({ baseUrl, apiKey, method, retry: RETRY, ...(key && { key }) });
  try {
    await client.filingLookup({ from: 0, to: 1 });
  } catch (error) {
    if (!(error instanceof QuotaExceededError)) throw error;
  }
}
