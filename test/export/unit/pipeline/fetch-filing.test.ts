import { describe, expect, it } from 'vitest';
import {
  type FilingClient,
  QuotaExceededError,
  RecordNotFoundError,
  ServiceFailedError,
  UnprocessableError,
  UnreachableError,
} from '../../../../src/export/client/index.ts';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { type ExportDefinition, PASSES } from '../../../../src/export/index.ts';
import type { WorkLine } from '../../../../src/export/pipeline/coverage/coverage.ts';
import { FailureLog } from '../../../../src/export/pipeline/failures/failure-log.ts';
import { FilingFetcher } from '../../../../src/export/pipeline/fetch/fetch-filing.ts';
import { lineOf as plannedLine } from '../../../../src/export/pipeline/plan/plan-filings.ts';
import type { RowBatch, SegmentSink } from '../../../../src/export/pipeline/staging/segment-sink.ts';
import type { RequestBudget } from '../../../../src/export/pipeline/worker/request-budget.ts';
import { revisionOf } from '../../../../src/export/revisions/index.ts';
import { pendingSteps } from '../../../../src/export/steps/index.ts';
import type { DocumentReference, Filing, FilingInfo } from '../../../../src/filings/api/index.ts';

const ACCESSION = '0000320193-24-000123';
const DOCUMENTS: DocumentReference[] = [1, 2].map((sequence) => ({
  document_id: `${ACCESSION}-${sequence}`,
  sequence,
  filename: `d${sequence}.htm`,
  description: null,
  type: sequence === 1 ? '8-K' : 'EX-99.1',
}));

function filing(documents = DOCUMENTS): Filing {
  const nothing = { acceptance_datetime: null, entity_name: null, report_date: null, size: null };
  return {
    accession_number: ACCESSION,
    cik: '320193',
    form_type: '8-K',
    filing_date: '2024-11-01',
    ...nothing,
    documents,
  };
}

function definition(types = 'all'): ExportDefinition {
  const yaml = `name: t\nselect: {}\ntables: [filings, parties, document_contents]\ndocuments: { types: [${types}] }`;
  return parseExportDefinition(yaml, 't.yaml', {}).definition;
}

const info: FilingInfo = {
  ...filing(),
  sections: [],
  items_8k: [],
  parties: [],
};
const content = (document_id: string) => ({
  document_id,
  accession_number: ACCESSION,
  sequence: 1,
  type: null,
  filename: null,
  description: null,
  content_type: 'text/html',
  encoding: 'utf-8' as const,
  size: 4,
  sha256: 'x',
  content: 'text',
});

/** A fetcher over a scripted service; its rows are kept. */
function fetcher(
  answers: { lookup?: () => object; info?: () => FilingInfo; document?: (id: string) => ReturnType<typeof content> },
  wanted = definition(),
) {
  const delivered: RowBatch[] = [];
  const client = {
    filingLookup: async () => (answers.lookup ?? (() => ({})))(),
    filingInfo: async () => ({ value: (answers.info ?? (() => info))() }),
    document: async ({ document_id }: { document_id: string }) => ({
      value: (answers.document ?? content)(document_id),
    }),
  } as unknown as FilingClient;
  const sink = {
    take: async (batch: RowBatch) => void delivered.push(batch),
    seal: async () => {},
  } as unknown as SegmentSink;
  const requestBudget = { settle: async () => {}, refused: () => {} } as unknown as RequestBudget;
  const log = new FailureLog({ query: async () => [] }, { run_id: 'r', definition: wanted });
  const options = { definition: wanted, client, sink, requestBudget, log, done: new Set<string>() };
  const passes = PASSES.map((pass) => new FilingFetcher({ ...options, pass }));
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
      document: (id) => (id.endsWith('-2') ? quotaEnds() : content(id)),
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
        return content(id);
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
      document: (id) => (id.endsWith('-2') ? quotaEnds() : content(id)),
    });
    await expect(fetching.fetch(lineOf(filing([])))).rejects.toThrow(QuotaExceededError);
    expect(delivered.flatMap(({ done }) => done)).toEqual([`${ACCESSION} document:${ACCESSION}-1`]);

    const { delivered: whole, ...again } = fetcher({});
    await again.fetch(lineOf(filing([])));
    expect(whole).toHaveLength(1);
    expect(whole[0]!.done).toEqual(
      ['info', `document:${ACCESSION}-1`, `document:${ACCESSION}-2`].map((step) => `${ACCESSION} ${step}`),
    );
  });

  it('is requested again if other documents are chosen, and only for those', async () => {
    const record = filing([]);
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
  const older = revisionOf({ ...filing(), acceptance_datetime: '2024-11-01T10:00:00' });
  const record = { ...filing(), acceptance_datetime: '2024-11-02T10:00:00' };
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
  const wanted = parseExportDefinition(
    'name: t\nselect: {}\ntables: [filings, section_contents]\nbudget: { order: breadth }',
    't.yaml',
    {},
  ).definition;
  const annual = (n: number): Filing => ({
    ...filing(),
    accession_number: `0000320193-24-${String(n).padStart(6, '0')}`,
    form_type: '10-K',
  });
  const recorded = (delivered: RowBatch[]) =>
    delivered.map(({ rows }) => (rows as Record<string, Record<string, unknown>[]>).coverage?.[0]?.status);
  /** @param lines the filings, of which the answered ones have sections */
  async function sectionsOf(count: number, explained: boolean, answered: readonly number[] = []) {
    const delivered: RowBatch[] = [];
    const asked: string[] = [];
    const client = {
      filingLookup: async () => ({}),
      filingSections: async ({ accession_number }: { accession_number: string }) => {
        asked.push(accession_number);
        if (answered.some((n) => annual(n).accession_number === accession_number))
          return {
            value: { accession_number, form_type: '10-K', sections: [{ section: '1A', title: null, html: 'x' }] },
          };
        throw new RecordNotFoundError('filing_sections answered 404', explained);
      },
    } as unknown as FilingClient;
    const sink = { take: async (batch: RowBatch) => void delivered.push(batch), seal: async () => {} };
    const lines = Array.from({ length: count }, (_, i) => lineOf(annual(i + 1), {}, wanted));
    const fetching = new FilingFetcher({
      definition: wanted,
      client,
      sink: sink as unknown as SegmentSink,
      pass: 'sections',
      done: new Set<string>(),
      requestBudget: { settle: async () => {}, refused: () => {} } as unknown as RequestBudget,
      log: new FailureLog({ query: async () => [] }, { run_id: 'r', definition: wanted }),
      lastPending: async () => lines.at(-1)!,
    });
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
