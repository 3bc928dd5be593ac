/** A page with an error message. */
import { html } from './html.ts';
import { type PageContent, problem } from './layout.ts';

export function messagePage(title: string, text: string): PageContent {
  return { title, path: '', body: html`${problem(text)}<p><a href="/">To the start</a></p>` };
}
