/** Quotes names and texts for SQL. */

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteNames(names: readonly string[], prefix = ''): string {
  return names.map((name) => prefix + quoteName(name)).join(', ');
}

export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quoteText).join(', ')}]`;
}
