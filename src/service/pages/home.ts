/** `/`: what the service is, and what it holds. */
import { html } from '../../core/index.ts';
import { count, type PageContent, table } from './layout.ts';

interface HomeData {
  filings: number;
  documents: number;
  entities: number;
  date_from: string | null;
  date_to: string | null;
  /** Latest days of EDGAR, newest first; empty: the service keeps no account of them */
  days: readonly { day: string; expected: number | null; in_catalog: number; missing: number }[];
  address: string;
}

export function homePage(data: HomeData): PageContent {
  const span = data.date_from === null ? 'no filings yet' : `filed from ${data.date_from} to ${data.date_to}`;
  return {
    title: 'SEC filings as research data',
    path: '/',
    body: html`
<p>Search the filings of the SEC’s EDGAR system, read them by section, and fetch them by program. Companies, filings, full text,
documents, sections of annual and quarterly reports, items of 8-K reports, and PDFs: over one interface.</p>
<form action="/search" method="get" role="search">
<label for="q">Company, ticker or words</label>
<input id="q" name="q" type="search" autocomplete="off"> <button>Search</button>
</form>
<h2>What it holds</h2>
<ul class="figures">
<li><strong>${count(data.filings)}</strong> filings</li>
<li><strong>${count(data.documents)}</strong> documents</li>
<li><strong>${count(data.entities)}</strong> companies and persons</li>
</ul>
<p class="soft">${span}</p>
${
  data.days.length === 0
    ? null
    : html`<h3>The latest days of EDGAR</h3>
${table(
  'Coverage by day',
  ['Day', 'Filings expected', 'Stored', 'Missing'],
  data.days.map(({ day, expected, in_catalog, missing }) => [
    day,
    expected === null ? 'not known' : count(expected),
    count(in_catalog),
    count(missing),
  ]),
)}`
}
<h2>By program</h2>
<ol>
<li><a href="/account">Make an account</a>. It is free, and needs an e-mail address.</li>
<li>Make a key on the page of your account.</li>
<li>Call an operation. <a href="/docs">The documentation</a> has them all.</li>
</ol>
<pre tabindex="0" aria-label="Example">curl -H "X-API-Key: $KEY" "${data.address}v2/filing_lookup?form_types=10-K&amp;to=5"</pre>
<p><a href="/plans">Plans</a> say how much a key may use in a month.</p>`,
  };
}
