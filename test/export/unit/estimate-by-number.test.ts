/** The arithmetic of plans of accession numbers, hits and entities. That they agree with the runs is shown in test/export/e2e/selection.test.ts. */
import { describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import { type ListedFiling, planEntities, planListed } from '../../../src/export/estimate/index.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import type { CoveredStep } from '../../../src/export/steps/index.ts';

function definition(tables: string, more = ''): ExportDefinition {
  const yaml = `select: { accession_numbers: [0000000001-24-000001] }\ntables: [${tables}]\n${more}`;
  return parseExportDefinition(yaml, 'x.yaml', {}).definition;
}

const numberOf = (i: number) => `0000000001-24-${String(i).padStart(6, '0')}`;
const unknown = (i: number, form_type: string | null = null, cik: string | null = null): ListedFiling => ({
  accession_number: numberOf(i),
  known: null,
  form_type,
  cik,
});

function known(i: number, covered: Record<string, string>): ListedFiling {
  const accession_number = numberOf(i);
  const nothing = { filing_date: null, acceptance_datetime: null, entity_name: null, report_date: null, size: null };
  const filing = { accession_number, cik: '7', form_type: '10-K', ...nothing, documents: [] };
  const steps = Object.entries(covered).map(([step, selector]): [string, CoveredStep] => [
    step,
    { selector, revision: 'r', status: 'done' },
  ]);
  return { accession_number, known: { filing, covered: new Map(steps) }, form_type: null, cik: '7' };
}

function planned(wanted: ExportDefinition, filings: ListedFiling[], scale = 1) {
  const plan = planListed({ definition: wanted, filings, scale, knownCiks: new Set(['7']), today: null });
  return { ...plan, requests: Object.fromEntries(plan.steps.map(({ step, requests }) => [step, requests])) };
}

describe('a plan of accession numbers', () => {
  it('is exact if filing_info gives everything that is wanted', () => {
    const plan = planned(definition('filings, parties, documents'), [
      unknown(1),
      unknown(2),
      known(3, { filing: 'documents,filings', info: 'documents,parties' }),
    ]);
    expect(plan).toMatchObject({ filings: 3, known: 1, whole: true, requests: { filing_info: 2 }, notes: [] });
  });

  it('counts a main document each, and notes that sections depend on the form', () => {
    const wanted = definition('section_contents, document_contents');
    const plan = planned(wanted, [unknown(1), unknown(2)]);
    expect(plan).toMatchObject({ whole: false, requests: { filing_info: 2, sections: 0, documents: 2 } });
    expect(plan.notes[0]).toContain('requests for sections and documents may be added');
  });

  it('knows the sections of hits by their form, and the chosen ones only if the form has them', () => {
    const hits = [unknown(1, '10-K', '1'), unknown(2, '10-Q', '2'), unknown(3, '8-K', '2')];
    expect(planned(definition('section_contents'), hits)).toMatchObject({ whole: true, requests: { sections: 2 } });
    const some = definition('section_contents', 'sections: { codes: [1A] }');
    expect(planned(some, hits)).toMatchObject({ whole: true, requests: { filing_info: 3, sections: 1 } });
  });

  it('counts companies once, those that the lake has not at all, and each unknown one as another', () => {
    const wanted = definition('entities, filings');
    expect(planned(wanted, [unknown(1, '4', '1'), unknown(2, '4', '1'), unknown(3, '4', '7')]).requests).toMatchObject({
      entities: 1,
    });
    expect(planned(wanted, [known(1, { filing: 'filings' })]).requests).toMatchObject({ filing_info: 0, entities: 0 });
    const many = planned(
      wanted,
      Array.from({ length: 250 }, (_, i) => unknown(i)),
    );
    expect(many).toMatchObject({ whole: false, requests: { entities: 3 } });
    expect(many.notes).toEqual(['entities: at most, as if each filing were of another company']);
  });

  it('plans what the lake lacks: documents that no lookup wrote, another choice of sections', () => {
    const covered = { filing: 'filings', info: 'sections:1A', sections: '10-K:1A' };
    expect(planned(definition('filings'), [known(1, covered)])).toMatchObject({ known: 1 });
    expect(planned(definition('documents', 'documents: { sizes: false }'), [known(1, covered)]).requests).toMatchObject(
      {
        filing_info: 1,
      },
    );
    const sections = (codes: string) =>
      planned(definition('section_contents', `sections: { codes: [${codes}] }`), [known(1, covered)]);
    expect(sections('1A').known).toBe(1);
    expect(sections('1A, 7').requests).toMatchObject({ filing_info: 0, sections: 1 });
  });

  it('is scaled if only some hits were examined', () => {
    const plan = planned(definition('section_contents'), [unknown(1, '10-K', '1'), unknown(2, '4', '2')], 10);
    expect(plan).toMatchObject({ filings: 20, whole: false, requests: { filing_info: 20, sections: 10 } });
  });
});

describe('a plan of entities', () => {
  const wanted = parseExportDefinition('select: { entities: query }\ntables: [entities]\n', 'x.yaml', {}).definition;
  const sample = (count: number | null, received: number) => ({
    asked: 100,
    received,
    bytes: received * 500,
    truncated: false,
    count,
  });

  it('counts the pages of each lookup', () => {
    const { part, entities } = planEntities(wanted, [sample(7_321, 100), sample(12, 12)]);
    expect(entities).toBe(7_333);
    expect(part).toMatchObject({
      filings: 0,
      whole: true,
      steps: [{ step: 'entities', requests: 2, bytes: 3_666_500 }],
    });
  });

  it('is an estimate if windows must be split, and a minimum if the service counts pages', () => {
    const cut = planEntities(wanted, [sample(25_000, 100)]);
    expect(cut).toMatchObject({ entities: 25_000, part: { whole: false, steps: [{ requests: 5 }] } });
    const uncounted = planEntities(wanted, [sample(100, 100)]);
    expect(uncounted).toMatchObject({ entities: null, part: { whole: false } });
    expect(uncounted.part.notes[0]).toContain('does not state');
  });
});
