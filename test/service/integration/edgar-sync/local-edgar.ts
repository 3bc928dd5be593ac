/**
 * A local EDGAR: the hosts' pages as recorded, over filings that a test publishes. It has its own clock, records its requests with
 * their times, and fails like the hosts.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { easternTime } from '../../../../src/service/edgar-sync/clock.ts';
import { daysOfQuarter, quarterOf } from '../../../../src/service/edgar-sync/places.ts';
import { LocalServer } from '../../../support/local-server.ts';

export interface LocalFiling {
  accession: string;
  form: string;
  filingDate: string;
  acceptedAt: number;
  parties: { cik: string; name: string; role: string }[];
  /** Text of its one document */
  text: string;
  /** The feed never names it */
  isLetter?: boolean;
  /** Day whose index names it; by default that of its acceptance */
  publishedOn?: string;
}

/** Instead of the true answer, or null. */
export type Fault = (
  path: string,
) => { status: number; type?: string; body: string | Buffer; headers?: Record<string, string> } | 'cut' | 'drop' | null;

const FEED_END = 5100;
export const BLOCK_PAGE =
  '<!DOCTYPE html><html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head></html>';
const ACCESS_DENIED =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';

export class LocalEdgar extends LocalServer {
  /** By accession number; a withdrawn filing leaves it */
  readonly filings = new Map<string, LocalFiling>();
  /** Requested paths, with the time by the given clock */
  readonly asked: { path: string; at: number; status: number }[] = [];
  fault: Fault = () => null;
  /** SEC's records of entities by path */
  readonly records = new Map<string, object>();
  /** Daily archives by path */
  readonly archives = new Map<string, Buffer>();
  /** Index files that are written, by path; what a test publishes is not in them before. */
  readonly #indexes = new Map<string, { bytes: Buffer; modified: number }>();
  readonly #changedAt = new Map<string, number>();
  /** EDGAR's own clock */
  now: () => number;
  /** SEC's other lists, by path */
  otherTickerLists: Record<string, unknown> = {};
  tickers: [number, string, string, string][] = [[320193, 'Example Orchards Inc', 'ORCH', 'Nasdaq']];

  private constructor(now: () => number) {
    super();
    this.now = now;
  }

  static start(now: () => number = () => Date.now()): Promise<LocalEdgar> {
    return new LocalEdgar(now).listen();
  }

  publish(...filings: LocalFiling[]): void {
    for (const filing of filings) {
      this.filings.set(filing.accession, filing);
      this.#changedAt.set(filing.accession, Math.max(filing.acceptedAt, this.now()));
    }
  }

  /** Publishes five filings of each day, with its index and its archive. */
  async publishDays(days: readonly string[]): Promise<void> {
    for (const [at, filingDate] of days.entries()) {
      for (let n = 5 * at + 1; n <= 5 * at + 5; n++)
        this.publish({
          accession: `0000999999-24-${String(n).padStart(6, '0')}`,
          form: '8-K',
          filingDate,
          parties: [{ cik: '320193', name: 'Example Orchards Inc', role: 'Filer' }],
          acceptedAt: Date.parse(`${filingDate}T15:00:00Z`),
          text: `Text ${n}`,
        });
      this.writeDay(filingDate);
      await this.writeArchive(filingDate);
    }
  }

  /** Requests for complete submissions, by accession number. */
  downloads(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { path, status } of this.asked) {
      const accession = /(\d{10}-\d{2}-\d{6})\.txt$/.exec(path)?.[1];
      if (accession && status === 200) counts.set(accession, (counts.get(accession) ?? 0) + 1);
    }
    return counts;
  }

  /** Writes the index of a day, as EDGAR does at night. */
  writeDay(day: string, file = `master.${day.replaceAll('-', '')}.idx`): void {
    const rows = [...this.filings.values()].filter((filing) => publishedOn(filing) === day);
    if (rows.length === 0) return;
    const name = `/Archives/edgar/daily-index/${quarterOf(day)}/${file}`;
    this.#put(
      name,
      master(rows, (date) => date.replaceAll('-', ''), day),
    );
  }

  /** Rebuilds the index of a quarter, up to a day. */
  writeQuarter(quarter: string, until: string): void {
    const { first, last } = daysOfQuarter(quarter);
    const rows = [...this.filings.values()].filter(
      (filing) => filing.filingDate >= first && filing.filingDate <= last && publishedOn(filing) <= until,
    );
    this.#put(
      `/Archives/edgar/full-index/${quarter}/master.idx`,
      master(rows, (date) => date, until),
    );
  }

  /** Packs the submissions of a day, in the dialect of archives: without a time of acceptance. */
  async writeArchive(day: string, more: { leaveOut?: string[]; damage?: boolean; cut?: string } = {}): Promise<void> {
    const pack = tar.pack();
    for (const filing of this.filings.values()) {
      if (publishedOn(filing) !== day || more.leaveOut?.includes(filing.accession)) continue;
      const text = archivedText(filing);
      const isCut = more.cut === filing.accession;
      pack.entry({ name: `${filing.accession}.nc` }, isCut ? text.slice(0, text.length >> 1) : text);
    }
    pack.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of pack) chunks.push(chunk as Buffer);
    const bytes = gzipSync(Buffer.concat(chunks));
    const path = `/Archives/edgar/Feed/${quarterOf(day)}/${day.replaceAll('-', '')}.nc.tar.gz`;
    this.archives.set(path, more.damage ? bytes.subarray(0, bytes.length >> 1) : bytes);
  }

  #put(path: string, text: string): void {
    const bytes = Buffer.from(text);
    if (this.#indexes.get(path)?.bytes.equals(bytes)) return;
    this.#indexes.set(path, { bytes, modified: this.now() });
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://edgar');
    const path = url.pathname + url.search;
    const entry = { path, at: this.now(), status: 0 };
    this.asked.push(entry);
    const send = (status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}) => {
      entry.status = status;
      // Not what is smaller than a packet, as on most servers.
      const gzip = body.length > 1_400 && /gzip/.test(request.headers['accept-encoding'] ?? '');
      const bytes = gzip ? gzipSync(body, { level: 1 }) : Buffer.from(body);
      const coding = gzip ? { 'content-encoding': 'gzip' } : {};
      response
        .writeHead(status, { 'content-type': type, 'content-length': bytes.length, ...coding, ...headers })
        .end(bytes);
    };
    if (!/@/.test(request.headers['user-agent'] ?? '')) {
      const title = 'SEC.gov | Your Request Originates from an Undeclared Automated Tool';
      send(403, 'text/html', `<html><title>${title}</title></html>`);
      return;
    }
    const fault = this.fault(path);
    if (fault === 'drop') {
      response.destroy();
      return;
    }
    if (fault === 'cut') {
      entry.status = 0;
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '10000' });
      response.write('<SEC-DOCUMENT>');
      setTimeout(() => response.destroy(), 5);
      return;
    }
    if (fault !== null) {
      send(fault.status, fault.type ?? 'text/html', fault.body, fault.headers);
      return;
    }
    const file = this.#file(url);
    if (file === null) {
      send(403, 'application/xml', ACCESS_DENIED);
      return;
    }
    if (file === 'beyond') {
      send(503, 'text/html', '<html><title>SEC.gov | File Unavailable</title></html>');
      return;
    }
    const etag = `"${hash('md5', file.bytes)}"`;
    const modified = new Date(file.modified).toUTCString();
    const validators = file.isLive ? {} : { etag, 'last-modified': modified };
    const { 'if-none-match': match, 'if-modified-since': since } = request.headers;
    if (!file.isLive && (match === undefined ? since === modified : match === etag)) {
      entry.status = 304;
      response.writeHead(304, validators).end();
      return;
    }
    send(200, file.type, file.bytes, validators);
  }

  #file(url: URL): { bytes: Buffer; type: string; modified: number; isLive?: boolean } | 'beyond' | null {
    const { pathname, searchParams } = url;
    if (pathname === '/cgi-bin/browse-edgar') {
      const start = Number(searchParams.get('start'));
      if (start >= FEED_END) return 'beyond';
      return {
        bytes: this.#feed(start, Number(searchParams.get('count'))),
        type: 'application/atom+xml',
        modified: 0,
        isLive: true,
      };
    }
    const other = this.otherTickerLists[pathname];
    if (other !== undefined)
      return { bytes: Buffer.from(JSON.stringify(other)), type: 'application/json', modified: 0 };
    if (pathname === '/files/company_tickers_exchange.json') {
      const list = { fields: ['cik', 'name', 'ticker', 'exchange'], data: this.tickers };
      return { bytes: Buffer.from(JSON.stringify(list)), type: 'application/json', modified: 0 };
    }
    const record = this.records.get(pathname);
    if (record) return { bytes: Buffer.from(JSON.stringify(record)), type: 'application/json', modified: 0 };
    const archive = this.archives.get(pathname);
    if (archive) return { bytes: archive, type: 'application/x-gzip', modified: 0 };
    const index = this.#indexes.get(pathname);
    if (index) return { ...index, type: 'application/octet-stream' };
    if (pathname.endsWith('/index.json')) return this.#listing(pathname.slice(0, -'index.json'.length));
    const accession = /^\/Archives\/edgar\/data\/\d+\/(\d{10}-\d{2}-\d{6})\.txt$/.exec(pathname)?.[1];
    const filing = accession === undefined ? undefined : this.filings.get(accession);
    if (!filing || filing.acceptedAt > this.now()) return null;
    return {
      bytes: Buffer.from(submissionText(filing)),
      type: 'text/plain',
      modified: this.#changedAt.get(filing.accession)!,
    };
  }

  #listing(folder: string): { bytes: Buffer; type: string; modified: number; isLive: boolean } | null {
    const names = [...this.#indexes.keys()]
      .filter((path) => path.startsWith(folder))
      .map((path) => path.slice(folder.length));
    if (names.length === 0) return null;
    const item = names.sort().map((name) => ({ name, type: 'file', size: '1 KB', 'last-modified': '' }));
    const bytes = Buffer.from(
      JSON.stringify({ directory: { item, name: folder, 'parent-dir': '../../../integration/' } }),
    );
    return { bytes, type: 'application/json', modified: 0, isLive: true };
  }

  /** Entries of all filings accepted by now, one a party, some twice, newest first. */
  #feed(start: number, count: number): Buffer {
    const now = this.now();
    const entries: string[] = [];
    const filings = [...this.filings.values()].filter(({ isLetter, acceptedAt }) => !isLetter && acceptedAt <= now);
    filings.sort((a, b) => b.acceptedAt - a.acceptedAt || (a.accession < b.accession ? 1 : -1));
    for (const filing of filings) {
      if (entries.length > Math.min(FEED_END, start + count)) break;
      entries.push(...entriesOf(filing));
    }
    return Buffer.from(
      `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n<title>Latest Filings</title>\n` +
        `${entries.slice(start, start + count).join('')}</feed>\n`,
      'latin1',
    );
  }
}

export function publishedOn({ publishedOn, acceptedAt }: LocalFiling): string {
  return publishedOn ?? easternTime(acceptedAt).date;
}

const entriesByFiling = new WeakMap<LocalFiling, string[]>();

/** One for each party, some twice. */
function entriesOf(filing: LocalFiling): string[] {
  const known = entriesByFiling.get(filing);
  if (known) return known;
  const times = filing.form.startsWith('485') ? 2 : 1;
  const entries = filing.parties.flatMap((party) => Array<string>(times).fill(feedEntry(filing, party)));
  entriesByFiling.set(filing, entries);
  return entries;
}

function feedEntry(filing: LocalFiling, { cik, name, role }: LocalFiling['parties'][number]): string {
  const { accession, form, filingDate, acceptedAt } = filing;
  const folder = accession.replaceAll('-', '');
  const size = `${Math.floor(submissionText(filing).length / 1000)} KB`;
  return `<entry>
<title>${form} - ${xml(name)} (${cik.padStart(10, '0')}) (${role})</title>
<link rel="alternate" type="text/html" href="https://www.sec.gov/Archives/edgar/data/${cik}/${folder}/${accession}-index.htm"/>
<summary type="html">
 &lt;b&gt;Filed:&lt;/b&gt; ${filingDate} &lt;b&gt;AccNo:&lt;/b&gt; ${accession} &lt;b&gt;Size:&lt;/b&gt; ${size}
</summary>
<updated>${eastern(acceptedAt)}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${xml(form)}"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession}</id>
</entry>
`;
}

const NEW_YORK = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeZoneName: 'short' });

/** `2025-12-12T18:02:10-05:00` */
function eastern(ms: number): string {
  const summer = NEW_YORK.format(ms).endsWith('EDT');
  const local = new Date(ms - (summer ? 4 : 5) * 3_600_000).toISOString().slice(0, 19);
  return `${local}-0${summer ? 4 : 5}:00`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;');
}

function master(filings: readonly LocalFiling[], date: (iso: string) => string, until: string): string {
  const month = new Date(`${until}T00:00:00Z`).toLocaleString('en-US', { timeZone: 'UTC', month: 'long' });
  const day = String(Number(until.slice(8))).padStart(2, ' ');
  const rows = filings.flatMap(({ accession, form, filingDate, parties }) =>
    parties.map(({ cik, name }) => `${cik}|${name}|${form}|${date(filingDate)}|edgar/data/${cik}/${accession}.txt\n`),
  );
  return `Description:           Master Index of EDGAR Dissemination Feed
Last Data Received:    ${month} ${day}, ${until.slice(0, 4)}
Comments:              webmaster@sec.gov
Anonymous FTP:         ftp://ftp.sec.gov/edgar/
 
CIK|Company Name|Form Type|Date Filed|File Name
--------------------------------------------------------------------------------
${rows.sort().join('')}`;
}

export function submissionText({ accession, form, filingDate, acceptedAt, parties, text }: LocalFiling): string {
  const digits = eastern(acceptedAt).slice(0, 19).replace(/\D/g, '');
  const day = filingDate.replaceAll('-', '');
  const heads = parties.map(
    ({ cik, name, role }) => `
${role === 'Filer' ? 'FILER' : role === 'Issuer' ? 'ISSUER' : 'REPORTING-OWNER'}:

	COMPANY DATA:	
		COMPANY CONFORMED NAME:			${name}
		CENTRAL INDEX KEY:			${cik.padStart(10, '0')}
`,
  );
  return `<SEC-DOCUMENT>${accession}.txt : ${day}
<SEC-HEADER>${accession}.hdr.sgml : ${day}
<ACCEPTANCE-DATETIME>${digits}
ACCESSION NUMBER:		${accession}
CONFORMED SUBMISSION TYPE:	${form}
PUBLIC DOCUMENT COUNT:		1
CONFORMED PERIOD OF REPORT:	${day}
FILED AS OF DATE:		${day}
${heads.join('')}
</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<FILENAME>main.txt
<TEXT>
${text}
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;
}

/** The same in the dialect of the daily archives. */
function archivedText({ accession, form, filingDate, parties, text }: LocalFiling): string {
  const day = filingDate.replaceAll('-', '');
  const heads = parties.map(
    ({ cik, name }) =>
      `<FILER>\n<COMPANY-DATA>\n<CONFORMED-NAME>${name}\n<CIK>${cik.padStart(10, '0')}\n</COMPANY-DATA>\n</FILER>\n`,
  );
  return `<SUBMISSION>
<ACCESSION-NUMBER>${accession}
<TYPE>${form}
<PUBLIC-DOCUMENT-COUNT>1
<PERIOD>${day}
<FILING-DATE>${day}
${heads.join('')}<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<FILENAME>main.txt
<TEXT>
${text}
</TEXT>
</DOCUMENT>
</SUBMISSION>
`;
}
