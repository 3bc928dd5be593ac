/** Objects in a bucket of S3 or a store like it: for lakes, and for packs of a catalog. */
export { bucketCounts } from './counts.ts';
export { eachOf } from './each-of.ts';
export { keptFiles } from './kept-files.ts';
export { type ObjectState, S3Objects } from './objects.ts';
export { keyOf, parsePlace, type S3Place } from './place.ts';
export { isPassing, refusal, statusOf } from './refusals.ts';
export { loadSdk, S3Requests } from './requests.ts';
export { type S3Settings, s3Settings } from './settings.ts';
