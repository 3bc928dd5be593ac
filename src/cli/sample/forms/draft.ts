/** A filing as it is written: its pages, documents, parties and header. */
import { compactDay, dayOf, yearOf } from '../companies/calendar.ts';
import type { Entity } from '../companies/company.ts';
import type { PlannedFiling, SampleDocument, SampleParty, Submission } from '../companies/filing.ts';
import { Prose } from '../companies/prose.ts';
import { Random } from '../companies/random.ts';
import type { Tags } from './inline.ts';
import { Page } from './page.ts';

/** A JPEG of six grey squares. */
const LOGO = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAj/wAALCAAQABgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwD5/ff7wB4g+t3x0//Z',
  'base64',
);

export class Draft {
  readonly plan: PlannedFiling;
  /** In the order they are added, numbered from 1. */
  readonly documents: SampleDocument[] = [];
  #sequence = 0;

  constructor(plan: PlannedFiling) {
    this.plan = plan;
  }

  /** Random numbers of this filing. @param what keeps those of two uses apart */
  random(what: string): Random {
    const { company, ordinal } = this.plan;
    return new Random(company.seed, what, company.id, ordinal);
  }

  prose(what: string): Prose {
    return new Prose(this.random(what), this.plan.company, this.plan.fiscalYear);
  }

  newPage(title: string, tags: Tags | null = null): Page {
    const { company, form, fiscalYear } = this.plan;
    return new Page(`${title} of ${company.name}`, company.style, `${company.name} ${form} ${fiscalYear}`, tags);
  }

  /** The head of a report under the Exchange Act. */
  cover(page: Page, kind: string, of: string): void {
    const { company, form } = this.plan;
    const { city, state, street1, zip } = company.address;
    page.centered('UNITED STATES SECURITIES AND EXCHANGE COMMISSION', 'bold');
    page.centered(`FORM ${form}`, 'large');
    page.centered(`${kind} PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934`);
    page.centered(of);
    page.centered(company.name.toUpperCase(), 'large');
    page.centered(`${company.stateName}. Commission file number ${company.fileNumber}. IRS ${company.irsNumber}`);
    page.centered(`${street1}, ${city}, ${state} ${zip}, ${company.phone}`);
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
    const bytes = Buffer.concat([LOGO, Buffer.from(`${this.plan.company.cik}\n`)]);
    this.text('GRAPHIC', this.nameOf('logo', 'jpg'), '', { bytes, uuencoded: true });
  }

  nameOf(kind: string, extension: string): string {
    const { company, accessionNumber } = this.plan;
    const short = kind.toLowerCase().replace(/[^a-z0-9]/g, '');
    const number = Number(accessionNumber.slice(-6));
    if (company.style < 0.5) return `d${number}d${short}.${extension}`;
    const prefix = company.tickers[0]?.ticker ?? company.name.replace(/[^A-Za-z]/g, '').slice(0, 6);
    return `${prefix.toLowerCase()}-${short}_${number}.${extension}`;
  }

  /** Leaves out a number, as of a document that is not public. */
  skip(): void {
    this.#sequence++;
  }

  /** A party with its FILING VALUES. */
  party(role: string, entity: Entity, act: SampleParty['act'], fileNumber: string | null, number = 0): SampleParty {
    const { company, form, filed, index } = this.plan;
    const r = new Random(company.seed, 'film', index, number);
    const film = `${String(yearOf(filed) % 100).padStart(2, '0')}${r.symbols('0123456789', 6)}`;
    return { role, entity, form, act, fileNumber, filmNumber: film };
  }

  /** A submission with one filer, the company itself, and nothing special. */
  submission(more: Partial<Submission> = {}): Submission {
    const { plan, documents } = this;
    const { company, filed, period, index } = plan;
    const r = new Random(company.seed, 'accepted', index);
    // A filing accepted until 17:30 is filed on that day.
    const seconds = r.int(6 * 3600 + 1, 17.5 * 3600 - 1);
    const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
    const accepted = compactDay(filed) + clock.map((n) => String(Math.floor(n)).padStart(2, '0')).join('');
    const parties = [this.party('filer', company, '34', company.fileNumber)];
    // EDGAR counts documents that it doesn't publish.
    const unseen = filed > dayOf(2019, 1, 1) && r.chance(0.1) ? r.int(1, 2) : 0;
    const publicDocumentCount = documents.length + unseen;
    return { plan, period, items: [], documents, accepted, parties, publicDocumentCount, ...more };
  }
}
