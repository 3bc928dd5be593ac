/** HTML by template: every value is escaped, unless it is HTML already. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type HtmlValue = string | number | null | undefined | false | Html | readonly HtmlValue[];

/** `html\`<p>${text}</p>\``. Arrays are joined; null, undefined and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(parts.map((part, k) => part + (k < values.length ? textOf(values[k]) : '')).join(''));
}

/** Text that is HTML: only for what the program itself has escaped. */
export function trusted(text: string): Html {
  return new Html(text);
}

function textOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(textOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text in a page, or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd')
    .replace(/[&<>"']/g, (letter) => ENTITIES[letter]!);
}
