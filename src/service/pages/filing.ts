/** The page of a filing: its sections to read, its items, its documents. */

import { type Html, html } from '../../core/index.ts';
import type { EightKItem, FilingInfo } from '../../filings/api/index.ts';
import { bytesText, formName, type PageContent, table } from './layout.ts';
import { documentPath, exportPart } from './search.ts';
import { type StatementValue, statementsPart } from './statements.ts';

/** Longer items are agreements, which the document shows better. */
const ITEM_TEXT_MAX = 20_000;
/** Documents for machines, and pictures. */
const DATA = /^(?:XML|EXCEL|JSON|ZIP|GRAPHIC|EX-10[14](?:\..*)?)$/i;

/** A part of a filing's page: of its form, or an item. */
export interface FormPart {
  readonly title: string;
  readonly html: Html;
}

interface FilingData {
  filing: FilingInfo;
  /** Parts of its structured form; none: it has no such form, or the service is too busy */
  form: readonly FormPart[];
  /** Code of the section to show; null shows no section */
  section: string | null;
  /** Of an annual or quarterly report */
  statements: readonly StatementValue[];
  isLoggedIn: boolean;
  yaml: string;
}

export function filingPage(about: FilingData): PageContent {
  const { filing, form: formParts, statements, section, isLoggedIn, yaml } = about;
  const { accession_number: number, cik, entity_name: name, form_type: form } = filing;
  const [main] = filing.documents;
  const data = filing.documents.filter(({ type }) => DATA.test(type ?? ''));
  // Neither a form nor sections nor items: the document itself.
  const isPlain = formParts.length === 0 && filing.sections.length === 0 && !filing.items_8k?.length;
  return {
    title: [name ?? cik, form && `${formName(form)}${ownersWords(filing)}`].filter((part) => part).join(': '),
    path: `/filings/${number}`,
    body: html`
<p>${cik ? html`<a href="/companies/${cik}">${name ?? cik}</a>` : name}, filed ${filing.filing_date}${filing.report_date ? `, for ${filing.report_date}` : ''}.
Accession number <code>${number}</code>. ${edgarLink(cik, number)}</p>
${laterPart(filing)}
${
  isLoggedIn
    ? html`<p><a class="button" href="/filings/${number}/pdf">PDF</a></p>`
    : html`<p class="soft"><a href="/account">Log in</a> to get a PDF.</p>`
}
${formParts.length === 0 && filing.items_8k?.map((item) => formSection(itemPart(item, '')))}
${formParts.map(formSection)}
${filing.sections.length > 0 && sectionReader(filing, section)}
${statementsPart(statements)}
${isPlain && main && /\.(?:html?|txt)$/i.test(main.filename ?? '.txt') && documentFrame(main.document_id, main.description ?? formName(form ?? 'document'))}
<h2>Documents</h2>
${documentsTable(filing.documents.filter(({ type }) => !DATA.test(type ?? '')))}
${data.length > 0 && html`<details><summary>${data.length} more: data and pictures</summary>${documentsTable(data)}</details>`}
${exportPart(yaml)}`,
  };
}

/** Whose report it is, if it is one about another company. */
function ownersWords({ parties, cik }: FilingInfo): string {
  const owners = parties.filter((party) => /^(?:reporting_owner|filed_by)$/.test(party.role) && party.cik !== cik);
  const [first] = owners.flatMap(({ name }) => name ?? []);
  return first === undefined ? '' : ` of ${first}${owners.length > 1 ? ' and others' : ''}`;
}

/** What EDGAR has done with the filing since. */
function laterPart({ withdrawn_at: withdrawn, corrected_at: corrected }: FilingInfo): Html | null {
  const notes = [
    withdrawn &&
      `EDGAR's indexes have not had this filing since ${withdrawn.slice(0, 10)} or before: it was withdrawn.`,
    corrected && `EDGAR has replaced the submission. This is the one of ${corrected.slice(0, 10)}.`,
  ].filter((note) => typeof note === 'string');
  return notes.length === 0 ? null : html`<p role="note"><strong>${notes.join(' ')}</strong></p>`;
}

/** The filing on EDGAR itself. */
function edgarLink(cik: string | null, number: string): Html {
  const path = `edgar/data/${cik ?? Number(number.slice(0, 10))}/${number.replaceAll('-', '')}/${number}-index.htm`;
  return html`<a href="https://www.sec.gov/Archives/${path}" rel="noreferrer">On EDGAR</a>`;
}

function documentsTable(documents: FilingInfo['documents']): Html {
  return table(
    'Documents',
    ['Number', 'Document', 'Type', 'Size'],
    documents.map((document) => [
      document.sequence,
      html`<a href="${documentPath(document.document_id)}">${document.description ?? document.filename ?? document.document_id}</a>`,
      document.type,
      document.size == null ? null : bytesText(document.size),
    ]),
  );
}

function formSection({ title, html: part }: FormPart): Html {
  return html`<section class="form"><h2>${title}</h2>${part}</section>`;
}

function documentFrame(id: string, title: string): Html {
  const path = documentPath(id);
  return html`<h2>The document</h2><iframe sandbox="" src="${path}?frame=1" title="${title}"></iframe>
<p><a href="${path}">The document on a page of its own</a></p>`;
}

function sectionReader({ accession_number: number, sections }: FilingInfo, code: string | null): Html {
  const shown = sections.find(({ section }) => section === code) ?? sections[0]!;
  const title = `${shown.section} ${shown.title ?? ''}`;
  return html`<h2 id="sections">Sections</h2>
<div class="reader"><nav aria-label="Sections"><ul>${sections.map(
    ({ section, title: name }) =>
      html`<li><a href="?section=${section}#sections"${section === shown.section ? html` aria-current="true"` : null}>${section} ${name}</a></li>`,
  )}</ul></nav>
<div><iframe sandbox="" src="/filings/${number}/sections/${shown.section}?frame=1" title="Section ${title}"></iframe>
<p><a href="/filings/${number}/sections/${shown.section}">Section ${shown.section} on a page of its own</a></p></div></div>`;
}

/** An item of an 8-K: its text without its heading, and its exhibits. */
export function itemPart({ item, title, exhibits }: EightKItem, text: string): FormPart {
  const shown = text.slice(0, ITEM_TEXT_MAX);
  const paragraphs = shown.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  const heading = paragraphs.findIndex((paragraph) => !isHeading(paragraph, item, title));
  const listed = exhibits.filter(({ exhibit }) => !/^10[14](?:\.|$)/.test(exhibit ?? ''));
  return {
    title: `${item} ${title ?? ''}`,
    html: html`${paragraphs.slice(Math.max(0, heading)).map((paragraph) => (paragraph.includes('\t') ? textTable(paragraph) : html`<p>${paragraph}</p>`))}
${text.length > ITEM_TEXT_MAX && html`<p class="soft">The beginning. The document has all of it.</p>`}
${
  listed.length > 0 &&
  html`<ul>${listed.map(
    ({ exhibit, description, document_id }) =>
      html`<li>Exhibit ${exhibit}: ${document_id ? html`<a href="${documentPath(document_id)}">${description ?? document_id}</a>` : description}</li>`,
  )}</ul>`
}`,
  };
}

/** Rows of a table in a text: a line each, with tabs between the cells. */
function textTable(text: string): Html {
  const rows = text.split('\n').map((line) => line.split('\t'));
  return html`<div class="table" role="region" aria-label="Table" tabindex="0"><table>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</table></div>`;
}

interface ChangedSection {
  readonly section: string;
  readonly title: string | null;
  /** The report before has no such section. */
  readonly isNew: boolean;
  readonly paragraphs: number;
  readonly added: number;
  readonly gone: number;
}

type Named = Pick<FilingInfo, 'accession_number' | 'form_type' | 'report_date'>;

/** Sections that differ from those of the report before, with links to both. */
export function changesPart(filing: Named, before: Named, sections: readonly ChangedSection[]): FormPart {
  const changed = sections.filter(({ added, gone }) => added + gone > 0);
  const to = (number: string, section: string, words: string) =>
    html`<a href="/filings/${number}/sections/${section}">${words}</a>`;
  const rows = changed.map(({ section, title, isNew, paragraphs, added, gone }) => [
    to(filing.accession_number, section, `${section} ${title ?? ''}`),
    `${added} of ${paragraphs}`,
    gone,
    isNew ? 'not found' : to(before.accession_number, section, 'before'),
  ]);
  const same = sections.length - changed.length;
  return {
    title: 'Changes',
    html: html`<p>Since the ${before.form_type} <a href="/filings/${before.accession_number}">for ${before.report_date}</a>: paragraphs that it does not have in these words. ${changed.length} ${changed.length === 1 ? 'section' : 'sections'} changed, ${same} did not.</p>
${rows.length > 0 && table('Changed sections', ['Section', 'New or changed', 'Gone or changed', 'Report before'], rows)}`,
  };
}

/** `Item 8.01 Other Events.`, in one line or two. */
function isHeading(paragraph: string, item: string, title: string | null): boolean {
  const plain = (words: string) => words.toLowerCase().replace(/[^a-z0-9]+/g, '');
  const rest = plain(paragraph);
  return [`item${plain(item)}${plain(title ?? '')}`, `item${plain(item)}`, plain(title ?? '')].includes(rest);
}

/** A section or document of a filer in a frame: whose words they are stands above it, outside of what the filer can write. */
export function filedPage(about: {
  filing: Pick<FilingInfo, 'accession_number' | 'cik' | 'entity_name' | 'form_type' | 'filing_date'>;
  title: string;
  path: string;
  /** Element at which the frame begins */
  anchor?: string | null;
}): PageContent {
  const { filing, title, path, anchor = null } = about;
  const { accession_number: number, cik, entity_name: name, form_type: form } = filing;
  return {
    title,
    path,
    body: html`<p>Filed with the SEC by ${name ?? cik} on ${filing.filing_date}:
<a href="/filings/${number}">${form} ${number}</a>. The filer wrote what the frame shows. Enter no password there.</p>
<iframe class="whole" sandbox="" src="${path}?frame=1${anchor === null ? null : `#${encodeURIComponent(anchor)}`}" title="${title}"></iframe>`,
  };
}

/** A section alone, for the frame: the filer's markup, under a policy that lets it load and run nothing. */
export function sectionDocument(title: string, markup: string): string {
  const head = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { font: 1rem/1.5 serif; margin: 1rem; color: #111; background: #fff; } pre { white-space: pre-wrap; } table { max-width: 100%; }
@media (max-width: 44rem) { table { display: block; overflow-x: auto; background: linear-gradient(to right, #fff 40%, #fff0) left / 3rem 100%, linear-gradient(to left, #fff 40%, #fff0) right / 3rem 100%, linear-gradient(to right, #8a94a399, #fff0) left / 1.1rem 100%, linear-gradient(to left, #8a94a399, #fff0) right / 1.1rem 100%; background-repeat: no-repeat; background-attachment: local, local, scroll, scroll; } }</style></head><body>`;
  return `${head.text}${markup}</body></html>`;
}
