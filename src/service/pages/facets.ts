/** Forms, years and companies of a search, each a link that narrows it, or that widens it again. */

import { type Html, html } from '../../core/index.ts';
import type { FacetValue, SearchFacets } from '../catalog/index.ts';
import { count } from './layout.ts';

export interface SearchTerms {
  q: string;
  form: string;
  /** CIK; empty: all companies */
  company: string;
  date_from: string;
  date_to: string;
  sort: 'date' | 'relevance';
}

/** @param pathOf the search with other terms */
export function facetsPart(facets: SearchFacets, terms: SearchTerms, pathOf: (terms: SearchTerms) => string): Html {
  const year = yearOf(terms);
  const narrowed = (values: readonly FacetValue[], chosen: string, wanted: (value: string) => SearchTerms) =>
    values.map(({ value, name, count: found }) => {
      const number = html`<span class="soft">${count(found)}${found === facets.yearHitsMax && !facets.isWhole && values === facets.years ? ' or more' : null}</span>`;
      if (value === chosen)
        return html`<li><strong>${name}</strong> ${number} <a href="${pathOf(wanted(''))}">all</a></li>`;
      return html`<li><a href="${pathOf(wanted(value))}">${name}</a> ${number}</li>`;
    });
  const groups: [string, Html[]][] = [
    ['Form', narrowed(facets.forms, terms.form, (form) => ({ ...terms, form }))],
    ['Year', narrowed(facets.years, year, (of) => ({ ...terms, ...datesOf(of) }))],
    ['Company', narrowed(facets.companies, terms.company, (company) => ({ ...terms, company }))],
  ];
  return html`<details class="facets"><summary>Narrow by form, year or company</summary>
<div>${groups.map(([name, values]) => values.length > 0 && html`<section><h3>${name}</h3><ul>${values}</ul></section>`)}</div>
${!facets.isWhole && html`<p class="soft">Forms and companies: of the newest ${count(facets.hits)} documents that have these words.</p>`}
</details>`;
}

function datesOf(year: string): Pick<SearchTerms, 'date_from' | 'date_to'> {
  return year === '' ? { date_from: '', date_to: '' } : { date_from: `${year}-01-01`, date_to: `${year}-12-31` };
}

/** The year that the dates are; empty: none. */
function yearOf({ date_from, date_to }: SearchTerms): string {
  const year = date_from.slice(0, 4);
  return date_from === `${year}-01-01` && date_to === `${year}-12-31` ? year : '';
}
