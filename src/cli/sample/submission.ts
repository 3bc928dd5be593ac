/** What the writers of the forms share: a filing's pages, documents, and header. */
import { compactDay, dayOf, isoDay, lastDayOfMonth, partsOf, yearOf } from './calendar.ts';
import type { Company, Entity } from './company.ts';
import type { PlannedFiling, SampleDocument, SampleParty, Submission } from './filing.ts';
import { type InlineFacts, Page } from './page.ts';
import { Prose } from './prose.ts';
import { Random } from './random.ts';

const INLINE_SINCE = dayOf(2019, 6, 15);

/** The prose of a filing. @param what keeps the random numbers of two uses apart */
export function proseOf(plan: PlannedFiling, what: string): Prose {
  const { company, ordinal, fiscalYear } = plan;
  return new Prose(new Random(company.seed, what, company.id, ordinal), company, fiscalYear);
}

/** @param inline makes its numbers inline XBRL, in filings from 2019 on */
export function pageOf(plan: PlannedFiling, title: string, inline = false): Page {
  const { company, form, fiscalYear } = plan;
  return new Page({
    title: `${title} of ${company.name}`,
    style: company.style,
    inline: inline && usesInlineXbrl(plan) ? inlineFacts(plan) : null,
    footer: `${company.name} ${form} ${fiscalYear}`,
  });
}

export function usesInlineXbrl(plan: PlannedFiling): boolean {
  return plan.filed >= INLINE_SINCE && /^(10-[KQ]|8-K)/.test(plan.form);
}

function inlineFacts({ company, form, filed, period, fiscalYear, fiscalQuarter }: PlannedFiling): InlineFacts {
  const end = period ?? filed;
  const { year, month } = partsOf(end);
  const start = lastDayOfMonth(year, month - (fiscalQuarter === null ? 12 : 3)) + 1;
  return {
    prefix: prefixOf(company),
    cik: company.cik,
    form,
    fiscalYear,
    periodStart: isoDay(start),
    periodEnd: isoDay(end),
    fiscalPeriod: fiscalQuarter === null ? 'FY' : `Q${fiscalQuarter}`,
  };
}

/** Prefix of a company's file names: its ticker or the first letters of its name. */
function prefixOf(company: Company): string {
  return (company.tickers[0]?.ticker ?? company.name.replace(/[^A-Za-z]/g, '').slice(0, 6)).toLowerCase();
}

/** A JPEG of six grey squares. */
const LOGO = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAj/wAALCAAQABgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwD5/ff7wB4g+t3x0//Z',
  'base64',
);

/** Documents in the order they are added, numbered from 1. */
export class DocumentList {
  readonly documents: SampleDocument[] = [];
  readonly #plan: PlannedFiling;
  #sequence = 0;

  constructor(plan: PlannedFiling) {
    this.#plan = plan;
  }

  /** A text: ASCII, as EDGAR leaves it. */
  text(type: string, filename: string, text: string, more: Partial<SampleDocument> = {}): void {
    const bytes = Buffer.from(text, 'latin1');
    const sequence = ++this.#sequence;
    const rest = { description: null, wrapper: null, uuencoded: false, sections: [] };
    this.documents.push({ ...rest, sequence, type, filename, bytes, ...more });
  }

  /** A page, under a name of the company's kind. */
  page(type: string, page: Page, description: string | null, more: Partial<SampleDocument> = {}): void {
    this.text(type, this.nameOf(type, 'htm'), page.finish(), { description, sections: page.sections, ...more });
  }

  /** The company's logo. The comment after its picture differs between companies. */
  logo(): void {
    const bytes = Buffer.concat([LOGO, Buffer.from(`${this.#plan.company.cik}\n`)]);
    this.text('GRAPHIC', this.nameOf('logo', 'jpg'), '', { bytes, uuencoded: true });
  }

  nameOf(kind: string, extension: string): string {
    const short = kind.toLowerCase().replace(/[^a-z0-9]/g, '');
    const number = Number(this.#plan.accessionNumber.slice(-6));
    const { company } = this.#plan;
    return company.style < 0.5
      ? `d${number}d${short}.${extension}`
      : `${prefixOf(company)}-${short}_${number}.${extension}`;
  }

  /** Leaves out a number, as of a document that is not public. */
  skip(): void {
    this.#sequence++;
  }

  /** The taxonomy's schema, and a page that EDGAR renders. */
  xbrl(rows: readonly (readonly [string, string])[]): void {
    const { company, period, filed } = this.#plan;
    const [prefix, day] = [prefixOf(company), compactDay(period ?? filed)];
    const schema = `<?xml version="1.0" encoding="UTF-8"?>\n<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xbrli="http://www.xbrl.org/2003/instance" targetNamespace="http://www.${prefix}.example/${day}" elementFormDefault="qualified">\n  <xs:import namespace="http://www.xbrl.org/2003/instance" schemaLocation="http://www.xbrl.org/2003/xbrl-instance-2003-12-31.xsd"/>\n  <xs:element id="${prefix}_SegmentRevenue" name="SegmentRevenue" type="xbrli:monetaryItemType" substitutionGroup="xbrli:item" xbrli:periodType="duration"/>\n</xs:schema>\n`;
    const description = 'XBRL TAXONOMY EXTENSION SCHEMA DOCUMENT';
    this.text('EX-101.SCH', `${prefix}-${day}.xsd`, schema, { description, wrapper: 'XBRL' });
    const lines = rows.map(
      ([label, value]) =>
        `<tr class="re"><td class="pl">${label}</td><td class="nump">${value}<span></span></td></tr>\n`,
    );
    const rendered = `<html>\n<head>\n<title></title>\n<link rel="stylesheet" type="text/css" href="report.css">\n</head>\n<body>\n<table class="report" border="0" cellspacing="2">\n${lines.join('')}</table>\n</body>\n</html>\n`;
    this.text('XML', 'R1.htm', rendered, { description: 'IDEA: XBRL DOCUMENT' });
  }
}

/** A party with its FILING VALUES. */
export function party(
  plan: PlannedFiling,
  role: string,
  entity: Entity,
  act: SampleParty['act'],
  fileNumber: string | null,
  number = 0,
): SampleParty {
  const r = new Random(plan.company.seed, 'film', plan.index, number);
  const film = `${String(yearOf(plan.filed) % 100).padStart(2, '0')}${r.symbols('0123456789', 6)}`;
  return { role, entity, form: plan.form, act, fileNumber, filmNumber: film };
}

/** A submission with one filer, the company itself, and nothing special. */
export function submissionOf(plan: PlannedFiling, list: DocumentList, more: Partial<Submission> = {}): Submission {
  const { company, filed, period, index } = plan;
  const r = new Random(company.seed, 'accepted', index);
  // A filing accepted until 17:30 is filed on that day.
  const seconds = r.int(6 * 3600 + 1, 17.5 * 3600 - 1);
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((n) => String(Math.floor(n)).padStart(2, '0'));
  return {
    plan,
    period,
    items: [],
    series: [],
    documents: list.documents,
    accepted: `${compactDay(filed)}${clock.join('')}`,
    parties: [party(plan, 'filer', company, '34', company.fileNumber)],
    // EDGAR counts documents that it doesn't publish.
    publicDocumentCount: list.documents.length + (filed > dayOf(2019, 1, 1) && r.chance(0.1) ? r.int(1, 2) : 0),
    ...more,
  };
}
