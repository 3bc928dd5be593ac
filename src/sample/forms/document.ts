/** Makes the documents of a submission. */

import { textPdf } from '../binaries/pdf.ts';
import { barChartPng } from '../binaries/png.ts';
import { dayOf } from '../calendar.ts';
import type { PlannedFiling, SampleDocument } from '../filing.ts';
import { statementOf } from '../finances.ts';
import type { TrueSection, Written } from '../pages/page.ts';

interface Optional {
  description?: string | null;
  sections?: TrueSection[];
}

const FILENAMES_SINCE = dayOf(2000, 6, 1);

/** Documents in the order they are added, numbered from 1. */
export class DocumentList {
  readonly documents: SampleDocument[] = [];
  readonly #plan: PlannedFiling;
  #sequence = 0;

  constructor(plan: PlannedFiling) {
    this.#plan = plan;
  }

  /** A text document: ASCII, as EDGAR leaves it. */
  text(type: string, filename: string, text: string, more: Optional & { wrapper?: 'XML' | 'XBRL' } = {}): void {
    const ended = text.endsWith('\n') ? text : `${text}\n`;
    this.#add(type, filename, Buffer.from(ended, 'latin1'), false, more.wrapper ?? null, more);
  }

  written(type: string, filename: string, written: Written, description: string | null, wrapper?: 'XBRL'): void {
    const { text, sections } = written;
    this.text(type, filename, text, { description, sections, ...(wrapper ? { wrapper } : {}) });
  }

  binary(
    type: string,
    filename: string,
    bytes: Buffer,
    description: string | null = null,
    wrapper: 'PDF' | null = null,
  ): void {
    this.#add(type, filename, bytes, true, wrapper, { description });
  }

  /** Leaves out a number, as of a document that is not public. */
  skip(): void {
    this.#sequence++;
  }

  #add(
    type: string,
    filename: string,
    bytes: Buffer,
    uuencoded: boolean,
    wrapper: SampleDocument['wrapper'],
    more: Optional,
  ): void {
    this.documents.push({
      sequence: ++this.#sequence,
      type,
      filename: this.#plan.filed < FILENAMES_SINCE ? null : filename,
      description: more.description ?? null,
      bytes,
      wrapper,
      uuencoded,
      sections: more.sections ?? [],
    });
  }
}

/** The chart of a company's revenue of six years. */
export function revenueChart(plan: PlannedFiling): Buffer {
  const values = [5, 4, 3, 2, 1, 0].map((back) => statementOf(plan.company, plan.fiscalYear - back, null).revenue);
  const highest = Math.max(...values);
  return barChartPng(values.map((v) => v / highest));
}

/** A JPEG of six grey squares. */
const LOGO = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAj/wAALCAAQABgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwD5/ff7wB4g+t3x0//Z',
  'base64',
);

/** A logo: the same in all filings of a company. The comment after its picture differs between companies. */
export function logo({ company }: PlannedFiling): Buffer {
  return Buffer.concat([LOGO, Buffer.from(`${company.cik}\n`)]);
}

/** A report's pages as a PDF, which EDGAR takes as an unofficial copy. */
export function pdfOf(lines: readonly string[]): Buffer {
  const pages: string[][] = [];
  for (let i = 0; i < lines.length; i += 48) pages.push(lines.slice(i, i + 48) as string[]);
  return textPdf(pages.length > 0 ? pages : [['']]);
}
