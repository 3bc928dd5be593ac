/** A remap in one process, beside reading the same Parquet column in DuckDB and mapping the same documents in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { mapFiling } from '../src/forms/index.ts';
import { openLake, type Row } from '../src/lake/index.ts';
import { remapLake } from '../src/pipeline/index.ts';
import { form4 } from './forms-documents/made.ts';
import { inlineReport } from './forms-documents/xbrl.ts';

export const summary =
  'remap: MB a CPU-second, beside reading the same Parquet column in DuckDB and mapping alone: [ownership|xbrl [FILINGS]]';

interface Subject {
  form: string;
  type: string;
  file: string;
  filings: number;
  document: (n: number) => string;
}

const SUBJECTS: Record<string, Subject> = {
  // 3,000 filings of 23 kB.
  ownership: { form: '4', type: '4', file: 'doc4.xml', filings: 3000, document: form4 },
  // 40 reports of 2,500 facts.
  xbrl: { form: '10-K', type: '10-K', file: 'report.htm', filings: 40, document: (n) => inlineReport(2500 + n) },
};
const FILINGS_A_COMMIT = 500;

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const measured = [];
  const [only, filings] = args;
  for (const name of only ? [only] : Object.keys(SUBJECTS)) {
    const subject = SUBJECTS[name]!;
    measured.push(await measure(name, filings ? { ...subject, filings: Number(filings) } : subject));
  }
  if (json) process.stdout.write(`${JSON.stringify(measured)}\n`);
  else process.stdout.write(formatTable(measured, Object.keys(measured[0] ?? {})));
}

async function measure(name: string, subject: Subject) {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-remap-'));
  try {
    const { bytes, documents } = await makeLake(folder, subject);
    const lake = await openLake(folder);
    const seconds = async (work: () => Promise<unknown>) => {
      // Of all threads, DuckDB's too: other processes may use the machine.
      const began = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1e6;
    };
    const read = () => lake.query('SELECT sum(length(content)) AS n FROM document_contents');
    const reading = Math.min(await seconds(read), await seconds(read));
    let rows = 0;
    const mapping = await seconds(async () => {
      for (const [n, text] of documents.entries())
        for (const _ of mapFiling(
          {
            ...{ accessionNumber: numberOf(n), filingDate: '2024-05-01', formType: subject.form },
            documents: [{ name: subject.file, type: subject.type, text: () => text }],
          },
          null,
        ))
          rows++;
    });
    let commits = 0;
    const remap = await seconds(async () => {
      const report = await remapLake(lake);
      if (report.mapped !== subject.filings) throw new Error(`mapped ${report.mapped} of ${subject.filings}`);
      commits = report.commits;
    });
    await lake.close();
    const mb = bytes / 1e6;
    const digits = (n: number) => Number(n.toPrecision(3));
    return {
      ...{ form: name, mb: digits(mb), rows, commits },
      ...{ reading_cpu_s: digits(reading), mapping_cpu_s: digits(mapping), remap_cpu_s: digits(remap) },
      remap_mb_per_cpu_second: digits(mb / remap),
      times_reading_and_mapping: digits(remap / (reading + mapping)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function numberOf(n: number): string {
  return `0000000001-24-${String(n).padStart(6, '0')}`;
}

/** As an export leaves it: filings, their documents, and coverage. */
async function makeLake(folder: string, { filings, form, type, file, document }: Subject) {
  const lake = await openLake(folder, { create: true });
  const documents = Array.from({ length: filings }, (_, n) => document(n));
  let bytes = 0;
  for (let from = 0; from < filings; from += FILINGS_A_COMMIT) {
    const batch = { run_id: 'made', batch_id: String(from), base_version: await lake.currentVersion() };
    const writer = lake.openStaging(batch.run_id, batch.batch_id, 1);
    for (const [i, content] of documents.slice(from, from + FILINGS_A_COMMIT).entries()) {
      const accession_number = numberOf(from + i);
      const document_id = `${accession_number}-1`;
      const size = Buffer.byteLength(content);
      bytes += size;
      const rows: [string, Row][] = [
        ['filings', { accession_number, cik: '1', form_type: form, filing_date: '2024-05-01' }],
        ['documents', { document_id, accession_number, sequence: 1, filename: file, type }],
        [
          'document_contents',
          { document_id, accession_number, content_type: 'text/xml', encoding: 'utf-8', content, size },
        ],
      ];
      const ids = [document_id];
      if (form === '10-K') {
        // A report has facts if it has a schema.
        const schema = { document_id: `${accession_number}-2`, accession_number };
        const content = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>';
        rows.push(['documents', { ...schema, sequence: 2, filename: 'acme.xsd', type: 'EX-101.SCH' }]);
        rows.push(['document_contents', { ...schema, content_type: 'text/xml', encoding: 'utf-8', content, size: 60 }]);
        ids.push(schema.document_id);
      }
      for (const step of ['filing', ...ids.map((id) => `document:${id}`)])
        rows.push([
          'coverage',
          {
            accession_number,
            step,
            selector: 'raw',
            revision: 'r',
            status: 'done',
            fetched_at: '2024-05-01T00:00:00Z',
          },
        ]);
      for (const [table, row] of rows) writer.append(table, row);
    }
    const segment = await writer.seal();
    await lake.commitBatch({ ...batch, segments: [segment!] });
  }
  await lake.close();
  return { bytes, documents };
}
