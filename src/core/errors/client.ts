/** Errors of requests to a /v2 service. Those of one record are stored in export_failures. */
import type { ErrorsByExit } from './exit-codes.ts';

export const CLIENT_ERRORS = {
  error: {
    'record-not-found': [
      'The service answered 404: no such filing or document, or a form without sections.',
      'Check the accession number or document id.',
    ],
    'record-unprocessable': [
      'The service answered 422: it cannot convert or render the document as requested.',
      'Request the document in another format.',
    ],
  },
  usage: {
    'request-refused': [
      'The service, or the client before it sent anything, refused the parameters of a request.',
      'Correct the parameter that the message names.',
    ],
  },
  finishedWithFailures: {
    'contract-broken': [
      'An answer breaks the published types of the service. An export records the value and does not store it.',
      'Report the value to the operator of the service.',
    ],
  },
  keyRefused: {
    'key-missing': [
      'The environment variable of the API key is not set.',
      'Set FILINGLAKE_API_KEY. For your own service run `filinglake keys create`.',
    ],
    'key-refused': [
      'The service refused the API key: 401, 402, 403, or a 400 that says so.',
      'Set FILINGLAKE_API_KEY to a key of this service. For your own service run `filinglake keys create`.',
    ],
  },
  unreachable: {
    'service-unreachable': [
      'No answer came: refused, reset, cut off or timed out.',
      'Check service.base_url (FILINGLAKE_BASE_URL), and that the service runs.',
    ],
    'service-failed': [
      'The service answered with a fault of its own: 5xx, a redirect, or a body that is not JSON.',
      'Run the command again when the service works again.',
    ],
    'answer-too-long': [
      'An answer is longer than the client accepts.',
      'Request less at a time: for a lookup, lower service.page_size.',
    ],
    'rate-limited': [
      'The service answered 429 for too many requests in a short time, even after all retries.',
      'Run the command again later. Lower service.connections to make an export slower.',
    ],
  },
  stoppedByQuota: {
    'quota-exceeded': [
      "The month's requests or bytes are used up.",
      'Wait until the service resets the quota, or choose a larger plan.',
    ],
    'budget-reached': [
      "The run's budget allows no further request.",
      'Raise budget in the export definition and export again. It continues where it stopped.',
    ],
  },
} as const satisfies ErrorsByExit;
