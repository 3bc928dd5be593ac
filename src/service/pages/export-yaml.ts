/** Definitions of exports that fetch what a page shows. */

export interface ExportSelection {
  name: string;
  ciks?: readonly string[];
  forms?: readonly string[];
  accessionNumbers?: readonly string[];
  /** Words of a full-text search */
  query?: string;
  date_from?: string;
  date_to?: string;
}

export function exportYaml({
  name,
  address,
  ciks,
  forms,
  accessionNumbers,
  query,
  date_from,
  date_to,
}: ExportSelection & { address: string }): string {
  // JSON texts are YAML texts: no value can end its line or its quotes.
  const lines = [
    accessionNumbers && `  accession_numbers: ${JSON.stringify(accessionNumbers)}`,
    ciks && `  entity_query: { ciks: ${JSON.stringify(ciks)} }`,
    query && `  fulltext: { query: ${JSON.stringify(query)} }`,
    forms && forms.length > 0 && `  form_types: ${JSON.stringify(forms)}`,
    date_from && `  date_from: ${date_from}`,
    date_to && `  date_to: ${date_to}`,
  ].filter(Boolean);
  return `name: ${
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40) || 'filings'
  }
service:
  base_url: ${JSON.stringify(address.replace(/\/$/, ''))}
  api_key: \${FILINGLAKE_API_KEY}
select:
${lines.join('\n')}
tables: [filings, documents, sections, section_contents]
lake: ./lake
`;
}
