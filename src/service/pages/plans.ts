/** `/plans`: how much a key may use, and what it costs. */

import { html } from '../../core/index.ts';
import type { QuotaPlan } from '../../filings/api/index.ts';
import { bytesText, count, notice, type PageContent } from './layout.ts';

interface PlansData {
  plans: readonly [name: string, plan: QuotaPlan][];
  /** The user who is logged in */
  holder: { plan: string; nextPlan: string | null; requested: string | null; formToken: string } | null;
}

export function plansPage({ plans, holder }: PlansData): PageContent {
  const cards = plans.map(([name, plan]) => {
    const { requests_per_month: requests, bytes_per_month: bytes, price, description } = plan;
    return html`<li><h2>${name}</h2><p><strong>${price}</strong></p>
<p>${requests === null ? 'Any number of' : count(requests)} requests a month<br>${bytes === null ? 'Any amount of data' : `${bytesText(bytes)} a month`}</p>
<p class="soft">${description}</p>${choice(name, holder)}</li>`;
  });
  return {
    title: 'Plans',
    path: '/plans',
    body: html`
<p>A plan says how many requests and bytes the keys of an account may use in a calendar month (UTC). Every operation is in every plan.</p>
<ul class="columns cards">${cards}</ul>
${holder?.requested ? notice(`You have asked for the plan “${holder.requested}”.`) : null}
<h2>How plans change</h2>
<ul>
<li>A larger plan starts at once, as soon as it is paid for or granted. What you have used this month stays used.</li>
<li>A smaller plan starts on the first of next month. So does the end of a paid plan, if you cancel it.</li>
<li>At the limit, requests get status 429 until the month ends, or until you have a larger plan.</li>
</ul>
${holder ? null : html`<p><a class="button" href="/account">Make an account</a></p>`}`,
  };
}

function choice(name: string, holder: PlansData['holder']) {
  if (holder === null) return html`<a href="/account">Log in<span class="skip"> to choose ${name}</span></a>`;
  if (holder.plan === name && holder.nextPlan === null) return html`<p>Your plan</p>`;
  if (holder.nextPlan === name) return html`<p>From next month on</p>`;
  const verb = holder.plan === name ? 'Keep' : 'Choose';
  return html`<form class="inline" method="post" action="/account/plan"><input type="hidden" name="form" value="${holder.formToken}">
<input type="hidden" name="plan" value="${name}"><button aria-label="${verb} the plan ${name}">${verb}</button></form>`;
}
