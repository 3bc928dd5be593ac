import pino from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AccessionNumber, type DocumentId, parseAccessionNumber } from '../../../src/filings/api/index.ts';
import { PdfRenderer } from '../../../src/service/pdf/pdf-renderer.ts';
import { makeSmallCatalog, PICTURES_ONLY, type SmallCatalog } from '../../support/service/small-catalog.ts';

let catalog: SmallCatalog;
beforeAll(async () => {
  catalog = await makeSmallCatalog();
});

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
  it('is short: a caller who would wait too long should come again; with several lanes as many PDFs are made at a time', async () => {
    for (const pdfLanes of [1, 3]) {
      const renderer = new PdfRenderer(
        { catalogFolder: catalog.folder, pdfTimeoutMs: 240_000, pdfQueueLength: 2, pdfLanes },
        pino({ enabled: false }),
      );
      const started: number[] = [];
      const made = [0, 1, 2, 3, 4].map((i) =>
        statusOf(renderer.make(job, { key: 'k', onStart: () => started.push(i) })),
      );
      expect([started.length, renderer.waiting]).toEqual([pdfLanes, 2]);
      const refused = 5 - pdfLanes - 2;
      expect(await Promise.all(made)).toEqual([...Array(5 - refused).fill(404), ...Array(refused).fill(503)]);
      await renderer.close();
      expect(await statusOf(renderer.make(job))).toBe(503);
    }
  });

  it('lets a PDF wait for half of its time at most, which counts from its request', async () => {
    const renderer = new PdfRenderer(
      { catalogFolder: catalog.folder, pdfTimeoutMs: 20, pdfQueueLength: 2, pdfLanes: 1 },
      pino({ enabled: false }),
    );
    // The thread of the first takes longer to start than that.
    const first = statusOf(renderer.make(job));
    await expect(renderer.make(job)).rejects.toMatchObject({
      status: 503,
      message: 'the PDFs before this one took too long',
    });
    await first;
    await renderer.close();
  });

  it('remembers what can not be rendered: a repeated request reaches no thread', async () => {
    const renderer = new PdfRenderer(
      { catalogFolder: catalog.folder, pdfTimeoutMs: 240_000, pdfQueueLength: 2, pdfLanes: 1 },
      pino({ enabled: false }),
    );
    const parameters = { document_id: `${PICTURES_ONLY}-1` as DocumentId };
    let started = 0;
    const caller = { key: 'k', onStart: () => started++ };
    for (let time = 0; time < 3; time++) {
      await expect(renderer.make({ ...job, parameters }, caller)).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining("can't be rendered as PDF"),
      });
    }
    expect(started).toBe(1);
    await renderer.close();
  });

  it('fails its jobs if the thread can not start, and tries again with the next', async () => {
    const renderer = new PdfRenderer(
      { catalogFolder: `${catalog.folder}-not-there`, pdfTimeoutMs: 240_000, pdfQueueLength: 2, pdfLanes: 1 },
      pino({ enabled: false }),
    );
    await expect(renderer.make(job)).rejects.toThrow(/there is no catalog/);
    await expect(renderer.make(job)).rejects.toThrow(/there is no catalog/);
    await renderer.close();
  });

  it('answers what waits when the service ends', async () => {
    const renderer = new PdfRenderer(
      { catalogFolder: catalog.folder, pdfTimeoutMs: 240_000, pdfQueueLength: 2, pdfLanes: 1 },
      pino({ enabled: false }),
    );
    const made = [renderer.make(job), renderer.make(job)].map(statusOf);
    await renderer.close();
    expect(await Promise.all(made)).toEqual([503, 503]);
  });
});
