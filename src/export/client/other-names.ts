/** Other names that services have for members, by record, in snake_case. camelCase is converted before. */
const DOCUMENT = { id: 'document_id', file_name: 'filename', document_type: 'type' };
const FILING = { form: 'form_type', acceptance_date_time: 'acceptance_datetime' };
const SECTION = { item_label: 'section', item_description: 'title', content: 'html' };

export const OTHER_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  address: { zip_code: 'zip' },
  document: DOCUMENT,
  exhibit: { id: 'document_id' },
  filing: FILING,
  filing_info: { ...FILING, eightk_items: 'items_8k', items8k: 'items_8k' },
  filing_sections: { form: 'form_type' },
  hit: { form: 'form_type', acceptance_datetime: 'acceptance_date_time', filename: 'file_name', document_id: 'id' },
  item: { item_type: 'item', item_name: 'title' },
  section: SECTION,
};
