import { describe, expect, it } from 'vitest';
import type { FilingClient } from '../../../../src/export/client/index.ts';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { PASSES } from '../../../../src/export/index.ts';
import { lineOf } from '../../../../src/export/pipeline/plan/plan-filings.ts';
import { pendingSteps } from '../../../../src/export/steps/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { type Scripted, ScriptedService } from '../../../support/client/scripted-service.ts';
import {
  accessionNumber,
  fetcherOf,
  filingOfLookup,
  infoOf,
  partyOf,
  sinkTo,
} from '../../../support/pipeline/activity-harness.ts';

/** What is delivered of a filing, asked of a service over HTTP. */
async function delivered(client: FilingClient, filing: Filing, tables: string) {
  const { definition } = parseExportDefinition(`name: t\nselect: {}\ntables: [${tables}]`, 't.yaml', {});
  const rows: Record<string, Record<string, unknown>[]> = {};
  const sink = sinkTo((delivery) => {
    for (const [table, more] of Object.entries(delivery.rows)) rows[table] = [...(rows[table] ?? []), ...(more as [])];
  });
  const line = lineOf(filing, pendingSteps(definition, filing, new Map()));
  for (const pass of PASSES) {
    const fetching = fetcherOf({ definition, client, sink, pass });
    await fetching.fetch(line);
    await fetching.settleSuspects();
  }
  return rows;
}

describe('a step of a filing', () => {
  it('is answered about another filing: that is recorded, none of its rows are written, and the step stays pending', async () => {
    const [asked, other] = [filingOfLookup(1), filingOfLookup(2)];
    const parties = [partyOf('2', 'OTHER')];
    await using service = await ScriptedService.start({ body: { ...infoOf(other), parties } });
    const rows = await delivered(service.client(), asked, 'filings, parties');
    expect(rows.parties).toBeUndefined();
    expect(rows.coverage).toMatchObject([{ accession_number: accessionNumber(1), step: 'info', status: 'failed' }]);
    expect(rows.export_failures).toMatchObject([
      { step: 'info', accession_number: accessionNumber(1), code: 'contract-broken', path: 'accession_number' },
    ]);
    expect(JSON.stringify(rows.export_failures)).toContain(accessionNumber(2));
  });

  it('is answered with "" for the substance of a section: its text is that of its HTML', async () => {
    const section = { section: '1A', title: 'T', html: '<p>Risks</p>', substance_html: '' };
    const body = { accession_number: accessionNumber(1), form_type: '10-K', sections: [section] };
    await using service = await ScriptedService.start({ body });
    const rows = await delivered(service.client(), filingOfLookup(1), 'filings, section_contents');
    expect(rows.section_contents).toMatchObject([{ section: '1A', text: 'Risks' }]);
  });

  it('is answered by a web page for XML: that is recorded, though nothing is known of the service', async () => {
    const filing = filingOfLookup(1);
    filing.documents = [{ ...filing.documents[0]!, filename: 'form4.xml' }];
    const page: Scripted = { headers: { 'content-type': 'text/html' }, body: '<html>Please wait</html>' };
    await using service = await ScriptedService.start(page);
    const client = service.client();
    // Whether the service is well is asked by a lookup: it is.
    client.filingLookup = async () => ({}) as never;
    const rows = await delivered(client, filing, 'filings, document_contents');
    expect(rows.document_contents).toBeUndefined();
    expect(rows.export_failures).toMatchObject([
      { code: 'service-failed', message: 'document answered 200 with a web page in place of the document' },
    ]);
  });

  it('gets an empty answer for a document that the lookup states as empty', async () => {
    const filing = filingOfLookup(1);
    filing.documents = [{ ...filing.documents[0]!, size: 0 }];
    await using service = await ScriptedService.start({ headers: { 'content-type': 'text/html' }, body: '' });
    const rows = await delivered(service.client(), filing, 'filings, document_contents');
    expect(rows.document_contents).toMatchObject([{ content: '', size: 0 }]);
    expect(rows.export_failures).toBeUndefined();
  });
});
