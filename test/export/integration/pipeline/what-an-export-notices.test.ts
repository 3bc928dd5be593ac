/**
 * docs/guide/what-an-export-notices.md: each row of its table is a change between two runs. The lake is compared with a fresh one, row by
 * row.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import type { ExportDefinition } from '../../../../src/export/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { tableNamed } from '../../../../src/lake/tables/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { accessionNumber } from '../../../support/pipeline/activity-harness.ts';
import { ChangingService, entityOf, type HeldFiling, heldFiling } from '../../../support/pipeline/changing-service.ts';
import { type Driven, driveRun } from '../../../support/pipeline/driven-run.ts';

const DAY_MS = 86_400_000;
const TABLES =
  'filings, entities, entity_tickers, entity_addresses, parties, documents, sections, section_contents, document_contents';
/** Values that say when, not what. */
const TIMES = new Set(['fetched_at', 'removed_at']);
const TODAY = new Date().toISOString().slice(0, 10);

interface Row {
  change: string;
  by: string;
  requests: number;
}

/** The table of the page. */
const PAGE: Row[] = readFileSync(new URL('../../../../docs/guide/what-an-export-notices.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| .+ \| .+ \| \d+ \|/.test(line))
  .map((line) => {
    const [, change, by, requests] = line.split('|').map((cell) => cell.trim());
    return { change: change!, by: by!, requests: Number(requests) };
  });

interface Change {
  /** The filing that changes, at first. */
  before?: (held: HeldFiling, service: ChangingService) => void;
  change: (held: HeldFiling, service: ChangingService) => void;
  /** Filings of which the lake keeps rows that a fresh one lacks, and what its rows say. */
  kept?: { removed: boolean; date: string };
  /** Days between the runs. */
  days?: number;
}

const young = (held: HeldFiling) => {
  held.filing.filing_date = TODAY;
};
const withoutSections = (held: HeldFiling) => {
  held.listed = [];
  held.sections = null;
};
const withSections = (held: HeldFiling) => {
  held.listed = ['1A'];
  held.sections = { '1A': '<p>Late risks</p>' };
};
const removed = ({ filing }: HeldFiling, service: ChangingService) => {
  service.filings.delete(filing.accession_number);
};
const firstOf = ({ filing }: HeldFiling) => `${filing.accession_number}-1`;
const firstId = `${accessionNumber(1)}-1`;
const BACK = 'a removed filing that is back';

const CHANGES: Record<string, Change> = {
  'a new filing': { change: (_, service) => service.hold(heldFiling(9_999)) },
  'another form, acceptance time or list of documents': {
    change: (held) => {
      held.filing.acceptance_datetime = '2024-03-02T08:00:00';
      held.contents[firstOf(held)] = '<p>Accepted again</p>';
    },
  },
  'anything of a filing, at a service that states its `revision`': {
    before: (held) => {
      held.filing.revision = 'a';
    },
    change: (held) => {
      held.filing.revision = 'b';
      held.contents[firstOf(held)] = held.contents[firstOf(held)]!.replace('Text', 'TEXT');
      held.parties[0]!.name = 'ANOTHER NAME';
    },
  },
  'another size of a filing': {
    change: (held) => {
      held.filing.size = 2_000;
      held.contents[firstOf(held)] = '<p>Corrected</p>';
      held.sections = { '1A': '<p>Corrected</p>', 7: '<p>Corrected</p>' };
    },
  },
  'another CIK of a filing': {
    change: (held, service) => {
      held.filing.cik = '77';
      held.parties[0]!.cik = '77';
      service.hold(held);
    },
  },
  'another name or date in the lookup': {
    change: (held) => {
      held.filing.entity_name = 'Company, 1';
      held.filing.filing_date = '2024-03-03';
    },
  },
  'another name, type or description of a document': {
    change: (held) => {
      held.filing.documents[0]!.description = '101';
    },
    before: (held) => {
      held.filing.documents[0]!.description = '10.1';
    },
  },
  'a value of the lookup withdrawn': {
    change: (held) => {
      held.filing.report_date = null;
    },
  },
  'a document corrected, with the same id and size': {
    change: (held) => {
      held.contents[firstOf(held)] = held.contents[firstOf(held)]!.replace('Text', 'TEXT');
    },
  },
  'parties or sections that the service reads in another way': {
    change: (held) => {
      held.parties[0]!.name = 'ANOTHER NAME';
      held.sections = { '1A': '<p>More</p>', 8: '<p>Statements</p>' };
      held.listed = ['1A', '8'];
    },
  },
  'sections that come later, of a filing younger than 30 days': {
    before: (held) => {
      young(held);
      withoutSections(held);
    },
    change: withSections,
  },
  'sections that come later, of an older filing': { before: withoutSections, change: withSections },
  'sections that `filing_info` lists, and `filing_sections` lacked': {
    before: (held) => {
      held.sections = null;
    },
    change: (held) => {
      held.sections = { '1A': '<p>Found</p>', 7: '<p>Found</p>' };
    },
  },
  'a document or filing that answered 404': {
    before: (held, service) => void service.lost.add(firstOf(held)),
    change: (_, service) => service.lost.clear(),
  },
  "a company's name, if the lookup states the new one": {
    days: 1,
    change: (_, service) => {
      for (const { filing } of service.filings.values()) filing.entity_name = 'RENAMED';
      Object.assign(service.entities.get('1')!, { name: 'RENAMED', tickers: ['C'], exchanges: ['OTC'], addresses: {} });
    },
  },
  "a company's ticker or address": {
    days: 31,
    change: (_, service) => {
      Object.assign(service.entities.get('1')!, { tickers: ['C'], exchanges: ['OTC'], addresses: {} });
    },
  },
  'a filing removed': { change: removed, kept: { removed: true, date: '2024-03-01' } },
  [BACK]: {
    change: (held, service) => service.hold(held),
  },
  'a filing moved to a date outside the selection': {
    change: (held) => {
      held.filing.filing_date = '2019-12-31';
    },
    kept: { removed: false, date: '2019-12-31' },
  },
  'a filing that lookups leave out, though `filing_info` has it': {
    change: (held) => {
      held.isHidden = true;
    },
    kept: { removed: false, date: '2024-03-01' },
  },
};

function definitionOf(service: ChangingService, refresh = false): ExportDefinition {
  const yaml = `name: t\nservice: { base_url: "${service.url}" }\nselect: { date_from: 2020-01-01, form_types: [10-K] }
tables: [${TABLES}]\ndocuments: { types: [all] }\n${refresh ? 'refresh: all\n' : ''}`;
  return parseExportDefinition(yaml, 't.yaml', {}).definition;
}

/** All rows, without times and without what a run says of itself. */
async function rowsOf(lake: Lake): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of TABLES.split(', ')) {
    const { columns, key } = tableNamed(table)!;
    const names = columns.map(({ name }) => name).filter((name) => !TIMES.has(name));
    const sql = `SELECT ${names.map((name) => `"${name}"::VARCHAR AS "${name}"`).join(', ')} FROM ${table} ORDER BY ${key.join(', ')}`;
    rows[table] = await lake.query(sql);
  }
  return rows;
}

async function newLake(): Promise<Lake> {
  return openLake(temporaryFolder(), { create: true });
}

/** What is seen of one change. */
interface Seen {
  /** Of this filing, after the change: in an ordinary run, in a refresh, and in the run after these. */
  asked: string[];
  refreshed: string[];
  again: string[];
  rows: Record<string, unknown[]>;
  fresh: Record<string, unknown[]>;
  filing: unknown;
}

/** All changes of a kind between the same two runs, each of a filing of its own: a lake for each takes four times as long. */
async function changesOf(rows: readonly Row[]): Promise<Map<string, Seen>> {
  const isRefresh = rows[0]!.by === 'a refresh';
  const days = CHANGES[rows[0]!.change]!.days ?? 0;
  const numbers = new Map(rows.map(({ change }, i) => [change, i + 1]));
  await using service = await ChangingService.start(
    // Two that do not change.
    ...[...numbers.values(), rows.length + 1, rows.length + 2].map((n) => heldFiling(n)),
  );
  const added = rows.some(({ change }) => change === 'a new filing') ? accessionNumber(9_999) : '';
  const numberOf = (change: string) => (change === 'a new filing' ? added : accessionNumber(numbers.get(change)!));
  const heldOf = new Map([...numbers].map(([change, n]) => [change, service.filings.get(accessionNumber(n))!]));
  const lake = await newLake();
  let runs = 0;
  const run = async (refresh = false, later = 0): Promise<Driven & { asked: string[] }> => {
    service.asked = [];
    const at = new Date(Date.now() + later * DAY_MS).toISOString();
    const driven = await driveRun(lake, definitionOf(service, refresh), `r${++runs}`, at);
    return { ...driven, asked: service.asked.filter((one) => one !== 'filing_lookup') };
  };
  for (const { change } of rows) CHANGES[change]!.before?.(heldOf.get(change)!, service);
  await run();
  const back = heldOf.get(BACK);
  if (back) {
    removed(back, service);
    await run();
    expect(await lake.query('SELECT count(removed_at)::INT AS n FROM filings')).toEqual([{ n: 1 }]);
  }
  for (const { change } of rows) CHANGES[change]!.change(heldOf.get(change)!, service);
  const second = await run(false, days);
  let refreshed: string[] = [];
  if (isRefresh) {
    const whole = await run(true);
    const pending = service.filings.size * rows[0]!.requests;
    expect(whole).toMatchObject({ refreshed: pending, pending });
    // One more for the companies.
    expect(whole.asked).toHaveLength(pending + 1);
    expect(whole.unchanged).toBeGreaterThanOrEqual(pending - rows.length * rows[0]!.requests);
    refreshed = whole.asked;
  } else expect(second.finished.missing).toEqual([]);
  const expected = rows.filter(({ by }) => by !== 'a refresh').reduce((sum, { requests }) => sum + requests, 0);
  expect(second.asked).toHaveLength(expected);
  await using fresh = { lake: await newLake(), [Symbol.asyncDispose]: () => fresh.lake.close() };
  await driveRun(fresh.lake, definitionOf(service), 'fresh', new Date(Date.now() + days * DAY_MS).toISOString());
  const [made, madeFresh] = [await rowsOf(lake), await rowsOf(fresh.lake)];
  const keptNumbers = rows.filter(({ change }) => CHANGES[change]!.kept).map(({ change }) => numberOf(change));
  const unkept = (all: Record<string, unknown[]>) =>
    withRows(all, (row) => !keptNumbers.some((number) => row.includes(number)));
  expect(unkept(made)).toEqual(unkept(madeFresh));
  expect((await checkLake(lake)).problems).toEqual([]);
  const again = await run();
  const filings = await lake.query(
    'SELECT accession_number AS number, filing_date::VARCHAR AS date, removed_at IS NOT NULL AS removed FROM filings',
  );
  await lake.close();
  return new Map(
    rows.map(({ change }) => {
      const number = numberOf(change);
      const cik = heldOf.get(change)!.filing.cik;
      const of = (asked: string[]) =>
        asked.filter((one) => one.includes(number) || (one === 'entity_lookup' && (cik !== '1' || days > 0)));
      const rowsOfIt = (all: Record<string, unknown[]>) => withRows(all, (row) => row.includes(number));
      const { number: _, ...filing } = filings.find((one) => one.number === number)!;
      const seen: Seen = {
        asked: of(second.asked),
        refreshed: of(refreshed),
        again: of(again.asked),
        rows: rowsOfIt(made),
        fresh: rowsOfIt(madeFresh),
        filing,
      };
      return [change, seen];
    }),
  );
}

function withRows(all: Record<string, unknown[]>, isWanted: (row: string) => boolean): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(all).map(([table, rows]) => [table, rows.filter((row) => isWanted(JSON.stringify(row)))]),
  );
}

describe('what an export notices', () => {
  const kindOf = ({ change, by }: Row) => `${by === 'a refresh'} ${CHANGES[change]?.days ?? 0}`;
  const kinds = Map.groupBy(PAGE, kindOf);
  const seen = new Map<string, Promise<Map<string, Seen>>>();

  it('is the table of the page, and each row of it has its change here', () => {
    expect(PAGE.map(({ change }) => change)).toEqual(Object.keys(CHANGES));
  });

  it.each(PAGE)('$change: noticed by $by', async (row) => {
    const kind = kindOf(row);
    if (!seen.has(kind)) seen.set(kind, changesOf(kinds.get(kind)!));
    const { asked, refreshed, again, rows, fresh, filing } = (await seen.get(kind)!).get(row.change)!;
    // A change that leaves no trace in the lookup: nothing is asked, and nothing is known.
    expect(asked).toHaveLength(row.by === 'a refresh' ? 0 : row.requests);
    expect(refreshed).toHaveLength(row.by === 'a refresh' ? row.requests : 0);
    const { kept } = CHANGES[row.change]!;
    if (kept) {
      expect(filing).toEqual(kept);
      expect(fresh.filings).toEqual([]);
    } else {
      expect(rows.filings).toHaveLength(1);
      expect(rows).toEqual(fresh);
      expect(filing).toMatchObject({ removed: false });
    }
    // Nothing is asked once more, but for a filing that is only hidden.
    expect(again).toHaveLength(row.by === 'not noticed' ? 1 : 0);
  });
});

describe('a refresh', () => {
  async function setting(definitionMore: Partial<ExportDefinition> = {}) {
    const service = await ChangingService.start(...[1, 2, 3, 4].map((n) => heldFiling(n)));
    const lake = await newLake();
    let runs = 0;
    const run = async (refresh: boolean, id = `r${++runs}`) => {
      service.asked = [];
      service.bytes = 0;
      const driven = await driveRun(lake, { ...definitionOf(service, refresh), ...definitionMore }, id);
      return { ...driven, asked: service.asked.filter((one) => one !== 'filing_lookup'), bytes: service.bytes };
    };
    const end = async () => {
      await lake.close();
      await service[Symbol.asyncDispose]();
    };
    await run(false);
    return { service, lake, run, [Symbol.asyncDispose]: end };
  }

  it('moves no bytes for what did not change, and writes coverage alone', async () => {
    await using at = await setting();
    const lookups = (await at.run(false)).bytes;
    const before = await rowsOf(at.lake);
    const version = await at.lake.currentVersion();
    const refreshed = await at.run(true);
    expect(refreshed.asked).toHaveLength(17);
    const company = JSON.stringify({ count: 1, entities: [entityOf('1')], truncated: false });
    expect(refreshed.bytes).toBe(lookups + company.length);
    expect(refreshed).toMatchObject({ refreshed: 16, unchanged: 16 });
    expect(await rowsOf(at.lake)).toEqual(before);
    expect(
      await at.lake.query(
        `SELECT steps_refreshed::INT AS r, steps_unchanged::INT AS u FROM export_runs ORDER BY run_id DESC LIMIT 1`,
      ),
    ).toEqual([{ r: 16, u: 16 }]);
    const parts = await at.lake.snapshot();
    expect(parts.version).toBeGreaterThan(version);
    expect((await at.run(false)).asked).toEqual([]);
  });

  it('compares rows if the service has no ETags', async () => {
    await using at = await setting();
    at.service.hasEtags = false;
    const before = await rowsOf(at.lake);
    expect(await at.run(true)).toMatchObject({ refreshed: 16, unchanged: 16 });
    expect(await rowsOf(at.lake)).toEqual(before);
    const changed = `<p>TEXT of ${accessionNumber(2)}-2</p>`;
    at.service.filings.get(accessionNumber(2))!.contents[`${accessionNumber(2)}-2`] = changed;
    expect(await at.run(true)).toMatchObject({ refreshed: 16, unchanged: 15 });
    const after = await rowsOf(at.lake);
    expect(after.document_contents).toHaveLength(8);
    expect(JSON.stringify(after.document_contents)).toContain(changed);
    expect({ ...after, document_contents: [] }).toEqual({ ...before, document_contents: [] });
  });

  it('of the last days asks for these filings alone', async () => {
    await using at = await setting({ refresh: 10 });
    const held = at.service.filings.get(accessionNumber(1))!;
    held.filing.filing_date = TODAY;
    expect((await at.run(false)).asked).toHaveLength(4 + 1);
  });

  it('keeps the rows of a step that fails, and asks for it until it is answered', async () => {
    await using at = await setting();
    const before = await rowsOf(at.lake);
    at.service.lost.add(firstId);
    expect((await at.run(true)).finished.failures).toBe(1);
    expect(await rowsOf(at.lake)).toEqual(before);
    expect((await at.run(false)).asked).toEqual([`document ${firstId}`]);
    at.service.lost.clear();
    expect((await at.run(false)).finished.failures).toBe(0);
    expect(await rowsOf(at.lake)).toEqual(before);
    expect((await at.run(false)).asked).toEqual([]);
  });

  it('loses no section to a stray 404, since filing_info lists them', async () => {
    await using at = await setting();
    const before = await rowsOf(at.lake);
    const held = at.service.filings.get(accessionNumber(1))!;
    const { sections } = held;
    held.sections = null;
    expect((await at.run(true)).finished.failures).toBe(1);
    held.sections = sections;
    expect((await at.run(false)).finished.failures).toBe(0);
    expect(await rowsOf(at.lake)).toEqual(before);
  });

  it('that is planned again in the same run asks for nothing twice', async () => {
    await using at = await setting();
    const budget = { max_requests: 8, max_bytes: null, reserve: 0 };
    at.service.asked = [];
    const stopped = await driveRun(at.lake, { ...definitionOf(at.service, true), budget }, 'stopped');
    expect(stopped).toMatchObject({ refreshed: 16, unchanged: 16 });
    expect(at.service.asked.filter((one) => one.startsWith('document')).sort()).toEqual([
      ...new Set(at.service.asked.filter((one) => one.startsWith('document')).sort()),
    ]);
  });

  it('of lookups that name no documents finds a document that is corrected', async () => {
    await using service = await ChangingService.start(...[1, 2].map((n) => heldFiling(n)));
    service.namesDocuments = false;
    const lake = await newLake();
    await driveRun(lake, definitionOf(service), 'r1');
    const held = service.filings.get(accessionNumber(1))!;
    held.contents[firstId] = held.contents[firstId]!.replace('Text', 'TEXT');
    expect(await driveRun(lake, definitionOf(service, true), 'r2')).toMatchObject({ refreshed: 8, unchanged: 7 });
    const fresh = await newLake();
    await driveRun(fresh, definitionOf(service), 'fresh');
    expect(await rowsOf(lake)).toEqual(await rowsOf(fresh));
    await Promise.all([lake.close(), fresh.close()]);
  });
});

describe('a refresh of a list of accession numbers', () => {
  it.each([true, false])('corrects the row of a filing, also if its other rows stay (ETags: %s)', async (hasEtags) => {
    await using service = await ChangingService.start(heldFiling(1), heldFiling(2));
    service.hasEtags = hasEtags;
    const lake = await newLake();
    const definition = (name: string) =>
      parseExportDefinition(
        `name: ${name}\nservice: { base_url: "${service.url}" }\nselect: { accession_numbers: [${accessionNumber(1)}] }
tables: [filings, sections]\nrefresh: all\n`,
        'l.yaml',
        {},
      ).definition;
    await driveRun(lake, definition('l'), 'r1');
    Object.assign(service.filings.get(accessionNumber(1))!.filing, {
      acceptance_datetime: '2024-03-02T08:00:00',
      entity_name: 'RENAMED',
    });
    await driveRun(lake, definition('l'), 'r2');
    const fresh = await newLake();
    await driveRun(fresh, definition('l'), 'fresh');
    expect(await rowsOf(lake)).toEqual(await rowsOf(fresh));
    service.asked = [];
    await driveRun(lake, definition('l'), 'r3');
    expect(service.asked).toEqual([`filing_info ${accessionNumber(1)}`]);
    await Promise.all([lake.close(), fresh.close()]);
  });
});

describe('a mark of a removed filing', () => {
  it('needs an explained 404: in doubt the filing is as it was', async () => {
    await using service = await ChangingService.start(heldFiling(1), heldFiling(2));
    await using lake = await newLake();
    await driveRun(lake, definitionOf(service), 'r1');
    service.filings.delete(accessionNumber(1));
    service.explains = false;
    await driveRun(lake, definitionOf(service), 'r2');
    const marks = 'SELECT count(removed_at)::INT AS n FROM filings';
    expect(await lake.query(marks)).toEqual([{ n: 0 }]);
    service.explains = true;
    await driveRun(lake, definitionOf(service), 'r3');
    expect(await lake.query(marks)).toEqual([{ n: 1 }]);
  });

  it('takes the failures of the filing with it', async () => {
    await using service = await ChangingService.start(heldFiling(1), heldFiling(2));
    service.lost.add(firstId);
    await using lake = await newLake();
    expect((await driveRun(lake, definitionOf(service), 'r1')).finished.failures).toBe(1);
    service.filings.delete(accessionNumber(1));
    expect((await driveRun(lake, definitionOf(service), 'r2')).finished.failures).toBe(0);
    expect((await driveRun(lake, definitionOf(service), 'r3')).finished).toMatchObject({ failures: 0, missing: [] });
    const { problems, known_failures } = await checkLake(lake);
    expect([problems, known_failures]).toEqual([[], 0]);
  });

  it('ends with any answer of filing_info, also of a list of accession numbers', async () => {
    await using service = await ChangingService.start(heldFiling(1), heldFiling(2));
    await using lake = await newLake();
    await driveRun(lake, definitionOf(service), 'r1');
    const held = service.filings.get(accessionNumber(1))!;
    service.filings.delete(accessionNumber(1));
    await driveRun(lake, definitionOf(service), 'r2');
    const marks = 'SELECT count(removed_at)::INT AS n FROM filings';
    expect(await lake.query(marks)).toEqual([{ n: 1 }]);
    service.hold({ ...held, isHidden: true });
    const before = await rowsOf(lake);
    const yaml = `name: l\nservice: { base_url: "${service.url}" }\nselect: { accession_numbers: [${accessionNumber(1)}] }
tables: [${TABLES}]\ndocuments: { types: [all] }\nrefresh: all\n`;
    const again = await driveRun(lake, parseExportDefinition(yaml, 'l.yaml', {}).definition, 'r3');
    expect(again).toMatchObject({ refreshed: 4, unchanged: 4 });
    expect(await lake.query(marks)).toEqual([{ n: 0 }]);
    expect(await rowsOf(lake)).toEqual(before);
  });

  it('does not wait until every record of the window can be read', async () => {
    const broken = heldFiling(3);
    broken.filing.filing_date = 'yesterday';
    await using service = await ChangingService.start(heldFiling(1), heldFiling(2), broken);
    await using lake = await newLake();
    expect((await driveRun(lake, definitionOf(service), 'r1')).finished.failures).toBe(1);
    service.filings.delete(accessionNumber(1));
    service.asked = [];
    await driveRun(lake, definitionOf(service), 'r2');
    expect(service.asked).toEqual(['filing_lookup', `filing_info ${accessionNumber(1)}`]);
    expect(await lake.query('SELECT accession_number AS n FROM filings WHERE removed_at IS NOT NULL')).toEqual([
      { n: accessionNumber(1) },
    ]);
  });

  it('is not for filings that another service had', async () => {
    await using one = await ChangingService.start(heldFiling(1), heldFiling(2));
    await using other = await ChangingService.start(heldFiling(2));
    await using lake = await newLake();
    await driveRun(lake, definitionOf(one), 'r1');
    other.asked = [];
    await driveRun(lake, definitionOf(other), 'r2');
    expect(other.asked).toEqual(['filing_lookup']);
    expect(await lake.query('SELECT count(removed_at)::INT AS n FROM filings')).toEqual([{ n: 0 }]);
  });
});
