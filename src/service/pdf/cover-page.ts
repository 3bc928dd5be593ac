/** The cover: filer, form, dates, and EDGAR's numbers. */
import type { PDFPage } from '@cantoo/pdf-lib';
import type { FilingInfo } from '../../filings/api/index.ts';
import { formName } from '../pages/index.ts';
import { addLink } from './link-annotations.ts';
import type { PdfSource } from './pdf-source.ts';
import { ACCENT, type Fonts, INK, MUTED, RULE, shortened, wrapped } from './type-setting.ts';

const SIDE = 64;

export function drawCover(page: PDFPage, source: PdfSource, fonts: Fonts): void {
  const { width, height } = page.getSize();
  const { filing } = source;
  const room = width - 2 * SIDE;
  page.drawRectangle({ x: 0, y: height - 18, width, height: 18, color: ACCENT });
  let y = height - 96;
  page.drawText('SEC EDGAR FILING', { x: SIDE, y, size: 9, font: fonts.bold, color: ACCENT });
  y -= 34;
  for (const line of wrapped(fonts.bold, filing.entity_name ?? 'Filer without a name', 26, room).slice(0, 4)) {
    page.drawText(line, { x: SIDE, y, size: 26, font: fonts.bold, color: INK });
    y -= 32;
  }
  y -= 6;
  page.drawText(shortened(fonts.regular, formLine(source), 15, room), {
    x: SIDE,
    y,
    size: 15,
    font: fonts.regular,
    color: INK,
  });
  y -= 28;
  page.drawLine({ start: { x: SIDE, y }, end: { x: width - SIDE, y }, thickness: 0.8, color: RULE });
  y -= 26;
  for (const [label, value, link] of facts(filing)) {
    page.drawText(label, { x: SIDE, y, size: 9.5, font: fonts.regular, color: MUTED });
    const lines = wrapped(fonts.regular, value, 10.5, room - 140).slice(0, 3);
    for (const [index, line] of lines.entries()) {
      page.drawText(line, {
        x: SIDE + 140,
        y: y - index * 14,
        size: 10.5,
        font: fonts.regular,
        color: link ? ACCENT : INK,
      });
    }
    if (link) addLink(page, [SIDE + 140, y - 3, width - SIDE, y + 11], { url: link });
    y -= 20 + 14 * Math.max(0, lines.length - 1);
  }
  y -= 8;
  for (const item of (filing.items_8k ?? []).slice(0, 14)) {
    if (y < 110) break;
    page.drawText(`Item ${item.item}`, { x: SIDE, y, size: 9.5, font: fonts.bold, color: INK });
    const title = shortened(fonts.regular, item.title ?? '', 9.5, room - 70);
    page.drawText(title, { x: SIDE + 70, y, size: 9.5, font: fonts.regular, color: INK });
    y -= 16;
  }
  const note = 'Rendered by filinglake from the submission as EDGAR published it. Not an official copy.';
  page.drawText(note, { x: SIDE, y: 64, size: 8, font: fonts.regular, color: MUTED });
}

function formLine({ filing, documentId, documents }: PdfSource): string {
  const form = formName(filing.form_type ?? 'unknown');
  const stored = documents[0]?.stored;
  if (documentId === null || !stored) return form;
  return `${form}: document ${stored.sequence}, ${stored.type ?? stored.filename ?? 'without a type'}`;
}

function facts(filing: FilingInfo): [label: string, value: string, link?: string][] {
  const filer = filing.parties.find((party) => party.cik === filing.cik) ?? filing.parties[0];
  const industry = filer?.sic ? [filer.sic, filer.sic_description].filter(Boolean).join(', ') : '';
  const all: [string, string, string?][] = [
    ['Filed', filing.filing_date ?? ''],
    ['Period of report', filing.report_date ?? ''],
    ['Accepted', (filing.acceptance_datetime ?? '').replace('T', ' ') + (filing.acceptance_datetime ? ' Eastern' : '')],
    ['Accession number', filing.accession_number, ...edgarUrl(filing)],
    ['CIK', filing.cik ?? ''],
    ['Industry (SIC)', industry],
    ['State of incorporation', filer?.state_of_incorporation ?? ''],
    ['Other parties', otherParties(filing)],
    ['Documents', `${filing.documents.length}`],
  ];
  return all.filter(([, value]) => value !== '');
}

function otherParties(filing: FilingInfo): string {
  const others = filing.parties.filter((party) => party.name !== null && party.name !== filing.entity_name);
  return [...new Set(others.map((party) => `${party.name} (${party.role.replaceAll('_', ' ')})`))].join('; ');
}

/** The filing's page at EDGAR, if the filer's number is known. */
function edgarUrl(filing: FilingInfo): [] | [url: string] {
  if (filing.cik === null) return [];
  const folder = filing.accession_number.replaceAll('-', '');
  return [`https://www.sec.gov/Archives/edgar/data/${filing.cik}/${folder}/${filing.accession_number}-index.htm`];
}
