/** The frame of every page. */
import { type Html, html } from '../../core/index.ts';

export { formatCount as count } from '../../core/index.ts';

const PLACES = [
  ['/search', 'Search'],
  ['/docs', 'Documentation'],
  ['/plans', 'Plans'],
  ['/account', 'Account'],
] as const;

export interface PageContent {
  title: string;
  /** Path of the page, to mark it in the navigation */
  path: string;
  body: Html;
}

/** The whole page as text. It needs no scripts, and names no other host. */
export function pageText({ title, path, body }: PageContent): string {
  const places = PLACES.map(
    ([href, name]) =>
      html`<li><a href="${href}"${isPart(path, href) ? html` aria-current="page"` : null}>${name}</a></li>`,
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${path === '/' ? null : ' – filinglake'}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="name" href="/">filinglake</a>
<nav aria-label="Pages"><ul>${places}</ul></nav>
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${body}
</main>
<footer>Public filings of the SEC’s EDGAR system. This service is not part of the SEC.</footer>
</body>
</html>
`;
  return page.text;
}

function isPart(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** A table that scrolls alone on a narrow screen, by keyboard too. */
export function table(
  caption: string,
  heads: readonly (string | Html)[],
  rows: readonly (readonly (string | number | Html | null)[])[],
): Html {
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

export function notice(text: string | Html): Html {
  return html`<p class="notice" role="status">${text}</p>`;
}

export function problem(text: string): Html {
  return html`<p class="problem" role="alert">${text}</p>`;
}

/** A page with an error message. */
export function messagePage(title: string, text: string): PageContent {
  return { title, path: '', body: html`${problem(text)}<p><a href="/">To the start</a></p>` };
}

export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${units[step]}`;
}

/** `4` as "Form 4", `SCHEDULE 13D/A` as "Schedule 13D/A". */
export function formName(form: string): string {
  return form.startsWith('SCHEDULE ') ? `Schedule ${form.slice('SCHEDULE '.length)}` : `Form ${form}`;
}
