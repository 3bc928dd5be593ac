/** Definitions of exports that fetch what a page shows. */
import { sectionFamily } from '../../filings/api/index.ts';

export interface ExportSelection {
  name: string;
  ciks?: readonly string[];
  forms?: readonly string[];
  accessionNumbers?: readonly string[];
  /** Form of those filings: it says which tables they have */
  of?: string | null;
  /** Group of the tables of their structured form */
  group?: string | null;
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
  of = forms?.length === 1 ? forms[0]! : null,
  query,
  date_from,
  date_to,
  group = null,
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
tables: [filings, documents, ${group ?? tablesOf(of)}]
lake: ./lake
`;
}

/** What filings of a form have besides their documents; null: several forms. */
function tablesOf(form: string | null): string {
  if (form === null) return 'sections, section_contents';
  if (/^8-K/.test(form)) return 'items_8k, exhibits_8k';
  return sectionFamily(form) === null ? 'document_contents' : 'sections, section_contents, fundamentals';
}
