/** What a played service has: companies and filings, and the changes that a scenario makes to them. Everything follows from numbers. */
import { createHash } from 'node:crypto';

export const CIKS = 7;
const FORMS = ['10-K', '10-Q', '8-K', '4', 'S-1', '10-K/A'] as const;
type Form = (typeof FORMS)[number] | '20-F';
/** Has the shares that `ownership_transactions` has. */
export const OWNERSHIP_REPORT = 'form4.xml';
const TITLES: Readonly<Record<string, string>> = {
  '1': 'Business',
  '1A': 'Risk Factors',
  '7': "Management's Discussion",
  '3': 'Key Information',
  '16K': 'Cybersecurity',
  'I-1': 'Financial Statements',
  'I-2': "Management's Discussion",
};
const CODES: Readonly<Record<string, readonly string[]>> = {
  '10-K': ['1', '1A', '7'],
  '10-Q': ['I-1', 'I-2'],
  // Two of them are codes of a 10-K too.
  '20-F': ['1', '3', '7', '16K'],
};

export interface WorldDocument {
  document_id: string;
  sequence: number;
  filename: string;
  description: string;
  type: string;
  content: string;
  /** The service answers 404. */
  late: boolean;
}

export interface WorldSection {
  section: string;
  title: string;
  html: string;
}

export interface WorldFiling {
  n: number;
  accession_number: string;
  cik: string;
  form_type: string;
  filing_date: string;
  acceptance_datetime: string;
  report_date: string | null;
  size: number;
  documents: WorldDocument[];
  sections: WorldSection[];
  /** The service has no sections yet. How it says so. */
  late_sections: 'not-found' | 'empty' | null;
  party_state: string;
  removed: boolean;
}

/** The kinds of change that a service makes by itself. Each is about one filing, but `renamed`, which is about a company. */
export const CHANGES = [
  'new',
  'removed',
  'content',
  'size',
  'sections',
  'parties',
  'date',
  'cik',
  'form',
  'acceptance',
  'report-date',
  'description',
  'document-added',
  'document-removed',
  'sections-arrive',
  'document-arrives',
  'renamed',
] as const;
/** `date-new`, `date-old`: a date before or after all others. `stray-404`: the service answered once that a filing has no sections. */
export type ChangeKind = (typeof CHANGES)[number] | 'date-new' | 'date-old' | 'stray-404';

export interface Change {
  change: ChangeKind;
  /** Number of the filing, from 1; of the company for `renamed`. */
  n: number;
  /** Another one for each change. */
  salt: number;
}

/** A change that was made, and how the world was then. */
export interface MadeChange extends Change {
  /** Milliseconds. */
  at: number;
  /** Whether a run had read a lookup's record of the filing. */
  isListed: boolean;
  /** Days between the filing's date and the change. */
  age_days: number;
}

/** @param words chooses among values */
function pick<T>(of: readonly T[], ...words: (number | string)[]): T {
  const hash = createHash('sha256').update(words.join(' ')).digest();
  return of[hash.readUInt32BE(0) % of.length]!;
}

/** Whether lookups state the new size of a filing whose document was corrected: half of them do. */
export function statesSize(salt: number): boolean {
  return salt % 2 === 0;
}

export function accessionOf(n: number): string {
  return `0000000001-24-${String(n).padStart(6, '0')}`;
}

export function numberOf(accessionNumber: string): number {
  return Number(accessionNumber.slice(-6));
}

export class World {
  readonly filings = new Map<number, WorldFiling>();
  readonly names: string[] = Array.from({ length: CIKS }, (_, i) => `COMPANY ${i + 1} INC`);
  readonly made: MadeChange[] = [];
  /** Filings whose record runs have read in a lookup. */
  readonly read = new Set<number>();
  /** By document: every content that it has had. */
  readonly had = new Map<string, Set<string>>();
  readonly #seed: number;
  readonly #today: string;
  readonly #isForeign: boolean;

  /** @param today a day, after which nothing is filed at first @param isForeign it has 20-Fs in place of S-1s */
  constructor(seed: number, filings: number, today: string, isForeign = false) {
    this.#seed = seed;
    this.#today = today;
    this.#isForeign = isForeign;
    for (let n = 1; n <= filings; n++) this.#file(n);
  }

  get today(): string {
    return this.#today;
  }

  /** Filings that a service lists. */
  get listed(): WorldFiling[] {
    return [...this.filings.values()].filter(({ removed }) => !removed);
  }

  of(accessionNumber: string): WorldFiling | undefined {
    return this.filings.get(numberOf(accessionNumber));
  }

  nameOf(cik: string): string {
    return this.names[Number(cik) - 1001]!;
  }

  /** What everything that a service says about a filing hashes to. */
  revisionOf(filing: WorldFiling): string {
    const said = JSON.stringify([filing, this.nameOf(filing.cik)]);
    return createHash('sha256').update(said).digest('hex').slice(0, 16);
  }

  /** @param now the day of the change; @returns whether there was something to change */
  make(change: Change, now: Date): boolean {
    const done = this.#make(change);
    if (!done) return false;
    const filing = this.filings.get(change.n);
    const filed = Date.parse(filing?.filing_date ?? this.#today);
    const at = now.getTime();
    const isListed = this.read.has(change.n);
    this.made.push({ ...change, at, isListed, age_days: Math.floor((at - filed) / 86_400_000) });
    return true;
  }

  #make({ change, n, salt }: Change): boolean {
    if (change === 'stray-404') return this.filings.has(n);
    if (change === 'new') {
      if (this.filings.has(n)) return false;
      this.#file(n);
      return true;
    }
    if (change === 'renamed') {
      this.names[n % CIKS] = `RENAMED ${n % CIKS} NO ${salt}`;
      return true;
    }
    const filing = this.filings.get(n);
    if (filing === undefined || filing.removed) return false;
    const document = filing.documents[salt % filing.documents.length]!;
    if (change === 'removed') filing.removed = true;
    else if (change === 'content') {
      document.content = this.#content(document, n, salt);
      filing.sections = filing.sections.map((section) => ({ ...section, html: `${section.html}<p>${salt}</p>` }));
      if (statesSize(salt)) filing.size += 1 + (salt % 90);
    } else if (change === 'size') filing.size += 1 + (salt % 90);
    else if (change === 'sections') {
      if (filing.sections.length === 0) return false;
      if (salt % 3 === 0 && filing.sections.length > 1) filing.sections.pop();
      else filing.sections[0]!.html += `<p>Parsed anew ${salt}</p>`;
    } else if (change === 'parties') filing.party_state = `S${salt % 100}`;
    else if (change === 'date') filing.filing_date = this.#day(1 + (salt % 500));
    else if (change === 'date-new') filing.filing_date = this.#day(0);
    else if (change === 'date-old') filing.filing_date = this.#day(510);
    else if (change === 'cik')
      filing.cik = String(1001 + ((Number(filing.cik) - 1001 + 1 + (salt % (CIKS - 1))) % CIKS));
    else if (change === 'form') {
      const others = FORMS.map((one) => this.#formOf(one)).filter((one) => one !== filing.form_type);
      const form = pick(others, 'form', n, salt);
      filing.form_type = form;
      filing.sections = this.#sections(n, form);
    } else if (change === 'acceptance') filing.acceptance_datetime = `${filing.filing_date}T17:00:${10 + (salt % 50)}`;
    else if (change === 'report-date') filing.report_date = salt % 2 === 0 ? null : this.#day(300 + (salt % 90));
    else if (change === 'description') document.description = `Described anew ${salt}`;
    else if (change === 'document-added') {
      const sequence = 1 + Math.max(...filing.documents.map((one) => one.sequence));
      filing.documents.push(this.#document(n, sequence, 'EX-99.2', `added${sequence}.htm`));
    } else if (change === 'document-removed') {
      if (filing.documents.length < 2) return false;
      filing.documents.pop();
    } else if (change === 'sections-arrive') {
      if (filing.late_sections === null) return false;
      filing.late_sections = null;
    } else if (change === 'document-arrives') {
      const late = filing.documents.find((one) => one.late);
      if (late === undefined) return false;
      late.late = false;
    }
    return true;
  }

  #file(n: number): void {
    const accession_number = accessionOf(n);
    const form_type = this.#formOf(pick(FORMS, 'form', this.#seed, n));
    const filing_date = this.#day(pick([0, 1, 1, 5, 20, 29, 31, 60, 200, 380], 'age', this.#seed, n));
    const documents = [this.#document(n, 1, form_type, form_type === '4' ? OWNERSHIP_REPORT : 'main.htm')];
    const exhibits = pick([0, 1, 2], 'exhibits', this.#seed, n);
    if (exhibits > 0) documents.push(this.#document(n, 2, pick(['EX-13', 'EX-99.1', 'EX-99.10'], 'type', n), 'ex.htm'));
    if (exhibits > 1) documents.push(this.#document(n, 3, 'XML', 'data.xml'));
    const isLate = (what: string) => pick([true, ...Array(11).fill(false)] as boolean[], what, this.#seed, n);
    documents.at(-1)!.late = isLate('document');
    this.filings.set(n, {
      n,
      accession_number,
      form_type,
      filing_date,
      documents,
      removed: false,
      cik: String(1001 + pick([0, 1, 2, 3, 4, 5, 6], 'cik', this.#seed, n)),
      acceptance_datetime: `${filing_date}T16:${10 + (n % 50)}:00`,
      report_date: pick([null, '2023-12-31'], 'report', this.#seed, n),
      size: 1_000 + n,
      sections: this.#sections(n, form_type),
      late_sections: isLate('sections') ? pick(['not-found', 'empty'] as const, 'how', n) : null,
      party_state: 'DE',
    });
  }

  #formOf(form: (typeof FORMS)[number]): Form {
    return this.#isForeign && form === 'S-1' ? '20-F' : form;
  }

  #sections(n: number, form: string): WorldSection[] {
    const codes = CODES[form.replace('/A', '')] ?? [];
    return codes.map((section) => ({
      section,
      title: TITLES[section]!,
      html: `<p><b>Heading</b></p><p>Section ${section} of ${n}</p>`,
    }));
  }

  #document(n: number, sequence: number, type: string, filename: string): WorldDocument {
    const document_id = `${accessionOf(n)}-${sequence}`;
    return {
      document_id,
      sequence,
      filename,
      type,
      late: false,
      description: `Document ${sequence}`,
      content: this.#content({ document_id, filename }, n, sequence),
    };
  }

  #content(
    { document_id, filename }: Pick<WorldDocument, 'document_id' | 'filename'>,
    n: number,
    salt: number,
  ): string {
    const content = this.#written(filename, n, salt);
    this.had.set(document_id, (this.had.get(document_id) ?? new Set()).add(content));
    return content;
  }

  #written(filename: string, n: number, salt: number): string {
    const words = `${this.#seed} ${n} ${salt}`;
    // Sizes on both sides of the limits that definitions choose.
    const more = 'and more words '.repeat(pick([0, 0, 3, 60], 'length', n, salt));
    if (filename === OWNERSHIP_REPORT)
      return `<?xml version="1.0"?><ownershipDocument><documentType>4</documentType><issuer><issuerName>${words}</issuerName></issuer><nonDerivativeTable><nonDerivativeTransaction><transactionAmounts><transactionShares><value>${salt}</value></transactionShares></transactionAmounts></nonDerivativeTransaction></nonDerivativeTable><remarks>${more}</remarks></ownershipDocument>`;
    if (filename.endsWith('.xml')) return `<?xml version="1.0"?><root><a>${words}</a><b>${more}</b></root>`;
    return `<html><body><p><b>Heading ${salt}</b></p><p>Words ${words} ${more}</p></body></html>`;
  }

  #day(daysBefore: number): string {
    return new Date(Date.parse(this.#today) - daysBefore * 86_400_000).toISOString().slice(0, 10);
  }
}
