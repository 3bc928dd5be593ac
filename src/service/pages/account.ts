/** `/account`: log in, or the keys, usage, plan and settings of who is logged in. */

import { type Html, html } from '../../core/index.ts';
import type { Account, AccountKey, MonthUsage, PlanChange } from '../accounts/index.ts';
import { bytesText, count, notice, type PageContent, problem, table } from './layout.ts';

export interface Message {
  text: string;
  isProblem?: boolean;
  /** A page to continue on */
  url?: string | null;
}

function messageHtml(message: Message | null): Html | null {
  if (message === null) return null;
  if (message.isProblem) return problem(message.text);
  return notice(message.url ? html`${message.text} <a href="${message.url}">Continue to payment</a>` : message.text);
}

export function logInPage(message: Message | null, canSignUp: boolean): PageContent {
  return {
    title: 'Account',
    path: '/account',
    body: html`${messageHtml(message)}
<div class="columns">
<section aria-labelledby="log-in"><h2 id="log-in">Log in</h2>
<form method="post" action="/account/log-in">
<label for="log-in-email">E-mail address</label>
<input id="log-in-email" name="email" type="email" autocomplete="username" required>
<label for="log-in-password">Password</label>
<input id="log-in-password" name="password" type="password" autocomplete="current-password" required>
<button>Log in</button></form>
<h3>Without a password</h3>
<form method="post" action="/account/send-link">
<label for="link-email">E-mail address for the link</label>
<input id="link-email" name="email" type="email" autocomplete="email" required>
<button class="plain">Mail me a link</button></form></section>
${
  canSignUp
    ? html`<section aria-labelledby="sign-up"><h2 id="sign-up">Make an account</h2>
<p>It is free. You get a link by e-mail.</p>
<form method="post" action="/account/sign-up">
<label for="sign-up-email">Your e-mail address</label>
<input id="sign-up-email" name="email" type="email" autocomplete="email" required>
<label for="sign-up-password">Choose a password (optional)</label>
<input id="sign-up-password" name="password" type="password" autocomplete="new-password" minlength="10" aria-describedby="password-hint">
<p id="password-hint" class="soft">10 characters or more. Without one, each log-in is by a link in a mail.</p>
<button>Make an account</button></form></section>`
    : null
}
</div>`,
  };
}

/** The page of a one-time link. Nothing happens before its button: programs that look at links use none up. */
export function linkPage(
  link: { token: string; purpose: 'confirm' | 'log-in'; email: string; needsPassword: boolean },
  message: Message | null,
): PageContent {
  const title = link.purpose === 'confirm' ? 'Confirm your address' : 'Log in';
  return {
    title,
    path: '/account/link',
    body: html`${messageHtml(message)}
<p>${link.email}</p>
<form method="post" action="/account/link"><input type="hidden" name="token" value="${link.token}">
${
  link.needsPassword
    ? html`<label for="password">The password of your sign-up</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>`
    : null
}
<button>${link.purpose === 'confirm' ? 'Make the account' : 'Log in'}</button></form>`,
  };
}

export interface AccountData {
  account: Account;
  keys: readonly AccountKey[];
  /** A key that was made just now */
  newKey: { api_key: string; name: string | null } | null;
  usage: MonthUsage;
  limits: { requests: number | null; bytes: number | null };
  history: readonly PlanChange[];
  requested: string | null;
  /** There is a paid plan or a request to end */
  canCancel: boolean;
  formToken: string;
  message: Message | null;
}

export function accountPage(data: AccountData): PageContent {
  const { account, usage, limits, formToken } = data;
  const form = html`<input type="hidden" name="form" value="${formToken}">`;
  const of = (limit: number | null, text: (value: number) => string) =>
    limit === null ? 'no limit' : `of ${text(limit)}`;
  return {
    title: 'Account',
    path: '/account',
    body: html`${messageHtml(data.message)}
${
  data.newKey &&
  html`<div class="notice" role="status"><p>Your new key${data.newKey.name ? ` “${data.newKey.name}”` : null}. Copy it now: it is not shown again.</p>
<p class="key" id="new-key">${data.newKey.api_key}</p>
<p><a href="/docs">Try it in the documentation</a></p></div>`
}
<p>${account.email}</p>
<form method="post" action="/account/log-out">${form}<button class="plain">Log out</button></form>
<h2>Keys</h2>
${keyTable(data.keys, form)}
<form method="post" action="/account/keys">${form}
<label for="key-name">Name of a new key</label><input id="key-name" name="name" maxlength="60" autocomplete="off">
<button>Make a key</button></form>
<h2>Usage of ${usage.month}</h2>
<ul class="figures"><li><strong>${count(usage.requests)}</strong> requests, ${of(limits.requests, count)}</li>
<li><strong>${bytesText(usage.bytes)}</strong> ${of(limits.bytes, bytesText)}</li></ul>
${limitNotice(data)}
${
  usage.days.length > 0 &&
  table(
    'Usage by day and operation',
    ['Day', 'Operation', 'Requests', 'Data'],
    usage.days.map(({ day, operation, requests, bytes }) => [day, operation, count(requests), bytesText(bytes)]),
  )
}
<h2>Plan</h2>
${planPart(data, form)}
<h2>Settings</h2>
<form method="post" action="/account/password">${form}
${
  account.has_password &&
  html`<label for="old-password">Old password</label>
<input id="old-password" name="old" type="password" autocomplete="current-password">
<p>If you have forgotten it, log out and log in by a link. For 15 minutes after that, a new password needs no old one.</p>`
}
<label for="new-password">${account.has_password ? 'New password' : 'Password'}</label>
<input id="new-password" name="password" type="password" autocomplete="new-password" minlength="10" required>
<button class="plain">Set the password</button></form>
<details><summary>Delete the account</summary>
<p>This deletes your address, keys, names and history. Your keys end at once. It can not be undone.</p>
<form method="post" action="/account/delete">${form}
<label for="delete-email">Enter your e-mail address</label><input id="delete-email" name="email" type="email" autocomplete="off" required>
<button>Delete the account</button></form></details>`,
  };
}

/** At a limit: until when, and what helps. */
function limitNotice({ usage, limits }: AccountData): Html | null {
  const isReached = (used: number, limit: number | null) => limit !== null && used >= limit;
  const reached = isReached(usage.requests, limits.requests)
    ? 'requests'
    : isReached(usage.bytes, limits.bytes)
      ? 'bytes'
      : null;
  if (reached === null) return null;
  return notice(
    html`The ${reached} of this month are used up. Requests get status 429 until ${dayAfterMonth(usage.month)} (UTC), or until you have <a href="/plans">a larger plan</a>.`,
  );
}

/** `2026-12` → `2027-01-01` */
function dayAfterMonth(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 1)).toISOString().slice(0, 10);
}

function keyTable(keys: readonly AccountKey[], form: Html): Html {
  if (keys.length === 0) return html`<p>You have no key yet.</p>`;
  const action = (
    path: string,
    verb: string,
    key: AccountKey,
  ) => html`<form class="inline" method="post" action="/account/keys/${path}">${form}
<input type="hidden" name="key" value="${key.prefix}"><button class="plain" aria-label="${verb} the key ${key.name ?? key.prefix}">${verb}</button></form>`;
  const rows = keys.map((key) => [
    html`<code>${key.prefix}…</code>`,
    key.name ?? '',
    key.created_at.slice(0, 10),
    key.last_used ?? 'never',
    html`${action('rotate', 'Replace', key)} ${action('revoke', 'Revoke', key)}`,
  ]);
  return table('Keys', ['Key', 'Name', 'Made', 'Last used', 'Change'], rows);
}

function planPart({ account, history, requested, canCancel }: AccountData, form: Html): Html {
  const next = account.next_plan === null ? null : html`, and “${account.next_plan}” from ${account.next_from}-01 on`;
  return html`<p>Your plan is “${account.plan}”${next}. <a href="/plans">All plans</a></p>
${requested && notice(`You have asked for the plan “${requested}”.`)}
${
  account.next_plan !== null
    ? html`<form method="post" action="/account/resume">${form}<button>Keep the plan ${account.plan}</button></form>`
    : canCancel &&
      html`<form method="post" action="/account/cancel">${form}<button class="plain">${requested ? 'Withdraw the request' : 'Cancel the plan'}</button></form>`
}
<details><summary>History</summary>
${table(
  'History of plans',
  ['When', 'Change', 'From', 'To', 'Holds from', 'By'],
  history.map(({ at, kind, from_plan, to_plan, effective, actor }) => [
    at.slice(0, 10),
    kind,
    from_plan,
    to_plan,
    effective,
    actor,
  ]),
)}</details>`;
}
