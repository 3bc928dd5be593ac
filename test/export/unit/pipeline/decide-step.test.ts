/** What becomes of a step: a table of what the lake has, what the service answers, and what is written. */
import { describe, expect, it } from 'vitest';
import {
  ContractViolationError,
  RecordNotFoundError,
  ServiceFailedError,
  UnprocessableError,
} from '../../../../src/export/client/index.ts';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { verdictOf } from '../../../../src/export/pipeline/failures/verdict.ts';
import {
  decideAnswer,
  decideFailure,
  type FailedStep,
  type StepCase,
} from '../../../../src/export/pipeline/fetch/decide-step.ts';
import type { StepAnswer } from '../../../../src/export/pipeline/fetch/request-step.ts';
import type { RowBatch } from '../../../../src/export/pipeline/staging/segment-sink.ts';
import { revisionOf } from '../../../../src/export/revisions/index.ts';
import type { Step } from '../../../../src/export/selectors/index.ts';
import type { CoveredStep } from '../../../../src/export/steps/index.ts';
import type { Filing, FilingInfo } from '../../../../src/filings/api/index.ts';
import { filingOfLookup, infoOf, partyOf } from '../../../support/pipeline/activity-harness.ts';

const FILING: Filing = filingOfLookup(1, { filing_date: '2024-03-01' });
const REVISION = revisionOf(FILING);
const ID = FILING.documents[1]!.document_id;
const { definition } = parseExportDefinition(
  'name: t\nselect: {}\ntables: [filings, documents, section_contents, document_contents]\ndocuments: { types: [all] }',
  't.yaml',
  {},
);
const INFO: Step = { step: 'info', selector: 'documents' };
const SECTIONS: Step = { step: 'sections', selector: '10-K', form_type: '10-K' };
const DOCUMENT: Step = { step: `document:${ID}`, selector: 'raw', document_id: ID, output_format: 'raw' };
const NO_MORE: Step = { ...DOCUMENT, isUnlisted: true };

const done = (of: Step, over: Partial<CoveredStep> = {}): StepCase['line']['covered'] => ({
  [of.step]: { selector: of.selector, revision: REVISION, status: 'done', content: 'old', ...over },
});
const OLDER = { revision: '00000000..' };

function caseOf(step: Step, covered: StepCase['line']['covered'] = {}, today = '2024-11-01'): StepCase {
  const line = { filing: FILING, revision: REVISION, steps: [step], covered };
  return { definition, run_id: 'r', today, line, step };
}

function answer(over: Partial<StepAnswer> = {}): StepAnswer {
  return { result: { rows: {}, violations: [] }, info: null, etag: '"1"', content: 'new', ...over };
}
const sections = (...codes: string[]) =>
  answer({ result: { rows: { section_contents: codes.map((section) => ({ section })) }, violations: [] } });
const info = (filing: Filing): StepAnswer => answer({ info: infoOf(filing) as FilingInfo });

/** `status selector` of coverage, the tables whose older rows are deleted, and failures. */
function shown({ rows, replace, failures }: RowBatch) {
  const [coverage] = (rows as Record<string, { status: string; selector: string }[]>).coverage ?? [];
  const deleted = replace
    .map(({ table }) => table)
    .filter((table) => table !== 'coverage' && table !== 'export_failures');
  return [coverage ? `${coverage.status} ${coverage.selector}`.trim() : null, deleted.join(' '), failures];
}

describe('an answer', () => {
  it.each<[string, StepCase, StepAnswer | null, unknown[]]>([
    ['with rows is stored', caseOf(DOCUMENT), answer(), ['done raw', '', 0]],
    [
      'replaces the rows of an older one',
      caseOf(DOCUMENT, done(DOCUMENT, OLDER)),
      answer(),
      ['done raw', 'document_contents', 0],
    ],
    ['that did not change replaces coverage alone', caseOf(DOCUMENT, done(DOCUMENT)), null, ['done raw', '', 0]],
    ['with the same rows too', caseOf(DOCUMENT, done(DOCUMENT)), answer({ content: 'old' }), ['done raw', '', 0]],
    ['without sections is an absence', caseOf(SECTIONS), sections(), ['absent 10-K', '', 0]],
    [
      'without sections covers nothing of a young filing',
      caseOf(SECTIONS, {}, '2024-03-02'),
      sections(),
      ['absent', '', 0],
    ],
    [
      'that names more documents has their choice in its selector',
      caseOf(INFO),
      info(filingOfLookup(1, { documents: [...FILING.documents, { ...FILING.documents[0]!, document_id: `${ID}0` }] })),
      ['done contents:all+json,documents,more', '', 0],
    ],
    [
      'of a document that filing_info lists no more',
      caseOf(NO_MORE, done(NO_MORE)),
      answer(),
      ['done raw', 'document_contents', 0],
    ],
  ])('%s', (_, of, given, expected) => {
    const decided = decideAnswer(of, given);
    expect(shown(decided.batch)).toEqual(expected);
    expect(decided).toMatchObject({ breaker: 'answered' });
    expect(decided.suspect).toBeUndefined();
  });

  it('of filing_info without a document of the lookup fails, and leaves its row', () => {
    const { batch, faults } = decideAnswer(caseOf(INFO), info({ ...FILING, documents: FILING.documents.slice(0, 1) }));
    expect(shown(batch)).toEqual(['failed documents', '', 0]);
    expect((batch.rows as Record<string, unknown[]>).documents).toMatchObject([{ document_id: ID }]);
    expect(faults?.as).toBe('violation');
  });
});

describe('an answer that lacks only what another export has asked for', () => {
  const named = (...codes: string[]) => codes.map((section) => ({ section, title: null, heading: null }));
  const titled = (tables: string[]): StepAnswer => {
    const found = { ...infoOf(FILING), sections: named('Business', 'Risks') } as unknown as FilingInfo;
    const rows = Object.fromEntries(tables.map((name) => [name, name === 'sections' ? found.sections : []]));
    return answer({ info: found, result: { rows: rows as never, violations: [] } });
  };
  const joint: Step = { step: 'info', selector: 'documents,sections:1A' };

  it('is whole, and covers what this one asks for', () => {
    const decided = decideAnswer(caseOf(joint), titled(['documents', 'sections']));
    expect(shown(decided.batch)).toEqual(['done documents', '', 0]);
    expect(decided.faults).toBeUndefined();
    expect((decided.batch.rows as Record<string, unknown[]>).sections).toHaveLength(2);
  });

  it('is not whole for that other one', () => {
    const of = caseOf(joint);
    const tables = [...of.definition.tables, 'sections' as const];
    const own = { ...of, definition: { ...of.definition, tables, sections: { codes: ['1A'] } } };
    const decided = decideAnswer(own, titled(['documents', 'sections']));
    expect(shown(decided.batch)).toEqual(['failed documents,sections:1A', '', 0]);
    expect(decided.faults).toMatchObject({ as: 'violation' });
  });

  it('is whole if the value of another table can not be stored, and covers its own tables', () => {
    const party = { ...partyOf('1', 'A'), former_names: [{ name: 'B', date_of_change: 'never' }] };
    const found = { ...infoOf(FILING), parties: [party] } as FilingInfo;
    const given = answer({ info: found, result: { rows: {}, violations: [{ path: 'parties[0]', value: 'never' }] } });
    const step: Step = { step: 'info', selector: 'documents,parties,party_former_names' };
    const decided = decideAnswer(caseOf(step), given);
    expect(shown(decided.batch)).toEqual(['done documents', '', 0]);
    expect(decided.faults).toBeUndefined();
  });

  it('is whole if sections are missing that the other chose', () => {
    const of = caseOf({ step: 'sections', selector: '10-K:1A,10-K:7', form_type: '10-K' });
    const own = { ...of, definition: { ...of.definition, sections: { codes: ['1A'] } } };
    const decided = decideAnswer(own, sections('1A'), ['1A', '7']);
    expect(shown(decided.batch)).toEqual(['done 10-K:1A', '', 0]);
    const other = { ...of, definition: { ...of.definition, sections: { codes: ['7'] } } };
    expect(shown(decideAnswer(other, sections('1A'), ['1A', '7']).batch)).toEqual(['failed 10-K:1A,10-K:7', '', 0]);
  });
});

const NOT_FOUND = new RecordNotFoundError('no such record');
const UNEXPLAINED = new RecordNotFoundError('Not Found', false);
const FAULT = new ServiceFailedError('500', 500);
const REFUSED = new UnprocessableError('422');
const BROKEN = new ContractViolationError('document', { path: 'size', value: 'x', subject: ID }, 'no number');

describe('a failed request', () => {
  it.each<[string, StepCase, Error, unknown[], Partial<FailedStep>?]>([
    ['of a document is a failure', caseOf(DOCUMENT), NOT_FOUND, ['failed raw', '', 1, 'answered', 'taken']],
    ['of a refused document too', caseOf(DOCUMENT), REFUSED, ['failed raw', '', 1, 'failed', 'taken']],
    [
      'of a broken record that was reported teaches nothing',
      caseOf(DOCUMENT),
      BROKEN,
      ['failed raw', '', 1, null, 'taken'],
      { isKnown: true },
    ],
    [
      'keeps rows and coverage of an older answer',
      caseOf(DOCUMENT, done(DOCUMENT, OLDER)),
      NOT_FOUND,
      [null, '', 1, 'answered', 'taken'],
    ],
    ['that may be the service’s fault is held', caseOf(DOCUMENT), FAULT, ['failed raw', '', 1, null, 'held']],
    ['of sections is an absence', caseOf(SECTIONS), NOT_FOUND, ['absent 10-K', '', 0, 'answered', 'taken']],
    [
      'of sections deletes older ones',
      caseOf(SECTIONS, done(SECTIONS)),
      NOT_FOUND,
      ['absent 10-K', 'section_contents', 0, 'answered', 'taken'],
    ],
    [
      'of sections deletes none that are listed',
      caseOf(SECTIONS, done(SECTIONS)),
      NOT_FOUND,
      ['failed 10-K', '', 1, 'answered', 'taken'],
      { isListed: true },
    ],
    ['of sections without an explanation is held', caseOf(SECTIONS), UNEXPLAINED, ['absent 10-K', '', 0, null, 'held']],
    [
      'of a document that filing_info lists no more deletes it',
      caseOf(NO_MORE, done(NO_MORE)),
      NOT_FOUND,
      ['absent', 'document_contents', 0, 'answered', 'taken'],
    ],
    [
      'of filing_info leaves the lookup’s documents',
      caseOf(INFO),
      NOT_FOUND,
      ['failed documents', '', 1, 'answered', 'taken'],
    ],
  ])('%s', (_, of, error, expected, failed) => {
    const verdict = verdictOf(error) as FailedStep['verdict'];
    const decided = decideFailure(of, { error, verdict, row: {}, isKnown: false, ...failed });
    const fate = decided.suspect === undefined ? 'taken' : 'held';
    expect([...shown(decided.batch), decided.breaker, fate]).toEqual(expected);
  });

  it('of sections without an explanation is a failure if the operation answers nothing', () => {
    const of = caseOf(SECTIONS, done(SECTIONS));
    const { unproven } = decideFailure(of, { error: UNEXPLAINED, verdict: 'absent', row: {}, isKnown: false });
    expect(shown(unproven!)).toEqual(['failed 10-K', '', 1]);
  });
});
