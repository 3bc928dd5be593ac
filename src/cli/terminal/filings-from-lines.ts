/** Filings from NDJSON: a document for each line. Consecutive lines with one accession number are one filing. */
import { createInterface } from 'node:readline';
import { FilinglakeError } from '../../core/index.ts';
import type { Filing, FilingDocument } from '../../filings/forms/index.ts';

interface NamedFiling {
  /** Its name in the rows: `file` of the line, else the accession number, else the line. */
  file: string;
  filing: Filing;
}

interface Line {
  file: string;
  accessionNumber: string | null;
  filingDate: string | null;
  formType: string | null;
  document: FilingDocument;
}

/** @throws FilinglakeError `line-invalid` (exit 2): not JSON, or without `content` */
export async function* filingsOfStandardInput(form: string | undefined): AsyncGenerator<NamedFiling> {
  yield* filingsOfLines(createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }), form);
}

async function* filingsOfLines(lines: AsyncIterable<string>, form: string | undefined): AsyncGenerator<NamedFiling> {
  let open: Line[] = [];
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text.trim() === '') continue;
    const line = readLine(text, number);
    if (open.length > 0 && (line.accessionNumber === null || line.accessionNumber !== open[0]!.accessionNumber)) {
      yield filingOf(open, form);
      open = [];
    }
    open.push(line);
  }
  if (open.length > 0) yield filingOf(open, form);
}

function filingOf(lines: readonly Line[], form: string | undefined): NamedFiling {
  const { file, accessionNumber } = lines[0]!;
  const first = (pick: (line: Line) => string | null) => lines.map(pick).find((value) => value !== null) ?? null;
  return {
    file,
    filing: {
      accessionNumber,
      filingDate: first((line) => line.filingDate),
      formType: form ?? first((line) => line.formType),
      documents: lines.map((line) => line.document),
    },
  };
}

function readLine(text: string, number: number): Line {
  const fail = (message: string): never => {
    throw new FilinglakeError('line-invalid', `line ${number} of standard input ${message}`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('is not a JSON object');
  const members = value as Record<string, unknown>;
  const member = (name: string): string | null => {
    const found = members[name] ?? null;
    return found === null || typeof found === 'string' ? found : fail(`has a "${name}" that is not text`);
  };
  const content = member('content') ?? fail('has no "content"');
  const date = member('filing_date')?.slice(0, 10) ?? null;
  if (date !== null && !/^\d{4}-\d{2}-\d{2}$/.test(date)) fail('has a "filing_date" that is not YYYY-MM-DD');
  const accessionNumber = member('accession_number');
  return {
    file: member('file') ?? accessionNumber ?? `line ${number}`,
    accessionNumber,
    filingDate: date,
    formType: member('form_type'),
    document: { name: member('name'), type: member('type'), text: () => content },
  };
}
