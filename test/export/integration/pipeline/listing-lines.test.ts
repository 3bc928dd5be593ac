/** Filings go into the lake as the service wrote them, and the tables are those that are made of their records. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordTexts } from '../../../../src/export/client/index.ts';
import { readPage } from '../../../../src/export/client/page-answers.ts';
import { saysItsRows } from '../../../../src/export/pipeline/plan/listing-lines.ts';
import { stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { definitionOf, filingOfLookup, planDriven, runOf } from '../../../support/pipeline/activity-harness.ts';
import { runs } from '../../../support/property-runs.ts';

/** JSON as services write it: with spaces, over lines, all but ASCII as escapes, numbers as Python or Java print them, members twice. */
type Style = 'plain' | 'spaces' | 'lines' | 'escapes' | 'slashes' | 'floats' | 'twice' | 'names';
const STYLES: readonly Style[] = ['plain', 'spaces', 'lines', 'escapes', 'slashes', 'floats', 'twice', 'names'];

function written(filing: object, style: Style): string {
  const json = JSON.stringify(filing);
  const escaped = (text: string) =>
    text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  switch (style) {
    case 'spaces':
      return JSON.stringify(filing, null, 1).replaceAll(/\n */g, ' ');
    case 'lines':
      return JSON.stringify(filing, null, 2);
    case 'escapes':
      return escaped(json);
    case 'slashes':
      return json.replaceAll('/', '\\/');
    case 'floats':
      return json.replace(/"size":(\d+)/g, '"size":$1.0');
    case 'twice':
      return json.replace('{"accession_number"', '{"size":77,"entity_name":"first","accession_number"');
    case 'names':
      return json.replace('"size"', '"si\\u007ae"');
    default:
      return json;
  }
}

const name = fc.oneof(
  fc.constantFrom('A/B "C" & Söhne', 'x\u2028y\ttab\\', '\u0001', '😀 Ltd', '[{"a":1}]', 'half \ud800 pair', '🏴‍☠️'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
);
const nullOr = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const documentOf = fc.record(
  {
    sequence: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 12 }) },
      { weight: 1, arbitrary: fc.constant(2 ** 40) },
    ),
    filename: nullOr(name),
    description: nullOr(name),
    type: fc.constantFrom('10-K', 'EX-1', null),
    size: nullOr(fc.nat()),
  },
  { requiredKeys: ['sequence', 'filename', 'description', 'type'] },
);

const filingOf = fc
  .record(
    {
      n: fc.integer({ min: 1, max: 90 }),
      form_type: fc.constantFrom('10-K', '8-K', '4', null),
      filing_date: nullOr(fc.constantFrom('2024-02-29', '1993-01-01')),
      acceptance_datetime: nullOr(fc.constantFrom('2024-02-29T23:59:59', '2024-03-01T00:00:00')),
      entity_name: nullOr(name),
      size: nullOr(fc.oneof(fc.nat(), fc.constant(Number.MAX_SAFE_INTEGER))),
      documents: fc.array(documentOf, { maxLength: 11 }),
      revision: nullOr(name),
    },
    { requiredKeys: ['n', 'form_type', 'filing_date', 'acceptance_datetime', 'entity_name', 'size', 'documents'] },
  )
  .map(({ n, documents, ...rest }) => {
    const { accession_number } = filingOfLookup(n);
    // Two documents may have one sequence number.
    const named = documents.map((document) => ({
      document_id: `${accession_number}-${document.sequence % 100}`,
      ...document,
    }));
    return filingOfLookup(n, { ...rest, documents: named.filter(({ document_id }) => !document_id.endsWith('-0')) });
  });

async function tablesOf(lake: Lake) {
  const tables: Record<string, unknown> = {};
  for (const table of ['filings', 'documents', 'coverage', 'export_failures']) {
    const rows = await lake.query(`FROM ${table} ORDER BY ALL`);
    tables[table] = rows.map(({ fetched_at: _, failed_at: __, first_reported_by: ___, ...row }) => row);
  }
  return tables;
}

const WANTED = {
  filings: definitionOf('some', 'filings'),
  documents: definitionOf('some', 'filings, documents', 'documents: { sizes: false }'),
  // filing_info has the documents of 10-Ks and 8-Ks.
  sections: definitionOf('some', 'filings, documents, sections', 'documents: { sizes: false }'),
};

/** The page as a reading keeps it. */
function pageOf(body: Buffer) {
  const notes = { unknownMembers: new Set<string>(), violations: [], changed: false };
  const { filings } = readPage('filing_lookup', JSON.parse(body.toString('utf8')), notes);
  const page = { state: null, records: filings, violations: notes.violations };
  return { page, verbatim: notes.changed ? null : { member: 'filings', body } };
}

function bodyOf(filings: readonly { filing: Filing; style: Style }[]): Buffer {
  const records = filings.map(({ filing, style }) => written(filing, style));
  return Buffer.from(`{"count":${records.length},"filings":[${records.join(', ')}],"truncated":false}`);
}

describe('filings as the service wrote them', () => {
  it('become the rows that are made of their records, however the service writes JSON', async () => {
    const filings = fc.uniqueArray(fc.record({ filing: filingOf, style: fc.constantFrom(...STYLES) }), {
      selector: ({ filing }) => filing.accession_number,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(
        filings,
        fc.constantFrom<keyof typeof WANTED>('filings', 'documents', 'sections'),
        async (given, wanted) => {
          const { page, verbatim } = pageOf(bodyOf(given));
          const seen: unknown[] = [];
          for (const kept of [null, verbatim]) {
            const lake = await openLake(temporaryFolder(), { create: true });
            await stagePage(lake, 'run', 'w', 0, { ...page, verbatim: kept });
            const { committed, pending } = await planDriven(lake, runOf(WANTED[wanted], 'run', lake));
            const rows = Object.entries(committed?.tables ?? {}).map(([table, { bytes: _, ...told }]) => [table, told]);
            seen.push({ tables: await tablesOf(lake), pending, rows });
            await lake.close();
          }
          expect(seen[1]).toEqual(seen[0]);
        },
      ),
      { numRuns: runs(15), endOnFailure: true },
    );
  });

  it('are written unchanged if all readers of JSON agree on their values', () => {
    const taken = (style: Style, over: Partial<Filing> = {}, documents = true) => {
      const filing = filingOfLookup(1, { entity_name: 'Größe/AG', ...over });
      const texts = recordTexts(bodyOf([{ filing, style }]))!;
      const members = texts.members(0);
      return members !== null && saysItsRows(filing, members, documents);
    };
    for (const style of ['plain', 'spaces', 'escapes', 'slashes'] as const)
      expect([style, taken(style)]).toEqual([style, true]);
    for (const style of ['lines', 'floats', 'twice', 'names'] as const)
      expect([style, taken(style)]).toEqual([style, false]);
    expect(taken('escapes', { entity_name: '😀' })).toBe(false);
    expect(taken('plain', { entity_name: '😀' })).toBe(true);
    const [first] = filingOfLookup(1).documents;
    const large = { ...first!, document_id: `${filingOfLookup(1).accession_number}-3`, sequence: 2 ** 31 };
    const many = Array.from({ length: 9 }, (_, i) => ({
      ...first!,
      document_id: `${filingOfLookup(1).accession_number}-${i + 1}`,
    }));
    for (const documents of [
      [first!, large],
      [first!, first!],
      [...many, first!],
    ]) {
      expect(taken('plain', { documents })).toBe(false);
      // Nobody asks for them.
      expect(taken('plain', { documents }, false)).toBe(true);
    }
    expect(taken('plain', { documents: many })).toBe(true);
    for (const revision of ['k3Jd92_x-0', null]) expect(taken('plain', { revision })).toBe(true);
  });
});
