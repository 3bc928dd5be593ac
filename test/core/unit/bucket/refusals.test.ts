import { expect, it } from 'vitest';
import { refusal } from '../../../../src/core/bucket/refusals.ts';

const PLACE = { bucket: 'b', prefix: '', url: 's3://b' } as never;

it.each([
  [new Error('Region is missing'), "s3://b/x can't be read: Region is missing"],
  [
    Object.assign(new Error('The header is\n malformed'), {
      name: 'AuthorizationHeaderMalformed',
      $metadata: { httpStatusCode: 400 },
    }),
    "s3://b/x can't be read: the store answers AuthorizationHeaderMalformed (HTTP 400): The header is malformed",
  ],
  [
    Object.assign(new Error('NotImplemented'), { name: 'NotImplemented', $metadata: { httpStatusCode: 501 } }),
    "s3://b/x can't be read: the store answers NotImplemented (HTTP 501)",
  ],
])('what a store refuses has its own words: %s', (error, message) => {
  expect(refusal(PLACE, 'read', 'x', error)).toMatchObject({ code: 'lake-unreadable', message });
});
