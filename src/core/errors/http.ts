/** The HTTP statuses of the /v2 service's errors. The messages are part of its contract (docs/api.md). */
import type { ErrorText } from './exit-codes.ts';

export const HTTP_ERRORS = {
  400: ['A parameter is missing or invalid, or the request is not valid HTTP.', 'Correct what the message names.'],
  401: ['The API key is missing or invalid.', 'Send a key of this service.'],
  403: ['The account is closed.', 'Ask the operator of the service.'],
  404: ['There is no such path, filing or document, or the form has no sections.', 'Check the number or id.'],
  405: ['The path does not take this method.', 'Use GET.'],
  408: ['The request did not arrive in time.', 'Send it again.'],
  413: ['The body is too long.', 'Send fewer values.'],
  414: ['The URL is too long.', 'Send the parameters as a JSON body.'],
  415: ['The body is compressed, or is not JSON.', 'Send application/json in UTF-8.'],
  417: ['The Expect header asks for something that the service does not do.', 'Leave the header out.'],
  422: ['The document cannot be converted or rendered as requested.', 'Request another format.'],
  429: ["The month's requests or bytes are used up.", 'Wait as long as Retry-After says, or choose a larger plan.'],
  431: ['The headers are too long.', 'Send shorter headers.'],
  500: ['The service has a fault. Its log has the request id.', 'Report the request id to the operator.'],
  503: ['The service is busy, shutting down, or lacks what the request needs.', 'Send it again after Retry-After.'],
  504: ['The PDF was not ready in time.', 'Request single documents, or leave out the exhibits.'],
} as const satisfies Readonly<Record<number, ErrorText>>;

export type HttpStatus = keyof typeof HTTP_ERRORS;
