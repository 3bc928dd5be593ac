/** `/docs`: the operations, from the contract, with examples to try. */

import { type Html, html } from '../../core/index.ts';
import { exampleCode } from './example-code.ts';
import { type PageContent, table } from './layout.ts';

interface DocumentedParameter {
  name: string;
  type: string;
  required: boolean;
  meaning: string;
}

export interface DocumentedOperation {
  name: string;
  path: string;
  summary: string;
  parameters: readonly DocumentedParameter[];
  /** Members of the answer */
  members: readonly { name: string; type: string; meaning: string }[];
  /** Parameters of the example, as JSON */
  example: string;
  /** An answer to the example, as JSON of several lines */
  exampleAnswer: string;
}

interface DocsData {
  operations: readonly DocumentedOperation[];
  errors: readonly { status: string; meaning: string; remedy: string }[];
  changes: readonly string[];
  address: string;
}

export function docsPage({ operations, errors, changes, address }: DocsData): PageContent {
  return {
    title: 'Documentation',
    path: '/docs',
    body: html`
<p>Every operation is a GET. Parameters are in the query string, in a JSON body, or in both. Answers are JSON.
<a href="/openapi.json">OpenAPI description</a>. For programs that read: <a href="/docs.md">this interface</a> and <a href="/llms.txt">all
pages</a> as Markdown.</p>
<nav aria-label="On this page"><ul>
<li><a href="#keys">Keys and limits</a></li>
${operations.map(({ name, summary }) => html`<li><a href="#${name}">${name}</a>: ${summary}</li>`)}
<li><a href="#errors">Errors</a></li>${changes.length > 0 && html`<li><a href="#changes">Changes</a></li>`}</ul></nav>
<h2 id="keys">Keys and limits</h2>
<p>Send your key as the header <code>X-API-Key</code>, as <code>Authorization: Bearer</code>, or as the parameter <code>api_key</code>.
Make one on <a href="/account">the page of your account</a>. The header <code>RateLimit</code> of each answer says what is left of the month.
<code>GET /v2/usage</code> gives the usage by day and operation, and counts nothing.</p>
${operations.map((operation) => operationPart(operation, address))}
<h2 id="errors">Errors</h2>
<p>An error is <code>{"error": "message"}</code> with one of these statuses. The answers 200, 304, 404 and 422 count against the month.</p>
${table(
  'Errors',
  ['Status', 'Meaning', 'What to do'],
  errors.map(({ status, meaning, remedy }) => [status, meaning, remedy]),
)}
${
  changes.length > 0 &&
  html`<h2 id="changes">Changes</h2><details><summary>All ${changes.length} of this release</summary><ul>${changes.map((change) => html`<li>${change}</li>`)}</ul></details>`
}`,
  };
}

function operationPart(
  { name, path, summary, parameters, members, example, exampleAnswer }: DocumentedOperation,
  address: string,
): Html {
  const rows = parameters.map((parameter) => [
    html`<code>${parameter.name}</code>`,
    parameter.type,
    `${parameter.required ? 'Required. ' : ''}${parameter.meaning}`,
  ]);
  return html`<section aria-labelledby="${name}"><h2 id="${name}">${name}</h2>
<p>${summary}.<br><code>GET ${path}</code></p>
<div class="sides"><div>
${table(`Parameters of ${name}`, ['Parameter', 'Type', 'Meaning'], rows)}
<details><summary>Members of the answer<span class="skip"> of ${name}</span></summary>
${table(
  `Answer of ${name}`,
  ['Member', 'Type', 'Meaning'],
  members.map((member) => [html`<code>${member.name}</code>`, member.type, member.meaning]),
)}</details>
</div><div>
${exampleCode(new URL(path, address).href, example).map(
  ({ language, code }, k) =>
    html`<details name="${name}-code"${k === 0 ? html` open` : null}><summary>${language}<span class="skip"> for ${name}</span></summary><pre tabindex="0" aria-label="${name} in ${language}">${code}</pre></details>`,
)}
<details open><summary>Answer<span class="skip"> of ${name}, an example</span></summary><pre class="answer" tabindex="0" aria-label="Example of an answer of ${name}">${exampleAnswer}</pre></details>
</div></div>
<details><summary>Try ${name} with your key</summary>
<form method="post" action="/docs/try"><input type="hidden" name="operation" value="${name}">
<label for="${name}-key">Your key</label><input id="${name}-key" name="key" type="password" autocomplete="off" required>
<label for="${name}-parameters">Parameters (JSON)</label><textarea id="${name}-parameters" name="parameters" spellcheck="false">${example}</textarea>
<button>Send</button><p class="soft">This counts as one request.</p></form></details></section>`;
}

interface TriedData {
  name: string;
  status: number;
  /** What is left of the month; null if the answer did not state it */
  limits: string | null;
  text: string;
  isCut: boolean;
}

export function triedPage({ name, status, limits, text, isCut }: TriedData): PageContent {
  return {
    title: `Answer of ${name}`,
    path: '/docs/try',
    body: html`<p>Status ${status}${limits ? html`. Left: <code>${limits}</code>` : null}</p>
<pre tabindex="0" aria-label="Answer">${text}${isCut ? '\n…' : null}</pre><p><a href="/docs#${name}">Back to ${name}</a></p>`,
  };
}
