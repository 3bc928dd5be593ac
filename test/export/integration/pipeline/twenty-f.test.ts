/** Sections of 20-Fs: some services have them, and only these are asked for them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { hasTwentyFs, readTwentyF, TWENTY_FS } from '../../../support/documents/real-twenty-fs.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { closeSound } from '../../../support/pipeline/activity-harness.ts';
import { ChangingService, type HeldFiling, heldFiling } from '../../../support/pipeline/changing-service.ts';
import { driveRun } from '../../../support/pipeline/driven-run.ts';
import { FOREIGN_ITEMS, FOREIGN_REPORTS, FOREIGN_WITHOUT } from '../../../support/service/foreign-reports.ts';
import { TestService } from '../../../support/service/running-service.ts';

const TABLES = 'filings, sections, section_contents, section_headings, risk_factors';
const TODAY = new Date().toISOString().slice(0, 10);

let lake: Lake;
let runs = 0;
beforeEach(async () => {
  lake = await openLake(temporaryFolder(), { create: true });
});
afterEach(() => closeSound(lake));

interface Export {
  url: string;
  key?: string;
  more?: string;
  tables?: string;
  select?: string;
  only?: 'failures';
}

/** A run that leaves nothing out. */
async function exported({ url, key, more = '', tables = TABLES, select = 'date_from: 2024-01-01', only }: Export) {
  const yaml = `name: t\nservice: { base_url: "${url}" }\nselect: { ${select} }\ntables: [${tables}]\n${more}`;
  const { definition } = parseExportDefinition(yaml, 't.yaml', {});
  const driven = await driveRun(lake, definition, `r${++runs}`, undefined, key, only);
  expect(driven.finished.missing).toEqual([]);
  return driven;
}

const codesIn = async (table: string) =>
  Object.fromEntries(
    (
      await lake.query(
        `SELECT accession_number[-1:] AS n, string_agg(section, ' ' ORDER BY section) AS codes FROM ${table} JOIN filings USING (accession_number)
         WHERE form_type LIKE '20%' GROUP BY ALL ORDER BY n`,
      )
    ).map(({ n, codes }) => [String(n), String(codes).split(' ')]),
  );
const absences = () =>
  lake.query("SELECT accession_number, status, reason FROM coverage WHERE step = 'sections' AND status <> 'done'");

describe('20-Fs of a service that has their sections', () => {
  let service: TestService;
  const at = () => ({ url: service.service.url, key: service.key });
  beforeAll(async () => {
    service = await TestService.start({ others: FOREIGN_REPORTS });
  });
  afterAll(() => service.stop());
  const all = (codes: readonly string[]) => Object.fromEntries(['1', '2', '3'].map((n) => [n, codes.toSorted()]));

  it.each([
    ['filing by filing', ''],
    ['in the order breadth', 'budget: { order: breadth }'],
    ['with a budget that ends within a filing', 'budget: { max_requests: 6 }'],
  ])('have each item once, %s; a second run requests nothing', async (_, more) => {
    const { finished } = await exported({ ...at(), more });
    expect(finished.failures).toBe(0);
    for (const table of ['sections', 'section_contents'])
      expect(await codesIn(table), table).toEqual(all(FOREIGN_ITEMS));
    const [same] = await lake.query(
      `SELECT count(*)::INT AS n FROM section_contents JOIN filings USING (accession_number)
       WHERE form_type LIKE '20%' AND contains(text, 'Of the ' || form_type || '.') AND contains(text, title)`,
    );
    expect(same).toEqual({ n: 3 * FOREIGN_ITEMS.length });
    const none = { accession_number: FOREIGN_WITHOUT, status: 'absent', reason: 'has_none' };
    expect(await absences()).toEqual([none]);
    expect(finished.without).toContainEqual(
      expect.objectContaining({ rows: 'sections', without: [{ reason: 'has_none', count: 1 }] }),
    );
    expect((await exported(at())).pending).toBe(0);
  });

  it('have the chosen items, each form those of its own; more of them later', async () => {
    const codes = async (more: string) => {
      await exported({ ...at(), more: `sections: { codes: [${more}] }` });
      return codesIn('section_contents');
    };
    expect(await codes("'1', '3'")).toEqual(all(['1', '3']));
    expect(
      await lake.query("SELECT section FROM sections WHERE accession_number LIKE '0000100001%' ORDER BY 1"),
    ).toEqual([{ section: '1' }]);
    expect(await codes("'5', '16A'")).toEqual(all(['1', '16A', '3', '5']));
    expect(await codes('1A')).toEqual(all(['1', '16A', '3', '5']));
    expect((await exported({ ...at(), more: "sections: { codes: ['3', '5'] }" })).pending).toBe(0);
  });

  it('have texts in the format of the newest definition', async () => {
    const marked = () =>
      lake.query(
        "SELECT count(*)::INT AS n FROM section_contents WHERE accession_number LIKE '0000100008%' AND regexp_matches(text, '^[#*]')",
      );
    const n = async (more: string) => {
      const { pending } = await exported({ ...at(), more, select: 'form_types: [20-F, 20-F/A, 20FR12B]' });
      return [pending > 0, Number((await marked())[0]!.n)];
    };
    expect(await n('')).toEqual([true, 0]);
    expect(await n('text_format: markdown')).toEqual([true, 3 * FOREIGN_ITEMS.length]);
    expect(await n('text_format: markdown')).toEqual([false, 3 * FOREIGN_ITEMS.length]);
    expect(await n('')).toEqual([true, 0]);
  });

  it('are listed by their numbers too', async () => {
    const select = `accession_numbers: [${FOREIGN_REPORTS.map(({ accession }) => accession).join(', ')}]`;
    await exported({ ...at(), select });
    expect(await codesIn('section_contents')).toEqual(all(FOREIGN_ITEMS));
    expect((await exported({ ...at(), select })).pending).toBe(0);
    expect((await exported(at())).finished.failures).toBe(0);
    expect(await codesIn('sections')).toEqual(all(FOREIGN_ITEMS));
  });
});

describe('20-Fs of another service', () => {
  let service: ChangingService;
  let held: HeldFiling;
  const start = async (of: Partial<HeldFiling['filing']> = {}) => {
    held = { ...heldFiling(1, { form_type: '20-F', ...of }), listed: [] };
    service = await ChangingService.start(held);
  };
  afterEach(() => service[Symbol.asyncDispose]());
  const run = async (more = '', also: Partial<Export> = {}) => {
    service.asked = [];
    const { finished } = await exported({ url: service.url, more, ...also });
    const asked = service.asked.map((one) => one.split(' ')[0]!).filter((one) => one !== 'filing_lookup');
    return [finished.failures, ...asked];
  };
  const REFRESH = 'refresh: all';
  const list = (...codes: string[]) => {
    held.listed = codes;
    held.sections = Object.fromEntries(codes.map((code) => [code, `<p>Item ${code}</p>`]));
  };

  it.each([
    ['old', { filing_date: '2024-03-01' }],
    ['young', { filing_date: TODAY }],
    ['an amendment', { form_type: '20-F/A' }],
    ['of an unknown form in the lookup', {}],
  ])('that lists none is asked once what it lists, and for no sections: %s', async (name, of) => {
    await start(of);
    if (name.includes('unknown')) held.inLookup = { form_type: null };
    if (name === 'old') held.listed = null;
    expect(await run()).toEqual([0, 'filing_info']);
    expect(await run()).toEqual([0]);
    expect(await run('', { tables: 'filings, section_contents' })).toEqual([0]);
    expect(await run(REFRESH)).toEqual([0, 'filing_info']);
    expect(await absences()).toMatchObject([{ status: 'absent', reason: 'has_none' }]);
  });

  it('is asked for no sections if only items of other forms are chosen', async () => {
    await start();
    list('3');
    expect(await run('sections: { codes: [1A, I-2] }')).toEqual([0]);
  });

  it('that lists some later is asked for them in a refresh, or with another revision; that lists them no more loses them', async () => {
    await start({ revision: 'a' });
    await run();
    list('3', '5');
    expect(await run()).toEqual([0]);
    expect(await run(REFRESH)).toEqual([0, 'filing_info', 'filing_sections']);
    expect(await codesIn('section_contents')).toEqual({ 1: ['3', '5'] });
    list();
    held.filing.revision = 'b';
    expect(await run()).toEqual([0, 'filing_info']);
    expect(await codesIn('section_contents')).toEqual({});
    list('4');
    held.filing.revision = 'c';
    expect(await run()).toEqual([0, 'filing_info', 'filing_sections']);
    list();
    expect(await run(REFRESH)).toEqual([0, 'filing_info']);
    expect([await codesIn('sections'), await codesIn('section_contents')]).toEqual([{}, {}]);
    expect(await run()).toEqual([0]);
  });

  it.each([['no sections'], ['sections of a 20-F']])('that was a 10-K before has %s', async (now) => {
    await start({ form_type: '10-K' });
    list('1A', '7');
    expect(await run()).toEqual([0, 'filing_info', 'filing_sections']);
    held.filing.form_type = '20-F';
    const isListed = now !== 'no sections';
    list(...(isListed ? ['3', '7'] : []));
    expect(await run()).toEqual([0, 'filing_info', ...(isListed ? ['filing_sections'] : [])]);
    for (const table of ['sections', 'section_contents'])
      expect(await codesIn(table)).toEqual(isListed ? { 1: ['3', '7'] } : {});
    expect(await run()).toEqual([0]);
  });

  it('that lists what it lacks fails until it has it, in a retry too', async () => {
    await start();
    list('3');
    held.sections = null;
    expect(await run()).toEqual([1, 'filing_info', 'filing_sections']);
    expect(await run()).toEqual([1, 'filing_info', 'filing_sections']);
    list('3');
    expect(await run('', { only: 'failures' })).toEqual([0, 'filing_info', 'filing_sections']);
    expect(await codesIn('section_contents')).toEqual({ 1: ['3'] });
    expect(await run()).toEqual([0]);
  });

  it('is requested again if a run ends between what it lists and what it has', async () => {
    await start();
    list('3', '5');
    // The lookup and filing_info.
    expect(await run('budget: { max_requests: 2 }')).toEqual([0, 'filing_info', 'filing_info', 'filing_sections']);
    expect(await codesIn('section_contents')).toEqual({ 1: ['3', '5'] });
    expect(await run()).toEqual([0]);
  });
});

describe.skipIf(!hasTwentyFs)('two real 20-Fs', () => {
  it('go from the service into the lake with all their items and risks', async () => {
    const others = TWENTY_FS.map(({ name }) => ({
      ...FOREIGN_REPORTS[0]!,
      accession: name,
      documents: [{ type: '20-F', filename: 'report.htm', body: readTwentyF(name) }],
    }));
    const service = await TestService.start({ others });
    try {
      await exported({ url: service.service.url, key: service.key, select: 'form_types: [20-F]' });
    } finally {
      await service.stop();
    }
    const rows = await lake.query(
      `SELECT accession_number AS name, string_agg(section, ' ' ORDER BY start_index) AS codes,
         (SELECT count(*)::INT FROM risk_factors r WHERE r.accession_number = s.accession_number) AS risks,
         bool_and(EXISTS (SELECT 1 FROM section_contents c WHERE c.accession_number = s.accession_number AND c.section = s.section AND c.text <> '')) AS whole
       FROM sections s GROUP BY accession_number ORDER BY 1`,
    );
    expect(rows).toEqual(TWENTY_FS.map(({ name, codes, risks }) => ({ name, codes, risks, whole: true })));
  });
});
