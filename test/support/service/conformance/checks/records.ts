/** filing_info and filing_sections. */
import { type Check, expectStatus, firstFault, may, must, need, Skipped } from '../check.ts';
import {
  type PublishedFiling,
  publishedError,
  publishedInfo,
  publishedSections,
  typeFault,
} from '../published-types.ts';

const UNKNOWN_FILING = '9999999999-99-999999';

export const RECORD_CHECKS: readonly Check[] = [
  must(
    'filing_info.accession-required',
    "without accession_number, filing_info answers 400 'accession_number is required'",
    async ({ wire }) => {
      const answer = await wire.ask('filing_info');
      const fault = firstFault(expectStatus(answer, 400), typeFault(publishedError, answer.json));
      return fault ?? (/accession_number is required/i.test(answer.text) ? null : `the message is ${answer.text}`);
    },
  ),
  must(
    'filing_info.types',
    'filing_info answers the record in the published form, the same facts as filing_lookup',
    async ({ wire, sample }) => {
      const filing = need(sample.annual ?? sample.filings[0], 'filing');
      const answer = await wire.ask('filing_info', { accession_number: filing.accession_number });
      const fault = firstFault(expectStatus(answer, 200), typeFault(publishedInfo, answer.json));
      if (fault !== null) return fault;
      const info = publishedInfo.parse(answer.json);
      const shared = ['accession_number', 'cik', 'form_type', 'filing_date', 'acceptance_datetime'] as const;
      const differs = shared.find((member) => (info[member] || null) !== (filing[member] || null));
      if (differs) return `${differs} is ${info[differs]}, and in filing_lookup ${filing[differs]}`;
      const ids = (documents: PublishedFiling['documents']) =>
        String(documents.map((document) => document.document_id));
      return ids(info.documents) === ids(filing.documents) ? null : 'the documents differ from those of filing_lookup';
    },
  ),
  must(
    'filing_info.document-ids',
    "a document_id is the filing's accession number and the document's sequence",
    async ({ sample }) => {
      const info = need(sample.annualInfo ?? sample.currentInfo, '10-K or 8-K');
      const odd = info.documents.find(
        ({ document_id, sequence }) => document_id !== `${info.accession_number}-${sequence}`,
      );
      return odd ? `${odd.document_id} has the sequence ${odd.sequence}` : null;
    },
  ),
  must('filing_info.sections', 'a 10-K has a list of sections, and null for items_8k', async ({ sample }) => {
    const info = need(sample.annualInfo, '10-K');
    if (!Array.isArray(info.sections)) return 'sections is not a list';
    return info.items_8k === null ? null : 'items_8k is not null';
  }),
  must('filing_info.items', 'an 8-K has a list of items, each with number, title and exhibits', async ({ sample }) => {
    const info = need(sample.currentInfo, '8-K');
    if (info.items_8k === null) return 'items_8k is null';
    const odd = info.items_8k.find(({ item }) => !/^\d{1,2}(\.\d{2})?$/.test(item));
    return odd ? `the item number is '${odd.item}'` : null;
  }),
  may('filing_info.unknown', 'an unknown filing is answered 404', async ({ wire }) =>
    expectStatus(await wire.ask('filing_info', { accession_number: UNKNOWN_FILING }), 404),
  ),
  may('filing_info.parties', 'filing_info has the parties of the header', async ({ sample }) => {
    const info = need(sample.annualInfo ?? sample.currentInfo, '10-K or 8-K');
    return Array.isArray(info.parties) ? null : 'there is no member parties';
  }),
  may(
    'filing_info.revision',
    'filing_info states the same revision as filing_lookup: an export fetches a filing of another revision again',
    async ({ wire, sample }) => {
      const filing = need(sample.annual ?? sample.filings[0], 'filing');
      const { accession_number, revision } = filing;
      const told = (await wire.ask('filing_info', { accession_number })).json as { revision?: unknown } | undefined;
      if (revision === undefined || revision === null) throw new Skipped('the service states no revisions');
      return revision === told?.revision ? null : `it is ${told?.revision}, and in filing_lookup ${revision}`;
    },
  ),
  may(
    'filing_info.positions',
    'start_index and end_index are positions in the content of the main document',
    async ({ wire, sample }) => {
      const info = need(sample.annualInfo, '10-K');
      need(
        info.sections?.find(({ start_index, end_index }) => (end_index ?? 0) > (start_index ?? 0)),
        '10-K with positions of sections',
      );
      const answer = await wire.ask('document', { accession_number: info.accession_number });
      const { content } = (answer.json ?? {}) as { content?: unknown };
      if (typeof content !== 'string') return expectStatus(answer, 200) ?? 'content is not a text';
      const beyond = info.sections!.find(({ end_index }) => (end_index ?? 0) > content.length);
      if (beyond) return `end_index ${beyond.end_index} is beyond the document's ${content.length}`;
      const crossed = info.sections!.find(({ start_index, end_index }) => (start_index ?? 0) > (end_index ?? 0));
      return crossed ? `section ${crossed.section} ends at ${crossed.end_index}, before its start` : null;
    },
  ),
  must(
    'filing_sections.id-required',
    "without an id, filing_sections answers 400 'document_id is required'",
    async ({ wire }) => {
      const answer = await wire.ask('filing_sections', { form_type: '10-K' });
      const fault = firstFault(expectStatus(answer, 400), typeFault(publishedError, answer.json));
      return fault ?? (/document_id is required/i.test(answer.text) ? null : `the message is ${answer.text}`);
    },
  ),
  ...(['10-K', '10-Q'] as const).map(
    (form): Check =>
      must(
        `filing_sections.${form}`,
        `filing_sections gives the sections of a ${form} with their HTML`,
        async ({ wire, sample }) => {
          const filing = need(form === '10-K' ? sample.annual : sample.quarterly, form);
          const answer = await wire.ask('filing_sections', {
            accession_number: filing.accession_number,
            form_type: form,
          });
          const fault = firstFault(expectStatus(answer, 200), typeFault(publishedSections, answer.json));
          if (fault !== null) return fault;
          const { sections } = publishedSections.parse(answer.json);
          const empty = sections.find(({ html }) => html.trim() === '');
          if (empty) return `section ${empty.section} has no HTML`;
          // The codes of a 10-Q are not published.
          const odd = form === '10-K' ? sections.find(({ section }) => !/^\d{1,2}[A-Z]?$/.test(section)) : undefined;
          return odd ? `a section has the code '${odd.section}'` : null;
        },
      ),
  ),
  must(
    'filing_sections.by-document',
    'filing_sections accepts document_id in place of accession_number',
    async ({ wire, sample }) => {
      const document = need(need(sample.annual, '10-K').documents[0], 'document of a 10-K');
      const answer = await wire.ask('filing_sections', { document_id: document.document_id, form_type: '10-K' });
      return firstFault(expectStatus(answer, 200), typeFault(publishedSections, answer.json));
    },
  ),
];
