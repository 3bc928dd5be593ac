/** The filing that several examples are about: Caterpillar's 8-K of April 28, 2022. */

export const REPORT = '0000018230-22-000107';

export const REPORT_DOCUMENT = {
  document_id: `${REPORT}-1`,
  sequence: 1,
  filename: 'cat-20220428.htm',
  description: '8-K',
  type: '8-K',
};

/** Members that filing_lookup and filing_info share */
export const REPORT_FILING = {
  accession_number: REPORT,
  cik: '18230',
  entity_name: 'CATERPILLAR INC',
  form_type: '8-K',
  filing_date: '2022-04-28',
  acceptance_datetime: '2022-04-28T06:32:03',
  report_date: '2022-04-28',
  revision: 'q5Rk0Zb-3x',
};

export const FILER_ADDRESS = {
  street1: '510 LAKE COOK ROAD',
  street2: 'SUITE 100',
  city: 'DEERFIELD',
  state: 'IL',
  zip: '60015',
};

/** A digest of no real document */
export const EXAMPLE_SHA256 = '15f564eb4311fd9102fba53bbb85fcd3d3775add6ff6b0f0989fae0aec6ad73d';
