import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessionNumber, parseAccessionNumber } from '../../../src/api/index.ts';
import { PdfRenderer } from '../../../src/service/pdf/pdf-renderer.ts';
import { makeSmallCatalog, type SmallCatalog } from '../../support/service/small-catalog.ts';

let catalog: SmallCatalog;
beforeAll(async () => {
  catalog = await makeSmallCatalog();
});
afterAll(() => catalog.remove());

/** Of a filing that isn't there: answered by the thread without a browser. */
const job = {
  parameters: { accession_number: parseAccessionNumber('0000000000-00-000000') as AccessionNumber },
  accept: undefined,
  ifNoneMatch: undefined,
};
const statusOf = (made: Promise<unknown>) =>
  made.then(
    () => 200,
    (problem: { status: number }) => problem.status,
  );

describe('the line before the PDF thread', () => {
  it('is short: a caller who would wait too long should come again', async () => {
    const renderer = new PdfRenderer(
      { catalogFolder: catalog.folder, pdfTimeoutMs: 240_000, pdfQueueLength: 2 },
      pino({ enabled: false }),
    );
    const statuses = await Promise.all(Array.from({ length: 5 }, () => statusOf(renderer.make(job))));
    expect(statuses).toEqual([404, 404, 404, 503, 503]);
    await renderer.close();
    expect(await statusOf(renderer.make(job))).toBe(503);
  });

  it('fails its jobs if the thread can not start, and tries again with the next', async () => {
    const renderer = new PdfRenderer(
      { catalogFolder: `${catalog.folder}-not-there`, pdfTimeoutMs: 240_000, pdfQueueLength: 2 },
      pino({ enabled: false }),
    );
    await expect(renderer.make(job)).rejects.toThrow(/there is no catalog/);
    await expect(renderer.make(job)).rejects.toThrow(/there is no catalog/);
    await renderer.close();
  });

  it('answers what waits when the service ends', async () => {
    const renderer = new PdfRenderer(
      { catalogFolder: catalog.folder, pdfTimeoutMs: 240_000, pdfQueueLength: 2 },
      pino({ enabled: false }),
    );
    const made = [renderer.make(job), renderer.make(job)].map(statusOf);
    await renderer.close();
    expect(await Promise.all(made)).toEqual([503, 503]);
  });
});
