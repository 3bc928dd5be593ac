/** An export counts the failures of what its definition asks for: none that only an earlier definition or another export wanted, and all others. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ContractViolation, type FilingClient, UnprocessableError } from '../../../../src/export/client/index.ts';
import { type ExportDefinition, PASSES } from '../../../../src/export/index.ts';
import type { RunFinished, RunReference, WindowToPlan } from '../../../../src/export/pipeline/index.ts';
import { readFailures } from '../../../../src/export/pipeline/lookup/read-failures.ts';
import { stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import { failuresWindow } from '../../../../src/export/windows/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { filingsWithout, mayCount, sentencesOfWithout } from '../../../../src/lake/report/index.ts';
import {
  clientOf,
  closeSound,
  definitionOf,
  fetchDriven,
  filingOfLookup,
  finishDriven,
  listedSection,
  openDriven,
  partyOf,
  planDriven,
  runOf,
} from '../../../support/pipeline/activity-harness.ts';

let lake: Lake;
let runs = 0;
beforeEach(async () => {
  lake = await openDriven();
});
afterEach(() => closeSound(lake));

const REFUSED = new UnprocessableError('it can not be given');

interface Answers {
  /** Names of sections in filing_info. */
  sections?: string[];
  /** What is refused: `info`, `sections`, or ends of ids of documents. */
  refused?: string[];
  /** Day of a party's change of name. */
  changed?: string;
}

function answering({ sections = ['1', '1A'], refused = [], changed = '2020-01-01' }: Answers = {}): FilingClient {
  const refuse = (what: string) => {
    if (refused.some((one) => what.endsWith(one))) throw REFUSED;
  };
  const client = clientOf({
    info: () => {
      refuse('info');
      const party = { ...partyOf('1', 'A'), former_names: [{ name: 'B', date_of_change: changed }] };
      return { parties: [party], sections: sections.map((code) => listedSection(code)) };
    },
    sections: () => {
      refuse('sections');
      return sections.map((code) => [code, code]);
    },
    document: (id) => {
      refuse(id);
      return 'x';
    },
  });
  const entityLookup = async () => {
    throw REFUSED;
  };
  return Object.assign(client, { entityLookup }) as unknown as FilingClient;
}

const exportOf = (tables: string, more = '', name = 't') => definitionOf(name, tables, more);

const end = (run: RunReference) => finishDriven(lake, run, { started_at: new Date().toISOString() });

interface Reading {
  form?: string;
  proven?: boolean;
  violations?: ContractViolation[];
}

/** A whole run over what a lookup finds. */
async function export_(
  definition: ExportDefinition,
  filings: readonly Filing[],
  client = answering(),
  { form = '10-K', proven = true, violations = [] }: Reading = {},
): Promise<RunFinished> {
  const run = runOf(definition, `r${++runs}`, lake);
  const window = { id: 'w', today: '2024-04-01', inexact: null, filter: { form_types: [form] } };
  const record = { window, read: { promised: filings.length, found: filings.length, proven } };
  await stagePage(lake, run.run_id, 'w', 0, { state: null, records: [...filings], violations });
  return fetchAll(run, { record }, client);
}

async function fetchAll(run: RunReference, window: Partial<WindowToPlan>, client: FilingClient): Promise<RunFinished> {
  const { base_version } = await planDriven(lake, run, window);
  for (const pass of PASSES) await fetchDriven(lake, run, pass, base_version, client, window.window ?? 'w', true);
  return end(run);
}

async function retry(definition: ExportDefinition, client = answering()): Promise<RunFinished> {
  const run = runOf(definition, `r${++runs}`, lake);
  const window = failuresWindow('2024-04-01');
  await readFailures({ lake, run }, window);
  return fetchAll(run, { window: window.id, of: 'failures' }, client);
}

const FILING = filingOfLookup(1);
const ALL = 'documents: { types: [all] }';
const NAMELESS = filingOfLookup(1, { documents: [] });

describe('a definition that no longer asks for what failed', () => {
  it.each<[string, ExportDefinition, ExportDefinition, Answers, Filing?]>([
    ['documents: no contents', exportOf('filings, document_contents'), exportOf('filings'), { refused: ['-1'] }],
    [
      'documents: another choice of them',
      exportOf('filings, document_contents', ALL),
      exportOf('filings, document_contents', 'documents: { types: [EX-1] }'),
      { refused: ['-1'] },
    ],
    [
      'documents that only filing_info names',
      exportOf('filings, document_contents', ALL),
      exportOf('filings, document_contents', 'documents: { types: [EX-1] }'),
      { refused: ['-1'] },
      NAMELESS,
    ],
    [
      'a choice of sections that the form does not have',
      exportOf('filings, section_contents'),
      exportOf('filings, section_contents', `sections: { codes: ['I-1'] }`),
      { refused: ['sections'] },
    ],
    ['filing_info', exportOf('filings, parties'), exportOf('filings'), { refused: ['info'] }],
    [
      'a table of filing_info',
      exportOf('filings, parties, party_former_names'),
      exportOf('filings, documents'),
      { changed: 'never' },
    ],
    [
      'sections, beside another table of filing_info',
      exportOf('filings, documents, sections', `sections: { codes: ['1A'] }`),
      exportOf('filings, documents'),
      { sections: ['Business', 'Risks'] },
    ],
  ])('counts none of it: %s', async (_, before, now, answers, filing = FILING) => {
    const client = answering(answers);
    expect(await export_(before, [filing], client)).toMatchObject({ failures: 1 });
    // The same definition counts it again.
    expect(await export_(before, [filing], client)).toMatchObject({ failures: 1 });
    expect(await export_(now, [filing], client)).toMatchObject({ failures: 0, missing: [], without: [] });
    expect(await lake.query('SELECT * FROM export_failures')).toEqual([]);
  });

  it('counts none of filings outside its selection', async () => {
    const definition = exportOf('filings, parties');
    const client = answering({ refused: ['info'] });
    const other = filingOfLookup(2, { form_type: '10-Q', report_date: '2024-02-31' });
    expect(await export_(definition, [FILING, filingOfLookup(3)], client)).toMatchObject({ failures: 2 });
    expect(await export_(definition, [other], client, { form: '10-Q' })).toMatchObject({ failures: 2 });
    const subjects = () => lake.query('SELECT DISTINCT subject FROM export_failures');
    expect(await subjects()).toEqual([{ subject: other.accession_number }]);
    expect(await export_(definition, [FILING], client)).toMatchObject({ failures: 1 });
    expect(await subjects()).toEqual([{ subject: FILING.accession_number }]);
  });

  it('counts no company if it wants none', async () => {
    const run = runOf(exportOf('filings, entities'), `r${++runs}`, lake);
    await stagePage(lake, run.run_id, 'w', 0, { state: null, records: [FILING], violations: [] });
    await planDriven(lake, run);
    const writer = lake.openStaging(run.run_id, 'entities', 1);
    writer.append('export_failures', {
      export: 't',
      step: 'entity',
      subject: '1',
      cik: '1',
      code: 'entity-not-found',
      run_id: run.run_id,
    });
    await lake.commitBatch({
      run_id: run.run_id,
      batch_id: 'entities',
      base_version: await lake.currentVersion(),
      segments: [(await writer.seal())!],
    });
    expect(await end(run)).toMatchObject({ failures: 1 });
    expect(await export_(exportOf('filings, entities'), [FILING])).toMatchObject({ failures: 1 });
    expect(await export_(exportOf('filings'), [FILING])).toMatchObject({ failures: 0 });
  });
});

describe('a failure of what the definition asks for', () => {
  const refusing = answering({ refused: ['info'] });
  const definition = exportOf('filings, parties');

  it('stays if a window is not proven: it may be of a filing that the service did not list', async () => {
    await export_(definition, [FILING], refusing);
    expect(await export_(definition, [], refusing, { proven: false })).toMatchObject({ failures: 1 });
    const keyless = { subject: null, path: 'filings[0].accession_number', value: 'x' };
    expect(await export_(definition, [], refusing, { violations: [keyless] })).toMatchObject({ failures: 2 });
  });

  it('stays if it is of a value that can not be stored: nothing is requested', async () => {
    const tables = 'filings, parties, party_former_names';
    const client = answering({ changed: 'never' });
    for (const more of [tables, tables, `${tables}, documents`])
      expect(await export_(exportOf(more), [FILING], client)).toMatchObject({ failures: 1 });
    expect(await export_(exportOf(tables), [FILING], refusing)).toMatchObject({ failures: 1, known_failures: 1 });
  });

  it('stays if another export has fetched less of the step', async () => {
    const own = exportOf('filings, documents, sections', `sections: { codes: ['1A'] }`);
    const client = answering({ sections: ['Business', 'Risks'] });
    expect(await export_(own, [FILING], client)).toMatchObject({ failures: 1 });
    expect(await export_(exportOf('filings, documents', '', 'other'), [FILING], client)).toMatchObject({ failures: 0 });
    const ofOwn = `SELECT count(*)::INT AS n FROM export_failures WHERE export = 't'`;
    expect(await lake.query(ofOwn)).toEqual([{ n: 1 }]);
    expect(await retry(own, client)).toMatchObject({ failures: 1 });
    expect(await export_(own, [FILING], client)).toMatchObject({ failures: 1 });
    expect(await retry(own)).toMatchObject({ failures: 0 });
    expect(await lake.query('SELECT DISTINCT section FROM sections')).toEqual([{ section: '1A' }]);
  });

  it('is dropped by a retry if the definition no longer wants it, and else tried', async () => {
    const all = exportOf('filings, document_contents', ALL);
    const client = answering({ refused: ['-1', '-2'] });
    expect(await export_(all, [FILING], client)).toMatchObject({ failures: 2 });
    expect(await retry(exportOf('filings, document_contents, documents', ALL), client)).toMatchObject({ failures: 2 });
    expect(await retry(exportOf('filings'), client)).toMatchObject({ failures: 0 });
  });
});

describe('a lake that never had a failure', () => {
  it('says why filings have no rows', async () => {
    await export_(exportOf('filings, section_contents'), [FILING], answering({ sections: [] }));
    const { tables, version } = await lake.snapshot();
    expect([tables.has('export_failures'), mayCount(tables)]).toEqual([false, true]);
    const groups = await filingsWithout((sql) => lake.query(sql, { at: version }));
    expect(sentencesOfWithout(groups)).toEqual([
      '1 annual report: 0 with sections, 1 without (none in what the service has)',
    ]);
  });
});
