import { describe, expect, it } from 'vitest';
import {
  QuotaExceededError,
  RecordNotFoundError,
  ServiceFailedError,
  UnprocessableError,
  UnreachableError,
} from '../../../../src/export/client/index.ts';
import { type ExportDefinition, PASSES } from '../../../../src/export/index.ts';
import type { WorkLine } from '../../../../src/export/pipeline/coverage/coverage.ts';
import { lineOf as plannedLine } from '../../../../src/export/pipeline/plan/plan-filings.ts';
import type { RowBatch } from '../../../../src/export/pipeline/staging/segment-sink.ts';
import { revisionOf } from '../../../../src/export/revisions/index.ts';
import { pendingSteps } from '../../../../src/export/steps/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { clientOf, fetcherOf, sinkTo } from '../../../support/pipeline/activity-harness.ts';
import { accessionNumber, definitionOf, filingOfLookup } from '../../../support/pipeline/lake-of-runs.ts';

const ACCESSION = accessionNumber(1);
const filing = (over: Partial<Filing> = {}) => filingOfLookup(1, over);

function definition(types = 'all'): ExportDefinition {
  return definitionOf('filings, parties, document_contents', `documents: { types: [${types}] }`, '{}');
}

/** A fetcher over a scripted service; its rows are kept. */
function fetcher(answers: Parameters<typeof clientOf>[0] & { lookup?: () => object }, wanted = definition()) {
  const delivered: RowBatch[] = [];
  const { lookup = () => ({}) } = answers;
  const client = Object.assign(clientOf(answers), { filingLookup: async () => lookup() });
  const sink = sinkTo((batch) => delivered.push(batch));
  const passes = PASSES.map((pass) => fetcherOf({ definition: wanted, client, sink, pass }));
  return {
    delivered,
    /** Over all passes, as a run does it for one window. */
    async fetch(...lines: WorkLine[]) {
      for (const pass of passes) for (const line of lines) await pass.fetch(line);
    },
    async settleSuspects() {
      for (const pass of passes) await pass.settleSuspects();
    },
    async keepWhatIsDone() {
      for (const pass of passes) await pass.keepWhatIsDone();
    },
  };
}

function lineOf(
  record: Filing,
  covered: Record<string, { selector: string; revision: string; status: string }> = {},
  wanted = definition(),
): WorkLine {
  const pending = pendingSteps(wanted, record, new Map(Object.entries(covered)));
  if (pending.known) throw new Error('nothing is pending');
  return plannedLine(record, pending);
}

const quotaEnds = () => {
  throw new QuotaExceededError('the month is over', 'requests', new Date(0));
};
const tablesOf = (deliveries: RowBatch[]) => deliveries.map(({ rows }) => Object.keys(rows).sort());

describe('a filing that is new', () => {
  it('is committed step by step: fetched steps stay when the quota ends', async () => {
    const { delivered, ...fetching } = fetcher({
      document: (id) => (id.endsWith('-2') ? quotaEnds() : 'x'),
    });
    await expect(fetching.fetch(lineOf(filing()))).rejects.toThrow(QuotaExceededError);
    expect(delivered.flatMap(({ done }) => done)).toEqual([
      `${ACCESSION} info`,
      `${ACCESSION} document:${ACCESSION}-1`,
    ]);
  });

  it('is recorded as failed if one request can not succeed, and continues with the others', async () => {
    const { delivered, ...fetching } = fetcher({
      document: (id) => {
        if (id.endsWith('-1')) throw new UnprocessableError('it can not be given');
        return 'x';
      },
    });
    await fetching.fetch(lineOf(filing()));
    expect(delivered.map(({ failures }) => failures)).toEqual([0, 1, 0]);
    expect((delivered[1]!.rows as Record<string, { status?: string; code?: string }[]>).coverage![0]!.status).toBe(
      'failed',
    );
    expect((delivered[1]!.rows as Record<string, { code?: string }[]>).export_failures![0]!.code).toBe(
      'record-unprocessable',
    );
  });

  it('is not recorded as failed before another request has succeeded: the service may be down', async () => {
    const { delivered, ...fetching } = fetcher({
      info: () => {
        throw new ServiceFailedError('it failed', 500);
      },
      document: () => {
        throw new ServiceFailedError('it failed', 500);
      },
    });
    const lines = Array.from({ length: 4 }, () => lineOf(filing()));
    await expect(fetching.fetch(...lines)).rejects.toThrow('document failed 8 times in a row: it failed');
    await fetching.keepWhatIsDone();
    expect(delivered).toEqual([]);
  });
});

describe('a filing whose answer is lost on the way', () => {
  const cut = (reason: string) => new UnreachableError(`lost: ${reason}`, reason);
  const lost = (reason: string, lookup?: () => object) =>
    fetcher({
      ...(lookup ? { lookup } : {}),
      info: () => {
        throw cut(reason);
      },
      document: () => {
        throw cut(reason);
      },
    });
  const codesOf = (deliveries: RowBatch[]) =>
    deliveries
      .flatMap(({ rows }) => (rows as Record<string, { code: string }[]>).export_failures ?? [])
      .map((r) => r.code);

  it.each(['UND_ERR_SOCKET', 'ECONNRESET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ATTEMPT_TIMEOUT'])(
    'is recorded if the service answers a probe (%s)',
    async (reason) => {
      const { delivered, ...fetching } = lost(reason);
      await fetching.fetch(lineOf(filing()));
      expect(delivered).toEqual([]);
      await fetching.settleSuspects();
      expect(codesOf(delivered)).toEqual(Array(3).fill('service-unreachable'));
    },
  );

  it('is not recorded if that probe fails too, or may not be sent', async () => {
    const away = lost('UND_ERR_SOCKET', () => {
      throw cut('UND_ERR_SOCKET');
    });
    await away.fetch(lineOf(filing()));
    await expect(away.settleSuspects()).rejects.toThrow(UnreachableError);
    expect(away.delivered).toEqual([]);

    const used = lost('UND_ERR_SOCKET', quotaEnds);
    await used.fetch(lineOf(filing()));
    await used.settleSuspects();
    expect(used.delivered).toEqual([]);
  });

  it('ends the work if nothing listens any more', async () => {
    await expect(lost('ECONNREFUSED').fetch(lineOf(filing()))).rejects.toThrow(UnreachableError);
  });
});

describe('a filing whose documents only filing_info names', () => {
  it('keeps what is fetched when the quota ends, but for info: that alone would count as done', async () => {
    const { delivered, ...fetching } = fetcher({
      document: (id) => (id.endsWith('-2') ? quotaEnds() : 'x'),
    });
    await expect(fetching.fetch(lineOf(filing({ documents: [] })))).rejects.toThrow(QuotaExceededError);
    expect(delivered.flatMap(({ done }) => done)).toEqual([`${ACCESSION} document:${ACCESSION}-1`]);

    const { delivered: whole, ...again } = fetcher({});
    await again.fetch(lineOf(filing({ documents: [] })));
    expect(whole).toHaveLength(1);
    expect(whole[0]!.done).toEqual(
      ['info', `document:${ACCESSION}-1`, `document:${ACCESSION}-2`].map((step) => `${ACCESSION} ${step}`),
    );
  });

  it('is requested again if other documents are chosen, and only for those', async () => {
    const record = filing({ documents: [] });
    const revision = revisionOf(record);
    const first = lineOf(record, {}, definition('primary'));
    const covered = Object.fromEntries(
      [
        ...first.steps,
        { step: 'filing', selector: 'filings' },
        { step: `document:${ACCESSION}-1`, selector: 'raw' },
      ].map(({ step, selector }) => [step, { selector, revision, status: 'done' }]),
    );
    expect(pendingSteps(definition('primary'), record, new Map(Object.entries(covered))).known).toBe(true);
    const line = lineOf(record, covered, definition('all'));
    const { delivered, ...fetching } = fetcher({});
    await fetching.fetch(line);
    expect(delivered[0]!.done).toEqual([`${ACCESSION} info`, `${ACCESSION} document:${ACCESSION}-2`]);
  });
});

describe('a filing that has other content than the lake has', () => {
  const older = revisionOf(filing({ acceptance_datetime: '2024-11-01T10:00:00' }));
  const record = filing({ acceptance_datetime: '2024-11-02T10:00:00' });
  const done = (selector: string) => ({ selector, revision: older, status: 'done' });
  const covered = {
    filing: done('filings'),
    info: done('documents,parties'),
    [`document:${ACCESSION}-1`]: done('raw'),
  };

  it('replaces each step separately, with the tables that other exports requested from the same answer', async () => {
    const { delivered, ...fetching } = fetcher({});
    await fetching.fetch(lineOf(record, covered));
    expect(tablesOf(delivered)).toEqual([
      ['coverage', 'documents', 'parties'],
      ['coverage', 'document_contents'],
      ['coverage', 'document_contents'],
    ]);
    expect(delivered.map(({ replace }) => replace.map(({ table }) => table).sort())).toEqual([
      ['coverage', 'documents', 'export_failures', 'parties'],
      ['coverage', 'document_contents', 'export_failures'],
      [],
    ]);
  });

  it('keeps the rows of a step that can not be fetched, and coverage keeps their revision', async () => {
    const { delivered, ...fetching } = fetcher({
      document: () => {
        throw new UnprocessableError('it can not be given');
      },
    });
    await fetching.fetch(lineOf(record, covered, definition('primary')));
    expect(tablesOf(delivered)).toEqual([['coverage', 'documents', 'parties'], ['export_failures']]);
    expect(delivered[1]!.replace.map(({ table }) => table)).toEqual(['export_failures']);
  });
});

describe('sections that the service answers 404 for', () => {
  const wanted = definitionOf('filings, section_contents', 'budget: { order: breadth }', '{}');
  const recorded = (delivered: RowBatch[]) =>
    delivered.map(({ rows }) => (rows as Record<string, Record<string, unknown>[]>).coverage?.[0]?.status);
  /** @param lines the filings, of which the answered ones have sections */
  async function sectionsOf(count: number, explained: boolean, answered: readonly number[] = []) {
    const delivered: RowBatch[] = [];
    const asked: string[] = [];
    const client = clientOf({
      sections: (number) => {
        asked.push(number);
        if (answered.map(accessionNumber).includes(number)) return [['1A', 'x']];
        throw new RecordNotFoundError('filing_sections answered 404', explained);
      },
    });
    const lines = Array.from({ length: count }, (_, i) => lineOf(filingOfLookup(i + 1), {}, wanted));
    const sink = sinkTo((batch) => delivered.push(batch));
    const lastPending = async () => lines.at(-1)!;
    const fetching = fetcherOf({ definition: wanted, client, sink, pass: 'sections', lastPending });
    try {
      for (const line of lines) await fetching.fetch(line);
      await fetching.settleSuspects();
      return { delivered, asked, error: null };
    } catch (error) {
      return { delivered, asked, error };
    }
  }

  it('are absences if the answer explains itself', async () => {
    const { delivered, error } = await sectionsOf(60, true);
    expect(error).toBeNull();
    expect(recorded(delivered)).toEqual(Array(60).fill('absent'));
  });

  it('are absences if the operation answers others', async () => {
    const { delivered, error } = await sectionsOf(60, false, [30, 60]);
    expect(error).toBeNull();
    expect(recorded(delivered).filter((status) => status === 'absent')).toHaveLength(58);
  });

  it('are not absences if every request gets them: nothing is recorded, and few are sent', async () => {
    const { delivered, asked, error } = await sectionsOf(200, false);
    expect(error).toMatchObject({ code: 'operation-failing' });
    expect(delivered).toEqual([]);
    expect(asked).toHaveLength(21);
  });
});
