/** `/search`, and the page of a company. */

import { type Html, html, trusted } from '../../core/index.ts';
import type { Entity, Filing, FulltextEnvelope } from '../../filings/api/index.ts';
import type { SearchFacets } from '../catalog/index.ts';
import { facetsPart, type SearchTerms } from './facets.ts';
import { bytesText, count, formName, type PageContent, problem, table } from './layout.ts';
import { type StatementValue, statementsPart } from './statements.ts';

interface SearchData {
  terms: SearchTerms;
  entities: readonly Entity[];
  found: FulltextEnvelope | null;
  facets: SearchFacets | null;
  from: number;
  pageSize: number;
  /** Why there is no result */
  problem: string | null;
  yaml: string | null;
}

export function searchPage(data: SearchData): PageContent {
  const { terms, entities, found, facets, from, pageSize, problem: why, yaml } = data;
  const { q, form, company, date_from, date_to, sort } = terms;
  return {
    title: q === '' ? 'Search' : `Search: ${q}`,
    path: '/search',
    body: html`
<form action="/search" method="get" role="search">
<label for="q">Company, ticker or words</label><input id="q" name="q" type="search" value="${q}" autocomplete="off" required>
${company !== '' && html`<input type="hidden" name="company" value="${company}">`}
<div class="fields"><div><label for="form">Form type</label><input id="form" name="form" value="${form}" placeholder="10-K"></div>
<div><label for="from">Filed from</label><input id="from" name="date_from" type="date" value="${date_from}"></div>
<div><label for="to">Filed to</label><input id="to" name="date_to" type="date" value="${date_to}"></div>
<div><label for="sort">Order</label><select id="sort" name="sort">${(['relevance', 'date'] as const).map((order) => html`<option value="${order}"${order === sort ? html` selected` : null}>${order === 'date' ? 'Newest first' : 'Best first'}</option>`)}</select></div></div>
<button>Search</button></form>
${why && problem(why)}
${entities.length > 0 && company === '' && companies(entities)}
${
  found &&
  html`<h2>Documents</h2><p role="status">${found.total_hits === 0 ? 'No document has these words.' : `${count(found.total_hits)} documents have these words.`}${company !== '' && html` Of one company: <a href="${pathOf({ ...terms, company: '' })}">all companies</a>.`}</p>
<div class="${facets && facets.hits > 0 ? 'narrowed' : ''}">${facets && facets.hits > 0 && facetsPart(facets, terms, pathOf)}
<div>${hits(found)}</div></div>
${pager(from, pageSize, found.total_hits, (at) => `/search?${queryOf({ ...terms, from: at })}`)}`
}
${yaml && exportPart(yaml)}`,
  };
}

function hits(found: FulltextEnvelope): Html[] {
  const names = new Map(found.entities.map(({ cik, name }) => [cik, name]));
  return found.hits.map((hit) => {
    const title = [names.get(hit.ciks[0] ?? '') ?? hit.ciks[0], hit.form_type && formName(hit.form_type)];
    const description = hit.document_description === hit.document_type ? null : hit.document_description;
    return html`<article class="hit"><h3><a href="/filings/${hit.accession_number}">${title.filter((part) => part).join(': ')}</a></h3>
<p class="soft">Filed ${hit.filing_date}. <a href="${documentPath(hit.id)}">${hit.document_type} ${description}</a></p>
${hit.highlights.slice(0, 2).map((passage) => html`<p>… ${trusted(passage)} …</p>`)}</article>`;
  });
}

function pathOf(terms: SearchTerms): string {
  return `/search?${queryOf({ ...terms })}`;
}

interface CompanyData {
  entity: Entity;
  filings: readonly Filing[];
  total: number;
  from: number;
  pageSize: number;
  form: string;
  yaml: string;
  /** Values of annual reports, the newest first; null if the service is too busy. */
  statements: readonly StatementValue[] | null;
  /** Names that it had, with the day of the change, and the filing whose header states them */
  formerNames: {
    readonly names: readonly { name: string; date_of_change: string | null }[];
    readonly accession_number: string;
  } | null;
  /** Its symbol in the oldest and in the newest report of its insiders */
  symbols: ReadonlyMap<string, Filing>;
  /** The newest reports of its insiders, and of who holds much of it */
  owners: readonly OwnersReport[];
  /** Newest reports of managers with one of its CUSIPs; null: no schedule in the catalog states one */
  managers: { readonly cusips: ReadonlyMap<string, OwnersReport>; readonly reports: readonly OwnersReport[] } | null;
  /** Codes of the items of each 8-K, by its number */
  items: ReadonlyMap<string, string>;
}

export interface OwnersReport {
  accession_number: string;
  form_type: string | null;
  filing_date: string | null;
  owners: readonly { cik: string | null; name: string | null }[];
}

export function companyPage(data: CompanyData): PageContent {
  const { entity, filings, total, from, pageSize, form, yaml, statements, formerNames, owners, managers, items } = data;
  const { symbols } = data;
  const path = `/companies/${entity.cik}`;
  const business = entity.addresses.business;
  const facts: [string, string | Html | null | undefined][] = [
    ['CIK', entity.cik],
    [
      'Names before',
      formerNames &&
        html`${formerNames.names.map(({ name, date_of_change: day }) => (day ? `${name} (EDGAR: ${day})` : name)).join('; ')}, <a href="/filings/${formerNames.accession_number}">as filed</a>`,
    ],
    [
      'Tickers',
      entity.tickers
        .map((ticker, k) => `${ticker}${entity.exchanges[k] ? ` (${entity.exchanges[k]})` : ''}`)
        .join(', '),
    ],
    ['Symbol in reports of insiders', statedIn(symbols)],
    ['CUSIP', managers && statedIn(managers.cusips)],
    ['Industry', [entity.sic, entity.sic_description].filter(Boolean).join(' ')],
    ['State of incorporation', entity.state_of_incorporation],
    ['Fiscal year ends', entity.fiscal_year_end?.replace(/^(..)(..)$/, '$1-$2')],
    [
      'Address',
      business &&
        [business.street1, business.street2, business.city, business.state, business.zip].filter(Boolean).join(', '),
    ],
  ];
  const onEdgar = `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${entity.cik}`;
  return {
    title: entity.name ?? `CIK ${entity.cik}`,
    path,
    body: html`${table(
      'Company',
      ['Fact', 'Value'],
      facts.filter(([, value]) => value).map(([name, value]) => [name, value!]),
    )}
<p><a href="${onEdgar}" rel="noreferrer">On EDGAR</a></p>
${statements && statementsPart(statements)}
${ownersPart(owners)}
${managers && managers.reports.length > 0 && managersPart(managers)}
<h2>Filings</h2>
<form action="${path}" method="get"><label for="form">Form type</label><input id="form" name="form" value="${form}" placeholder="10-K"><button>Show</button></form>
<p role="status">${count(total)} filings</p>
${table(
  'Filings',
  ['Filed', 'Form', 'For', 'Filing', 'Size'],
  filings.map((filing) => [
    html`<span class="word">${filing.filing_date}</span>`,
    html`${filing.form_type} <span class="soft">${items.get(filing.accession_number)}</span>`,
    html`<span class="word">${filing.report_date}</span>`,
    html`<a class="word" href="/filings/${filing.accession_number}">${filing.accession_number}</a>`,
    filing.size === null ? null : bytesText(filing.size),
  ]),
)}
${pager(from, pageSize, total, (at) => `${path}?${queryOf({ form, from: at })}`)}
${exportPart(yaml)}`,
  };
}

/** Values, each with the filing that states it. */
function statedIn(values: ReadonlyMap<string, Pick<Filing, 'accession_number' | 'form_type' | 'filing_date'>>) {
  if (values.size === 0) return null;
  return html`${[...values].map(([value, { accession_number, form_type, filing_date }], k) => html`${k > 0 && '; '}${value} (<a href="/filings/${accession_number}">${formName(form_type ?? '')}</a>, ${filing_date})`)}`;
}

/** Insiders by Forms 3, 4 and 5, holders by Schedules 13D and 13G. */
function ownersPart(reports: readonly OwnersReport[]): Html[] {
  const groups = Map.groupBy(reports, ({ form_type }) => (/^[345]/.test(form_type ?? '') ? 'Insiders' : 'Holders'));
  return [...groups].map(([name, some]) => html`<h2>${name}</h2>${reportsTable(name, some)}`);
}

function reportsTable(caption: string, reports: readonly OwnersReport[]): Html {
  return table(
    caption,
    ['Who', 'Newest report', 'Filed'],
    reports.map(({ accession_number, form_type, filing_date, owners }) => [
      html`${owners.map(({ cik, name }, k) => html`${k > 0 && '; '}${cik ? html`<a href="/companies/${cik}">${name ?? cik}</a>` : name}`)}`,
      html`<a href="/filings/${accession_number}">${formName(form_type ?? '')}</a>`,
      html`<span class="word">${filing_date}</span>`,
    ]),
  );
}

/** A manager who has sold all of it has no report with it since: the day says when it was held. */
function managersPart({ cusips, reports }: NonNullable<CompanyData['managers']>): Html {
  const all = [...cusips.keys()].map(
    (q) => html` <a href="/search?${queryOf({ q, form: '13F-HR,13F-HR/A', sort: 'date' })}">All with ${q}</a>`,
  );
  return html`<h2>Managers</h2>
<p class="soft">The newest reports on Form 13F that list its CUSIP, one of each manager.${all}</p>
${reportsTable('Managers', reports)}`;
}

function companies(entities: readonly Entity[]): Html {
  return html`<h2>Companies</h2>
${table(
  'Companies',
  ['Name', 'Tickers', 'Industry', 'CIK'],
  entities.map(({ cik, name, tickers, sic_description }) => [
    html`<a href="/companies/${cik}">${name ?? cik}</a>`,
    tickers.join(', '),
    sic_description,
    cik,
  ]),
)}`;
}

/** The definition of an export, to copy. */
export function exportPart(yaml: string): Html {
  return html`<h2>Export these</h2>
<p>Save this as <code>export.yaml</code>, set <code>FILINGLAKE_API_KEY</code>, and run <code>filinglake export export.yaml</code>.</p>
<pre tabindex="0" aria-label="Definition of the export">${yaml}</pre>`;
}

export function documentPath(documentId: string): string {
  const at = documentId.lastIndexOf('-');
  return `/filings/${documentId.slice(0, at)}/documents/${documentId.slice(at + 1)}`;
}

function pager(from: number, size: number, total: number, pathOf: (from: number) => string): Html | null {
  const hasNext = from + size < Math.min(total, 1_000);
  if (from === 0 && !hasNext) return null;
  return html`<nav aria-label="Pages of the list"><p>${from > 0 && html`<a href="${pathOf(Math.max(0, from - size))}">Previous</a> `}
${hasNext && html`<a href="${pathOf(from + size)}">Next</a>`}</p></nav>`;
}

function queryOf(values: Readonly<Record<string, string | number>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== '' && value !== 0);
  return given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}
