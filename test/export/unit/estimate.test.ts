/** The arithmetic of a plan, by hand. That a plan and the run after it agree is shown in test/export/e2e/plan.test.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import {
  type PlanPage,
  type PlanQuota,
  planLookup,
  planSampleSize,
  wholePlan,
} from '../../../src/export/estimate/index.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import { revisionOf } from '../../../src/export/revisions/index.ts';
import { type CoveredStep, pendingSteps } from '../../../src/export/steps/index.ts';
import type { Filing } from '../../../src/filings/api/index.ts';

const ALL =
  'tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]';

function definition(text = ALL): ExportDefinition {
  return parseExportDefinition(`name: planned\nselect: {}\n${text}\n`, 'planned.yaml', {}).definition;
}

function filing(n: number, form_type: string, size: number | null = 1_000_000): Filing {
  const accession_number = `0009100000-24-${String(n).padStart(6, '0')}`;
  const document = (sequence: number, type: string) => ({
    document_id: `${accession_number}-${sequence}`,
    sequence,
    type,
    description: null,
    filename: `d${sequence}.htm`,
  });
  return {
    accession_number,
    cik: String(9_100_000 + Math.floor(n / 2)),
    form_type,
    filing_date: '2024-01-31',
    acceptance_datetime: null,
    entity_name: 'Sample Company',
    report_date: null,
    size,
    documents: [document(1, form_type), document(2, 'EX-99.1')],
  };
}

const FORMS = ['10-K', '10-Q', '8-K', '4'];
const filings = (n: number) => Array.from({ length: n }, (_, i) => filing(i, FORMS[i % FORMS.length]!));

interface Input extends Omit<Parameters<typeof planLookup>[0], 'page'> {
  page: PlanPage;
  quota: PlanQuota | null;
  requestsPerSecond: number | null;
}

function input(of: readonly Filing[], more: Partial<Input> & { count?: number | null } = {}): Input {
  const { count = of.length, ...rest } = more;
  return {
    definition: definition(),
    filings: of,
    covered: new Map(),
    knownCiks: new Set(),
    today: null,
    page: { asked: 1_000, received: of.length, bytes: of.length * 800, truncated: false, count },
    quota: null,
    requestsPerSecond: null,
    ...rest,
  };
}

const planExport = (given: Input) => wholePlan(given.definition, [planLookup(given)], { ...given, entities: null });

const requestsOf = (plan: ReturnType<typeof planExport>) =>
  Object.fromEntries(plan.steps.map(({ step, requests }) => [step, requests]));

function quota(requests_left: number | null, requests_limit: number | null): PlanQuota {
  return { requests_left, requests_limit, bytes_left: null, bytes_limit: null };
}

/** Coverage as a run of the definition leaves it. */
function coverageOf(wanted: ExportDefinition, of: Filing): Map<string, CoveredStep> {
  const done = (selector: string) => ({ selector, revision: revisionOf(of), status: 'done' });
  const covered = new Map([['filing', done('documents,filings')]]);
  for (const { step, selector } of pendingSteps(wanted, of, new Map()).steps) covered.set(step, done(selector));
  return covered;
}

describe('a plan of reports with many pages', () => {
  const report = (n: number): Filing => {
    const one = filing(n, '10-K');
    const names = ['acme.htm', 'R1.htm', 'R2.htm', 'ex99.htm', 'acme.xsd', 'FilingSummary.xml'];
    const types = ['10-K', 'XML', 'XML', 'EX-99.1', 'EX-101.SCH', 'XML'];
    const documents = names.map((filename, i) => ({
      document_id: `${one.accession_number}-${i + 1}`,
      sequence: i + 1,
      filename,
      type: types[i]!,
      description: null,
    }));
    return { ...one, documents };
  };

  it('states how many requests may come on top, and is not exact', () => {
    const plan = planExport(input([report(0), report(1)], { definition: definition('tables: [xbrl_facts]') }));
    const pending = pendingSteps(definition('tables: [xbrl_facts]'), report(0), new Map()).steps;
    const undecided = pending.flatMap((step) => ('undecided' in step ? (step.undecided ?? []) : []));
    expect(undecided.length).toBeGreaterThan(0);
    expect(plan).toMatchObject({ whole: false, requests_more: 2 * undecided.length });
    expect(plan.notes).toEqual([expect.stringContaining('at most may come on top')]);
  });

  it('counts sections of 20-Fs among these: only filing_info says whether the service has some', () => {
    const plan = (more: string) =>
      planExport(
        input([filing(0, '20-F'), filing(1, '10-K')], { definition: definition(`tables: [section_contents]${more}`) }),
      );
    expect(plan('')).toMatchObject({ whole: false, requests: 3, requests_more: 1 });
    expect(plan('').notes).toEqual([expect.stringContaining('sections of 20-Fs')]);
    expect(plan('\nsections: { codes: [1A] }')).toMatchObject({ whole: true, requests: 2, requests_more: 0 });
  });

  it('says that tables of forms can’t be made from XML that is stored as JSON', () => {
    const notes = (xml: string) =>
      planExport(
        input([report(0)], {
          definition: definition(`tables: [document_contents]\ndocuments: { types: [all], xml: ${xml} }`),
        }),
      ).notes;
    expect(notes('json')).toEqual([expect.stringContaining('xml: raw')]);
    expect(notes('raw')).toEqual([]);
  });
});

describe('a plan of a completely examined selection', () => {
  it('counts requests exactly', () => {
    const plan = planExport(input(filings(8)));
    expect(plan).toMatchObject({ filings: 8, whole: true, known: 0, requests: 1 + 1 + 8 + 4 + 8, notes: [] });
    expect(requestsOf(plan)).toEqual({ lookup: 1, entities: 1, filing_info: 8, sections: 4, documents: 8 });
  });

  it('estimates bytes from the sizes in the lookup', () => {
    const { steps, bytes } = planExport(input([filing(0, '10-K')]));
    const of = Object.fromEntries(steps.map((step) => [step.step, step.bytes]));
    expect(of).toEqual({ lookup: 800, entities: 480, filing_info: 3_000, sections: 425_000, documents: 500_000 });
    expect(bytes).toBe(929_280);
    const sizeless = planExport(input([filing(0, '10-K', null)]));
    expect(sizeless.steps.find(({ step }) => step === 'documents')).toMatchObject({ requests: 1, bytes: null });
    expect(sizeless.bytes).toBeNull();
  });

  it('has only the lookup for filings that the lake has', () => {
    const of = filings(8);
    const covered = new Map(of.map((one) => [one.accession_number, coverageOf(definition(), one)]));
    const plan = planExport(input(of, { covered, knownCiks: new Set(of.map(({ cik }) => cik!)) }));
    expect(plan).toMatchObject({ known: 8, requests: 1 });
  });

  it('asks only the lookup for filings, and for documents without sizes', () => {
    const of = definition('tables: [filings, documents]\ndocuments: { sizes: false }');
    expect(planExport(input(filings(20), { definition: of }))).toMatchObject({
      requests: 1,
      steps: [{ step: 'lookup', tables: ['filings', 'documents'] }],
    });
    expect(planSampleSize(of)).toBeLessThan(planSampleSize(definition()));
  });
});

describe('the pending steps of a filing', () => {
  it('are all again if it has other content, none if its record states more or spells differently, and the failed ones', () => {
    const one = filing(0, '10-K');
    const covered = coverageOf(definition(), one);
    expect(pendingSteps(definition(), one, covered)).toMatchObject({ known: true, steps: [] });
    const changed = pendingSteps(definition(), { ...one, form_type: '10-K/A' }, covered);
    expect(changed).toMatchObject({ known: false, steps: pendingSteps(definition(), one, new Map()).steps });
    for (const over of [
      { report_date: '2023-12-31' },
      { entity_name: 'ANOTHER NAME' },
      { size: 77 },
      { cik: '77' },
      { filing_date: '2020-01-01' },
      { acceptance_datetime: null },
    ])
      expect(pendingSteps(definition(), { ...one, ...over }, covered)).toMatchObject({ changed: false, known: true });
    covered.set('info', { ...covered.get('info')!, status: 'failed' });
    expect(pendingSteps(definition(), one, covered).steps.map(({ step }) => step)).toEqual(['info']);
  });
});

describe('a plan from a part of the selection', () => {
  it('is scaled, and says so', () => {
    const plan = planExport(input(filings(100), { count: 5_000 }));
    expect(requestsOf(plan)).toEqual({
      lookup: 2,
      entities: 25,
      filing_info: 5_000,
      sections: 2_500,
      documents: 5_000,
    });
    expect(plan).toMatchObject({ filings: 5_000, whole: false, sampled: 100 });
    expect(plan.notes[0]).toContain('100 of 5,000');
  });

  it('counts lookups by windows beyond 10,000, by pages below, and by what an answer holds', () => {
    const lookups = (count: number, more: Partial<PlanPage> = {}, text = ALL) => {
      const base = input(filings(10), { count, definition: definition(text) });
      return requestsOf(planExport({ ...base, page: { ...base.page, ...more } })).lookup;
    };
    expect(lookups(9_999)).toBe(1);
    expect(lookups(70_000)).toBe(11);
    expect(lookups(9_999, {}, `${ALL}\nservice: { page_size: 1000 }`)).toBe(11);
    expect(lookups(995, { truncated: true })).toBe(111);
  });

  it('tells beyond 10,000 that crowded days take more lookups', () => {
    const notes = (count: number) => planExport(input(filings(10), { count })).notes.join();
    expect(notes(10_001)).toContain('a day on which more than 10,000 filings match');
    expect(notes(10_000)).not.toContain('a day');
  });

  it('is a minimum if the service counts its page only', () => {
    const base = input(filings(100));
    const plan = planExport({ ...base, page: { ...base.page, asked: 100 } });
    expect(plan.filings).toBeNull();
    expect(plan.notes[0]).toContain('minimum');
  });

  it('never has fewer requests for more filings', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 400_000 }), fc.integer({ min: 0, max: 400_000 }), (count, more) => {
        const [few, many] = [count, count + more].map((n) => planExport(input(filings(40), { count: n })));
        // One more request tells a page of a round length from an untold limit.
        expect(many!.requests + 1).toBeGreaterThanOrEqual(few!.requests);
        expect(few!.requests).toBe(few!.steps.reduce((total, { requests }) => total + requests, 0));
      }),
    );
  });
});

describe('months of quota', () => {
  const months = (of: PlanQuota, text = ALL) =>
    planExport(input(filings(100), { count: 5_000, quota: of, definition: definition(text) })).months;

  it('are counted from the remaining requests of this one', () => {
    // 12,527 requests.
    expect(months(quota(12_527, 20_000))).toBe(1);
    expect(months(quota(12_526, 20_000))).toBe(2);
    expect(months(quota(27, 2_500))).toBe(6);
    expect(months(quota(0, 100))).toBe(127);
  });

  it('give whole filings, the newest first: those of this month, and of a later one', () => {
    const whole = (of: PlanQuota, text = ALL) =>
      planExport(input(filings(100), { count: 5_000, quota: of, definition: definition(text) })).whole_filings;
    // 27 requests for lookups and companies, then 12,500 for 5,000 filings.
    expect(whole(quota(100, 100))).toEqual({ this_month: 29, a_month: 40 });
    expect(whole(quota(27, 2_500), `${ALL}\nbudget: { reserve: 27 }`)).toEqual({ this_month: 0, a_month: 989 });
    expect(whole(quota(50_000, null))).toEqual({ this_month: 5_000, a_month: null });
    expect(whole(quota(null, null))).toBeNull();
    expect(whole(quota(100, 100), `${ALL}\nbudget: { order: breadth }`)).toBeNull();
  });

  it('leave the reserve of each month untouched', () => {
    expect(months(quota(12_527, 20_000), `${ALL}\nbudget: { reserve: 10 }`)).toBe(2);
    expect(months(quota(5, 10), `${ALL}\nbudget: { reserve: 10 }`)).toBeNull();
  });

  it('are unknown if no limit is stated, and follow bytes if these are fewer', () => {
    expect(months(quota(null, null))).toBeNull();
    const of = { ...quota(1_000_000, 1_000_000), bytes_left: 1_000_000_000, bytes_limit: 1_000_000_000 };
    expect(months(of)).toBe(4);
  });
});

describe('time and budget', () => {
  it('go by the rate that was seen, and by the limits of the run', () => {
    const plan = planExport(
      input(filings(8), { requestsPerSecond: 11, definition: definition(`${ALL}\nbudget: { max_requests: 10 }`) }),
    );
    expect(plan).toMatchObject({ requests: 22, seconds: 2, stops_by_budget: 2 });
    expect(planExport(input(filings(8)))).toMatchObject({ seconds: null, stops_by_budget: 0 });
  });
});
