/** EDGAR's indexes of filings: master, form, company and crawler, daily and quarterly. */
import { type AccessionNumber, type Cik, isCalendarDate, parseAccessionNumber, parseCik } from '../../api/index.ts';
import { EdgarFileError } from '../reading/edgar-file-error.ts';
import type { RecordKind } from '../reading/file-kind.ts';
import { type Line, linesOf } from '../reading/lines.ts';
import { headerText } from '../submission/header-text.ts';

export interface FilingIndexEntry {
  formType: string;
  entityName: string;
  cik: Cik;
  /** `YYYY-MM-DD`, though daily indexes write `20200318`. */
  filingDate: string;
  /** Below `https://www.sec.gov/Archives/`: `edgar/data/320193/0000320193-24-000123.txt`; crawler indexes: of the filing's index page. */
  path: string;
  accessionNumber: AccessionNumber | null;
}

const FILE = 'filing index';
/** Far longer than any real line. The patterns below are not made for longer ones. */
const LINE_LENGTH_MAX = 2000;
const DASHES = /^-{20,}\s*$/;
/** The end of a line with columns. The columns are recognised by their shape, since a name longer than its column shifts the rest. */
const TAIL = /\s+(\d{1,10})\s+(\d{8}|\d{4}-\d{2}-\d{2})\s+((?:https?:\/\/\S+?\/)?edgar\/\S+)\s*$/;

/**
 * Reads an index line by line. A filing has a line for each of its parties. Throws EdgarFileError with the byte offset if there
 * is no table, and at an invalid line.
 * @param onInvalid takes an invalid line's error instead, and the lines after it are read
 */
export function* readFilingIndex(
  bytes: Buffer,
  onInvalid: (error: EdgarFileError) => void = (error) => {
    throw error;
  },
): Generator<FilingIndexEntry> {
  const lines = linesOf(bytes, 0, bytes.length);
  const readLine = readerFor(lines);
  for (const line of lines) {
    if (line.text.trim() === '') continue;
    const entry = line.text.length <= LINE_LENGTH_MAX ? readLine(line.text) : null;
    if (entry !== null) yield entry;
    else
      onInvalid(
        new EdgarFileError(FILE, `'${line.text.trim().slice(0, 80)}' is not an entry`, { offset: line.offset }),
      );
  }
}

type ReadLine = (line: string) => FilingIndexEntry | null;

/** Skips the head up to the dashes. Lines aren't counted: one company index has its column names on two lines. */
function readerFor(lines: Iterator<Line>): ReadLine {
  let columns = '';
  for (let next = lines.next(); !next.done; next = lines.next()) {
    const line = next.value.text;
    if (DASHES.test(line)) {
      if (columns.includes('|')) return readPiped;
      const [form, company] = [columns.indexOf('Form Type'), columns.indexOf('Company Name')];
      if (form >= 0 && company >= 0) return form < company ? readFormFirst(company) : readCompanyFirst(form);
      throw new EdgarFileError(FILE, 'its columns have no names', { offset: next.value.offset });
    }
    if (/Form Type/.test(line) && /Company Name/.test(line)) columns = line;
  }
  throw new EdgarFileError(FILE, 'there is no line of dashes above a table');
}

/** `CIK|Company Name|Form Type|Date Filed|File Name`; a name might hold the separator. */
function readPiped(line: string): FilingIndexEntry | null {
  const fields = line.split('|');
  if (fields.length < 5) return null;
  const [formType, date, path] = fields.slice(-3) as [string, string, string];
  return entry(formType, fields.slice(1, -3).join('|'), fields[0]!, date, path);
}

/** Form names have only single blanks, company names may have more. So the first gap ends the form if it is before the names' column. */
function readFormFirst(nameColumn: number): ReadLine {
  return (line) => {
    const tail = TAIL.exec(line);
    if (!tail) return null;
    const head = line.slice(0, tail.index);
    const gap = /\s{2,}/.exec(head);
    const at = gap && gap.index < nameColumn ? gap.index : columnOrBlank(head, nameColumn);
    return entry(head.slice(0, at), head.slice(at), tail[1]!, tail[2]!, tail[3]!);
  };
}

/** The last gap is before the form. If the gap ends before the forms' column, it is inside a name that fills its column. */
function readCompanyFirst(formColumn: number): ReadLine {
  return (line) => {
    const tail = TAIL.exec(line);
    if (!tail) return null;
    const head = line.slice(0, tail.index).trimEnd();
    const gap = /\s{2,}(?=\S+(?: \S+)*$)/.exec(head);
    const isBeforeForm = gap && (gap.index + gap[0].length >= formColumn || head.length <= formColumn);
    const at = isBeforeForm ? gap.index : columnOrBlank(head, formColumn);
    return entry(head.slice(at), head.slice(0, at), tail[1]!, tail[2]!, tail[3]!);
  };
}

/** Position of the second column: its usual place if a blank is before it. If the first column is too long, the next blank. */
function columnOrBlank(head: string, column: number): number {
  if (head[column - 1] === ' ') return column;
  const blank = head.indexOf(' ', column);
  return blank < 0 ? column : blank;
}

function entry(
  formType: string,
  name: string,
  cikText: string,
  date: string,
  pathOrUrl: string,
): FilingIndexEntry | null {
  const cik = parseCik(cikText.trim());
  const filingDate = date.trim().replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  const path = pathOrUrl.trim().replace(/^https?:\/\/.*?\/(?=edgar\/)/, '');
  if (cik === null || !isCalendarDate(filingDate) || path === '' || formType.trim() === '') return null;
  return {
    formType: formType.trim(),
    entityName: headerText(name),
    cik,
    filingDate,
    path,
    accessionNumber: accessionOf(path),
  };
}

/** From the file's name, or from the folder of 18 digits. */
function accessionOf(path: string): AccessionNumber | null {
  const match = /(?<!\d)(\d{10}-\d{2}-\d{6})(?!\d)/.exec(path) ?? /\/(\d{18})\//.exec(path);
  return match && parseAccessionNumber(match[1]!);
}

/** The line above the table, or the names of its columns. */
const HEAD =
  /^(Description:\s+(Master|Daily|Quarterly) Index of EDGAR|CIK\|Company Name\|Form Type|Form Type\s+Company Name|Company Name\s+Form Type)/;

export const filingIndexKind: RecordKind<'filing_index', Generator<FilingIndexEntry>> = {
  name: 'filing_index',
  recognise: (head) => HEAD.test(head.text),
  read: readFilingIndex,
};
