/** EDGAR's Atom feed of current filings: one entry for each party of a filing, newest first. */
import { type AccessionNumber, type Cik, parseAccessionNumber, parseCik } from '../../api/index.ts';
import { EdgarFileError } from '../reading/edgar-file-error.ts';
import type { RecordKind } from '../reading/file-kind.ts';

/** A party's entry. A filing has one for each party, and sometimes the same entry several times. */
export interface CurrentFeedEntry {
  accessionNumber: AccessionNumber;
  formType: string;
  /** `YYYY-MM-DD`; may be days before or after the day of acceptance */
  filingDate: string;
  /** ISO 8601 with Eastern offset, as EDGAR writes it: `2025-12-12T18:02:10-05:00` */
  acceptedAt: string;
  cik: Cik;
  name: string;
  /** `Filer`, `Reporting`, `Issuer`, `Subject`, `Filed by` …; null if the title names none */
  role: string | null;
  /** As EDGAR writes it, cut to whole units: `13 KB` */
  size: string;
  /** Item numbers of 8-K and D: `2.02`, `3C.1`; in the feed's order, each once */
  items: string[];
}

const FILE = 'feed of current filings';
const ENTRY = /<entry>([\s\S]*?)<\/entry>/g;

/** A page of the feed; an empty feed is []. @throws EdgarFileError not a feed, cut short, or a filing without number */
export function readCurrentFeed(bytes: Buffer): CurrentFeedEntry[] {
  // The feed declares ISO-8859-1.
  const text = bytes.toString(/^<\?xml[^>]*utf-8/i.test(bytes.toString('latin1', 0, 200)) ? 'utf8' : 'latin1');
  if (!/<feed[\s>]/.test(text)) throw new EdgarFileError(FILE, 'it has no <feed>');
  if (!/<\/feed>\s*$/.test(text)) throw new EdgarFileError(FILE, 'it is cut short', { offset: bytes.length });
  return [...text.matchAll(ENTRY)].map((match) => readEntry(match[1]!, match.index));
}

function readEntry(entry: string, offset: number): CurrentFeedEntry {
  const fail = (what: string) => new EdgarFileError(FILE, `an entry has no ${what}`, { offset });
  const accession = /accession-number=(\d{10}-\d{2}-\d{6})/.exec(entry)?.[1];
  const accessionNumber = accession === undefined ? null : parseAccessionNumber(accession);
  if (accessionNumber === null) throw fail('accession number');
  const formType = /<category\b[^>]*\bterm="([^"]*)"/.exec(entry)?.[1];
  if (formType === undefined) throw fail('form');
  const acceptedAt = /<updated>\s*([^<\s]+)\s*<\/updated>/.exec(entry)?.[1];
  if (acceptedAt === undefined || Number.isNaN(Date.parse(acceptedAt))) throw fail('time of acceptance');
  const title = unescapeXml(/<title[^>]*>([\s\S]*?)<\/title>/.exec(entry)?.[1] ?? '').trim();
  // Names hold ` - ` and parentheses: CIK and role are read from the title's end, the form is known from its category.
  const party = /^(.*)\((\d{1,10})\)\s*(?:\(([^()]*)\))?$/s.exec(title);
  const cik = parseCik(party?.[2] ?? /\/data\/(\d{1,10})\//.exec(entry)?.[1] ?? '');
  if (cik === null) throw fail('CIK');
  // The summary is HTML, escaped once more.
  const summary = unescapeXml(/<summary[^>]*>([\s\S]*?)<\/summary>/.exec(entry)?.[1] ?? '');
  const words = summary.replace(/<[^>]*>/g, ' ');
  const filingDate = /Filed:\s*(\d{4}-\d{2}-\d{2})/.exec(words)?.[1];
  if (filingDate === undefined) throw fail('filing date');
  const form = unescapeXml(formType).trim();
  const named = (party?.[1] ?? title).trim();
  return {
    accessionNumber,
    formType: form,
    filingDate,
    acceptedAt,
    cik,
    name: named.startsWith(`${form} - `) ? named.slice(form.length + 3).trim() : named,
    role: party?.[3] ?? null,
    size: /Size:\s*(\d+(?:\s*[KMG]B)?)/.exec(words)?.[1] ?? '',
    items: [...new Set([...summary.matchAll(/Item\s+([0-9A-Z.]+)\s*:/gi)].map((item) => item[1]!))],
  };
}

function unescapeXml(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)))
    .replace(/&amp;/g, '&');
}

export const currentFeedKind: RecordKind<'atom', CurrentFeedEntry[]> = {
  name: 'atom',
  recognise: (head) => head.isMarkup() && head.root === 'feed',
  read: readCurrentFeed,
};
