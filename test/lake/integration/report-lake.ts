/** A lake with all that a report has to tell: forms over years or months, failed and missing steps, unproven windows, runs, hostile texts. */
import { type Lake, openLake } from '../../../src/lake/index.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { bring } from '../../support/lake/small-lake.ts';

/** What must come out as text, whatever it is put into. */
export const HOSTILE = `<script>alert("1")</script>'><img src=x onerror=alert(2)>&amp;`;

const FORMS = [
  '4',
  '10-Q',
  '8-K',
  '10-K',
  'SC 13G',
  'DEF 14A',
  '424B2',
  '3',
  '5',
  'D',
  'S-1',
  'S-8',
  '13F-HR',
  'N-CSR',
  '11-K',
  '20-F',
  '6-K',
  'NT 10-K',
  'ARS',
  'UPLOAD',
  'CORRESP',
  'EFFECT',
  '15-12G',
  '25',
  '10-K/A',
];

const DEFINITION = {
  name: 'daily',
  tables: ['filings', 'documents', 'parties', 'sections', 'section_contents', 'document_contents'],
  documents: { types: ['primary'], sizes: true },
  budget: { max_requests: 5000, max_bytes: null, reserve: 200 },
};

export interface ReportLakeOptions {
  filings: number;
  months: number;
  /** Name of an export, and messages of failures. */
  text?: string;
}

/** Filings spread over forms and months by number: every 50th has a failed step, every 70th one that was never asked. */
export async function makeReportLake(
  folder: string,
  { filings, months, text = 'daily' }: ReportLakeOptions,
): Promise<Lake> {
  const lake = await openLake(folder, { create: true });
  const BATCH = 20_000;
  for (let from = 0; from < filings; from += BATCH) {
    const rows: Record<string, Row[]> = { filings: [], coverage: [], export_plans: [], export_failures: [] };
    for (let n = from; n < Math.min(filings, from + BATCH); n++) {
      const accession_number = `0000000001-24-${String(n).padStart(6, '0')}`;
      const form_type = FORMS[n % 6 === 0 ? n % FORMS.length : n % 4]!;
      const month = (n * 7919) % months;
      const day = `${2024 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-${String((n % 28) + 1).padStart(2, '0')}`;
      rows.filings!.push({ accession_number, cik: String(n % 500), form_type, filing_date: day, entity_name: text });
      const failed = n % 50 === 0;
      const steps = [
        'filing',
        'info',
        ...(/^10-[KQ]/.test(form_type) ? ['sections'] : []),
        `document:${accession_number}-1`,
      ];
      for (const pass of steps.slice(1).map((step) => (step.startsWith('document:') ? 'documents' : step))) {
        const planned = { export: text, accession_number, pass, revision: 'r', run_id: 'run-3', window: 'w-1' };
        rows.export_plans!.push({ ...planned, steps: pass === 'documents' ? '1' : pass });
      }
      for (const [i, step] of steps.entries()) {
        if (n % 70 === 1 && i > 1) continue;
        const status = failed && i === steps.length - 1 ? 'failed' : 'done';
        rows.coverage!.push({ accession_number, step, selector: 'filings', revision: 'r', status });
      }
      if (failed && n < 5000) {
        const subject = `${accession_number}-1`;
        const code = n % 100 === 0 ? 'service-failed' : 'contract-broken';
        const message = `document ${subject}: ${text === 'daily' ? 'the service answered 500 after four attempts' : text}`;
        rows.export_failures!.push({
          export: text,
          step: `document:${subject}`,
          subject,
          accession_number,
          code,
          message,
          attempts: 4,
          failed_at: '2026-11-03T04:05:06Z',
        });
      }
    }
    await bring(lake, { run: 'made', batch: `b${from}` }, rows);
  }
  const window = (name: string, more: Row): Row => ({
    run_id: 'run-3',
    window: name,
    filter: '{"form_types":["none"]}',
    expected: 0,
    found: 0,
    proven: true,
    ...more,
  });
  const runs = [1, 2, 3].flatMap((n) =>
    [2, 5, 9, 20].map((day, i) => ({
      run_id: i === 3 ? `run-${n}` : `run-${n}-${day}`,
      export: text,
      definition: JSON.stringify({ ...DEFINITION, name: text }),
      service: 'https://filings.example',
      state: n === 2 && i === 1 ? 'failed' : 'completed',
      started_at: `2026-${String(8 + n).padStart(2, '0')}-${String(day).padStart(2, '0')}T06:00:00Z`,
      ended_at: `2026-${String(8 + n).padStart(2, '0')}-${String(day).padStart(2, '0')}T0${6 + i}:21:40Z`,
      requests: 1000 * n + 217 * day,
      bytes: 80_000_000 * n,
    })),
  );
  await bring(
    lake,
    { run: 'made', batch: 'end' },
    {
      export_windows: [
        window('w-1', { filter: '{}', expected: filings, found: filings }),
        window('w-2', {
          date_from: '2024-05-01',
          date_to: '2024-06-30',
          expected: 12_000,
          found: 9_990,
          proven: false,
        }),
      ],
      export_runs: runs,
    },
  );
  await lake.dropStaging('made');
  return lake;
}
