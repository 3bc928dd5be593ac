/** What is read from a submission changes only with the version of its reader: revisions of filings depend on it. */
import { expect, it } from 'vitest';
import { readerDigests, recordedDigests, unraised } from '../../support/catalog/reader-digests.ts';

it('another reading of the same samples has another reader version', async () => {
  const now = await readerDigests();
  expect(unraised(recordedDigests(), now), 'raise these in READER_VERSIONS (src/service/catalog/revision.ts)').toEqual(
    [],
  );
  expect(now, 'record them: node test/support/catalog/reader-digests.ts').toEqual(recordedDigests());
});

it('finds a reader whose version was not raised', () => {
  const [before, now] = [recordedDigests(), recordedDigests()];
  now.readers.sections.digest = 'another';
  expect(unraised(before, now)).toEqual(['sections']);
  now.readers.sections.version++;
  expect(unraised(before, now)).toEqual([]);
});
