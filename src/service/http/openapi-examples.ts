/** One call of each operation, as /openapi.json shows it. A test reads each with the contract's schemas. */
export interface OperationExample {
  parameters: Readonly<Record<string, unknown>>;
  answer: unknown;
}

const ADDRESS = { street1: '510 LAKE COOK ROAD', street2: 'SUITE 100', city: 'DEERFIELD', state: 'IL', zip: '60015' };
const REPORT = '0000018230-22-000107';
const MAIN_DOCUMENT = {
  ...{ document_id: `${REPORT}-1`, sequence: 1, filename: 'cat-20220428.htm', description: '8-K', type: '8-K' },
};
const REVISION = 'q5Rk0Zb-3x';
const FILING = {
  ...{ accession_number: REPORT, cik: '18230', entity_name: 'CATERPILLAR INC', form_type: '8-K' },
  ...{ filing_date: '2022-04-28', acceptance_datetime: '2022-04-28T06:32:03', report_date: '2022-04-28' },
};
const SHA256 = '15f564eb4311fd9102fba53bbb85fcd3d3775add6ff6b0f0989fae0aec6ad73d';

export const EXAMPLES: Readonly<Record<string, OperationExample>> = {
  entity_lookup: {
    parameters: { tickers: ['CAT'] },
    answer: {
      count: 1,
      entities: [
        {
          ...{ cik: '18230', name: 'CATERPILLAR INC', tickers: ['CAT'], exchanges: ['NYSE'], sic: '3531' },
          ...{
            sic_description: 'CONSTRUCTION MACHINERY & EQUIP',
            state_of_incorporation: 'DE',
            fiscal_year_end: '1231',
          },
          ...{ entity_type: 'OPERATING', category: null, addresses: { business: ADDRESS } },
        },
      ],
      response_bytes: 380,
      truncated: false,
    },
  },
  filing_lookup: {
    parameters: { entity_query: { tickers: ['CAT'] }, form_types: ['8-K'], date_from: '2022-01-01', to: 1 },
    answer: {
      count: 1,
      filings: [{ ...FILING, size: 1_652_441, documents: [MAIN_DOCUMENT], revision: REVISION }],
      truncated: false,
    },
  },
  filing_info: {
    parameters: { accession_number: REPORT },
    answer: {
      ...FILING,
      documents: [{ ...MAIN_DOCUMENT, size: 48_722 }],
      sections: [],
      items_8k: [
        {
          ...{ item: '2.02', title: 'Results of Operations and Financial Condition', named_in: 'both' },
          exhibits: [{ exhibit: '99.1', description: 'Press release', document_id: `${REPORT}-2` }],
        },
      ],
      revision: REVISION,
      parties: [
        {
          ...{ role: 'filer', cik: '18230', name: 'CATERPILLAR INC', state_of_incorporation: 'DE' },
          former_names: [{ name: 'CATERPILLAR TRACTOR CO', date_of_change: '1986-06-23' }],
          ...{ fiscal_year_end: '1231', sic: '3531', sic_description: 'CONSTRUCTION MACHINERY & EQUIP' },
          ...{ irs_number: '370602744', file_number: '001-00768', film_number: '22864010', sec_act: '1934 Act' },
          ...{ relationship: null, addresses: { business: ADDRESS } },
        },
      ],
    },
  },
  filing_sections: {
    parameters: { accession_number: '0000912057-00-053623', form_type: '10-K' },
    answer: {
      accession_number: '0000912057-00-053623',
      form_type: '10-K',
      sections: [
        {
          ...{ section: '1', title: 'Business', heading: 'ITEM 1. BUSINESS', html: '<pre>ITEM 1. BUSINESS\n</pre>' },
          ...{ document_id: '0000912057-00-053623-1', by_reference: null },
        },
      ],
    },
  },
  document: {
    parameters: { document_id: '0001193125-26-054580-2', output_format: 'json' },
    answer: {
      ...{ document_id: '0001193125-26-054580-2', accession_number: '0001193125-26-054580', sequence: 2 },
      ...{ type: 'INFORMATION TABLE', filename: '50240.xml', description: 'INFORMATION TABLE FOR FORM 13F' },
      ...{ content_type: 'application/xml', encoding: 'json', size: 55_376, sha256: SHA256 },
      content: { informationTable: { infoTable: [{ nameOfIssuer: 'ALLY FINL INC', value: '576074081' }] } },
    },
  },
  fulltext_search: {
    parameters: { query: '"emerging growth company"', query_type: 'query_string', form_types: ['8-K'], to: 1 },
    answer: {
      total_hits: 28,
      hits: [
        {
          ...{ id: '0000019617-26-000241-1', score: 4.37, accession_number: '0000019617-26-000241', form_type: '8-K' },
          ...{ filing_date: '2026-06-25', acceptance_date_time: '2026-06-25T16:30:41', document_type: '8-K' },
          ...{ document_description: '8-K', file_name: 'jpm-20260624.htm', ciks: ['19617'], sics: ['6021'] },
          ...{ size: 41_210, highlights: ['an <mark>emerging</mark> <mark>growth</mark> <mark>company</mark>'] },
          text_content: null,
        },
      ],
      entities: [{ cik: '19617', name: 'JPMORGAN CHASE & CO', tickers: ['JPM'] }],
      response_bytes: 660,
      truncated: false,
    },
  },
  pdf: {
    parameters: { accession_number: REPORT, page_size: 'letter' },
    answer: {
      ...{ accession_number: REPORT, document_id: null, filename: `${REPORT}.pdf`, content_type: 'application/pdf' },
      ...{ encoding: 'base64', pages: 9, size: 187_204, sha256: SHA256, content: 'JVBERi0xLjcK' },
    },
  },
  coverage: {
    parameters: { date_from: '2024-11-01', date_to: '2024-11-01' },
    answer: {
      count: 1,
      days: [
        {
          ...{ day: '2024-11-01', expected: 3_912, in_catalog: 3_912, missing: 0, lag_p50_s: 34, lag_p99_s: 118 },
          proven_at: '2024-11-02T04:10:12.000Z',
        },
      ],
      truncated: false,
    },
  },
  usage: {
    parameters: { month: '2024-11' },
    answer: {
      ...{ month: '2024-11', plan: 'free', requests: 12, bytes: 48_210 },
      ...{ requests_per_month: 100, bytes_per_month: null, resets_at: '2024-12-01T00:00:00Z' },
      days: [{ day: '2024-11-03', operation: 'filing_info', requests: 12, bytes: 48_210 }],
    },
  },
};
