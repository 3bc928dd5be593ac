/** Structured forms: MB and rows a CPU-second, and memory beyond the document, on made-up documents. */
import { execFileSync } from 'node:child_process';
import { SaxesParser } from 'saxes';
import { decodeText } from '../src/filings/documents/index.ts';
import { type Filing, type FilingDocument, mapFiling } from '../src/filings/forms/index.ts';
import { form4, form13f, informationTable, nportOf } from './forms-documents/made.ts';
import { inlineReport, instanceReport } from './forms-documents/xbrl.ts';
import { ixbrlparse } from './forms-sides/ixbrlparse.ts';
import { cpuSeconds, rounded, show } from './recording/measuring.ts';

export const summary =
  'structured forms as rows: MB/s, rows/s, memory: [ownership|f13|nport|xbrl|xbrl-big|xbrl-instance]';

const MEGABYTE = 1e6;
const PASSES = 3;
interface Made extends FilingDocument {
  bytes: number;
}

const SUBJECTS: Record<string, () => Made[][]> = {
  // 1,000 filings of 23 kB.
  ownership: () => Array.from({ length: 1000 }, (_, seed) => [document('doc4.xml', form4(seed))]),
  f13: () => [[document('primary_doc.xml', form13f), document('table.xml', informationTable(100_000))]],
  nport: () => [[document('primary_doc.xml', nportOf(32_000))]],
  // 20 reports of 2,500 facts.
  xbrl: () => Array.from({ length: 20 }, (_, k) => [document('report.htm', inlineReport(2500 + k))]),
  // One report of 100 MB.
  'xbrl-big': () => [[document('report.htm', inlineReport(72_000))]],
  'xbrl-instance': () => Array.from({ length: 20 }, (_, k) => [document('report.xml', instanceReport(2500 + k))]),
};

/** Tables whose rows are counted, where a form has others beside. */
const COUNTED: Readonly<Record<string, ReadonlySet<string>>> = {
  xbrl: new Set(['xbrl_facts']),
  'xbrl-big': new Set(['xbrl_facts']),
  'xbrl-instance': new Set(['xbrl_facts']),
};

interface Measured {
  form: string;
  mb: number;
  rows: number;
  cold_mb_per_cpu_second: number;
  cold_rows_per_cpu_second: number;
  warm_mb_per_cpu_second: number;
  warm_rows_per_cpu_second: number;
  /** saxes on the same documents, without rows: the machine's current speed. */
  saxes_mb_per_cpu_second: number;
  heap_mb_above_document: number;
}

/** Each form in a separate process: one must not warm up the next. */
export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const forms = args.length > 0 ? args : Object.keys(SUBJECTS);
  const measured: Measured[] = [];
  if (forms.length === 1 && process.env.FORMS_BENCH === 'alone') {
    process.stdout.write(JSON.stringify(measure(forms[0]!)));
    return;
  }
  for (const form of forms) {
    const command = [...process.execArgv, '--expose-gc', process.argv[1]!, 'forms', form];
    const output = execFileSync(process.execPath, command, {
      env: { ...process.env, FORMS_BENCH: 'alone' },
      encoding: 'utf8',
    });
    measured.push(JSON.parse(output) as Measured);
  }
  show(measured.map(rounded), json, measured);
  if (!json && forms.includes('xbrl')) process.stdout.write(`\n${otherReader()}\n`);
}

function otherReader(): string {
  const other = ixbrlparse(inlineReport(2500));
  if (other === null)
    return 'ixbrlparse is left out: set PYTHON to a Python with bench/forms-sides/requirements.txt installed.';
  const { mb_per_cpu_second, facts_per_cpu_second } = other;
  return `ixbrlparse, one xbrl report: ${mb_per_cpu_second.toPrecision(3)} MB and ${facts_per_cpu_second.toPrecision(3)} facts a CPU-second`;
}

function measure(form: string): Measured {
  const filings = SUBJECTS[form]!();
  const tables = COUNTED[form] ?? null;
  const mb = filings.flat().reduce((sum, { bytes }) => sum + bytes, 0) / MEGABYTE;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const speeds: number[] = [];
  let rows = 0;
  let heap = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    rows = 0;
    const seconds = cpuSeconds(() => {
      for (const documents of filings) for (const _ of mapFiling(filingOf(documents), tables)) rows++;
    });
    speeds.push(mb / seconds);
  }
  // Another pass for memory alone: live objects, without garbage.
  let seen = 0;
  for (const documents of filings) {
    for (const _ of mapFiling(filingOf(documents), tables)) {
      if (++seen % 20_000 !== 0) continue;
      globalThis.gc?.();
      heap = Math.max(heap, process.memoryUsage().heapUsed - before);
    }
  }
  const warm = Math.max(...speeds.slice(1));
  return {
    form,
    mb,
    rows,
    cold_mb_per_cpu_second: speeds[0]!,
    cold_rows_per_cpu_second: (rows / mb) * speeds[0]!,
    warm_mb_per_cpu_second: warm,
    warm_rows_per_cpu_second: (rows / mb) * warm,
    saxes_mb_per_cpu_second: mb / cpuSeconds(() => readWithSaxes(filings)),
    heap_mb_above_document: heap / MEGABYTE,
  };
}

function filingOf(documents: readonly Made[]): Filing {
  return { accessionNumber: '0000000000-24-000001', filingDate: '2024-05-01', formType: null, documents };
}

function readWithSaxes(filings: readonly Made[][]): void {
  for (const { text } of filings.flat()) {
    const parser = new SaxesParser({ xmlns: false });
    parser.on('opentag', () => {});
    parser.on('text', () => {});
    parser.on('closetag', () => {});
    parser.write(text()).close();
  }
}

/** Decoding is part of the work, as for documents from a file or a service. */
function document(name: string, text: string): Made {
  const bytes = Buffer.from(text);
  return { name, type: null, bytes: bytes.length, text: () => decodeText(bytes).text };
}
