import { describe, expect, it } from 'vitest';
import { ScriptedService } from '../../../support/client/scripted-service.ts';

const ASKED = '0000320193-24-000123';
const OTHER = '0000320193-24-000124';
const plain = (accession: string) => accession.replaceAll('-', '');

/** filing_info with no more than is needed */
const info = (accession_number: unknown) => ({ accession_number, documents: [], sections: [], parties: [] });
const document = (more: object) => ({ encoding: 'utf-8', content: 'x', ...more });

describe('an answer about another filing than the requested one', () => {
  it.each([
    ['filing_info', info(OTHER)],
    ['filing_info without dashes', info(plain(OTHER))],
    ['filing_info with the filing apart', { filing: { accessionNumber: OTHER }, filer: { cik: 1 } }],
  ])('is refused with the received and the requested id: %s', async (_name, body) => {
    await using service = await ScriptedService.start({ body });
    await expect(service.client().filingInfo(plain(ASKED))).rejects.toMatchObject({
      code: 'contract-broken',
      path: 'accession_number',
      value: OTHER,
      subject: ASKED,
      message: `filing_info answered accession_number = "${OTHER}": ${ASKED} was requested`,
    });
    expect(service.asked).toHaveLength(1);
  });

  it.each([
    ['by accession number', { accession_number: ASKED }],
    ['by document id', { document_id: `${plain(ASKED)}-1` }],
  ])('is refused for sections requested %s', async (_name, asked) => {
    await using service = await ScriptedService.start({ body: { accessionNumber: plain(OTHER), sections: [] } });
    await expect(service.client().filingSections({ ...asked, form_type: '10-K' })).rejects.toMatchObject({
      code: 'contract-broken',
      path: 'accession_number',
      value: OTHER,
      subject: ASKED,
    });
  });

  const byName = { accession_number: plain(ASKED), filename: 'a.htm' };
  it.each([
    ['another filing', { document_id: `${ASKED}-2` }, { id: `${OTHER}-2` }, 'document_id', `${OTHER}-2`],
    ['another document', { document_id: `${ASKED}-2` }, { id: `${ASKED}-3` }, 'document_id', `${ASKED}-3`],
    ['another accession number', { document_id: `${ASKED}-2` }, { accession_number: OTHER }, 'accession_number', OTHER],
    ['another filing by its id', byName, { document_id: `${OTHER}-2` }, 'document_id', `${OTHER}-2`],
    [
      'another filing by its number',
      byName,
      { document_id: `${ASKED}-2`, accessionNumber: plain(OTHER) },
      'accession_number',
      OTHER,
    ],
  ])('is refused of a document: %s', async (_name, asked, given, path, value) => {
    await using service = await ScriptedService.start({ body: document(given) });
    const subject = 'document_id' in asked && path === 'document_id' ? asked.document_id : ASKED;
    await expect(service.client().document(asked)).rejects.toMatchObject({
      code: 'contract-broken',
      path,
      value,
      subject,
    });
  });

  it('is refused of a PDF', async () => {
    const content = Buffer.from('%PDF-1.7').toString('base64');
    await using service = await ScriptedService.start({ body: { accession_number: OTHER, content } });
    await expect(service.client().pdf({ accession_number: ASKED })).rejects.toMatchObject({
      code: 'contract-broken',
      path: 'accession_number',
      value: OTHER,
      subject: ASKED,
    });
  });
});

describe('an answer about the requested filing', () => {
  it('may spell it in any way, or not at all', async () => {
    const filings = [info(ASKED), info(plain(ASKED)), info(32019324000123), { filing: { accession_number: ASKED } }];
    await using ofInfo = await ScriptedService.start(...filings.map((body) => ({ body })));
    for (const _ of filings) {
      expect((await ofInfo.client().filingInfo(plain(ASKED))).value.accession_number).toBe(ASKED);
    }

    const sections = [{ accession_number: plain(ASKED), sections: [] }, { sections: [] }];
    await using ofSections = await ScriptedService.start(...sections.map((body) => ({ body })));
    for (const _ of sections) {
      const { value } = await ofSections.client().filingSections({ accession_number: ASKED, form_type: '10-K' });
      expect(value.accession_number).toBe(ASKED);
    }

    const documents = [{}, { id: `${plain(ASKED)}-02` }, { accession_number: 32019324000123 }].map(document);
    await using ofDocuments = await ScriptedService.start(...documents.map((body) => ({ body })));
    for (const _ of documents) {
      const { value } = await ofDocuments.client().document({ document_id: `${plain(ASKED)}-2` });
      expect(value).toMatchObject({ document_id: `${ASKED}-2`, accession_number: ASKED });
    }
  });

  it('names a document of which only the file name was known', async () => {
    await using service = await ScriptedService.start({ body: document({ document_id: `${ASKED}-7` }) });
    const { value } = await service.client().document({ accession_number: plain(ASKED), filename: 'a.htm' });
    expect(value).toMatchObject({ document_id: `${ASKED}-7`, sequence: 7 });
  });
});
