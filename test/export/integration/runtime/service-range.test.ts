/** What a service has, for a selection that matches nothing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FilingClient } from '../../../../src/export/client/index.ts';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import type { ExportDefinition } from '../../../../src/export/index.ts';
import { planOf, selectionText, serviceRange } from '../../../../src/export/runtime/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { TestService } from '../../../support/service/running-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const selecting = (select: string): ExportDefinition =>
  parseExportDefinition(
    `select: ${select}\ntables: [filings]\nservice: { base_url: ${service.service.url} }`,
    'x.yaml',
    {},
  ).definition;
const range = (select: string) => serviceRange(selecting(select), service.key, { baseUrl: service.service.url });

describe('a selection that matches nothing', () => {
  it('gets the dates of the service, and whether it has the forms', async () => {
    const all = /^The service has filings from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/;
    expect(await range('{ date_from: 2999-01-01 }')).toMatch(
      new RegExp(`${all.source}, none of them in the selected dates\\.$`),
    );
    expect(await range('{ form_types: [SC 13D] }')).toMatch(/None of them is of form SC 13D\.$/);
    expect(await range('{ form_types: [10-K*], entity_query: { ciks: [999] } }')).toMatch(
      /Some are of form 10-K, 10-K\/A, 10-K405, 10-K405\/A, 10-KSB, \.\.\.\. The service does not know the CIK 999\.$/,
    );
  });

  it('says nothing if the service does not answer', async () => {
    expect(await serviceRange(selecting('{}'), 'no such key', { baseUrl: service.service.url })).toBeNull();
    expect(await serviceRange(selecting('{}'), service.key, { baseUrl: 'catalog:/somewhere' })).toBeNull();
  });

  it('is described as it was asked for, with calendar dates', () => {
    const asked = selecting('{ date_from: -1d, form_types: [10-K], entity_query: { ciks: [320193] } }');
    expect(selectionText(asked, '2024-03-03')).toBe('form_types: 10-K; date_from: 2024-03-02; ciks: 320193');
    expect(selectionText(selecting('{}'), '2024-03-03')).toBe('');
  });

  it('has the same as a note in its estimate', async () => {
    const definition = selecting('{ date_from: 2999-01-01 }');
    const signal = new AbortController().signal;
    const lake = `${temporaryFolder()}/none`;
    const plan = await planOf({ definition, apiKey: service.key, lake, sample: null, signal });
    expect(plan).toMatchObject({ filings: 0, notes: [await range('{ date_from: 2999-01-01 }')] });
  });
});

describe('an estimate for a long list of companies', () => {
  const planFor = async (ciks: string[]) => {
    const file = join(temporaryFolder(), 'ciks.txt');
    writeFileSync(file, ciks.join('\n'));
    const definition = selecting('{}');
    definition.select.entity_lists = { ciks: { file } };
    const lake = `${temporaryFolder()}/none`;
    return planOf({ definition, apiKey: service.key, lake, sample: null, signal: new AbortController().signal });
  };
  const unknown = Array.from({ length: 2_000 }, (_, n) => String(9_000_000 + n));

  it('examines companies of the whole list, and does not call the number exact', async () => {
    await using client = new FilingClient({ baseUrl: service.service.url, apiKey: service.key });
    const { count, filings } = (await client.filingLookup({ to: 1000 })).value;
    const known = await planFor(unknown.slice(0, 499));
    expect(known).toMatchObject({ filings: 0, whole: true });
    expect(known.notes.join()).toMatch(/The service knows none of the 499 CIKs: 9000000, 9000001, 9000002, \.\.\./);
    const ciks = [...new Set(filings.map(({ cik }) => cik!))];
    expect(ciks.length).toBeGreaterThan(0);
    const plan = await planFor([...unknown, ...ciks]);
    expect(plan.whole).toBe(false);
    expect(plan.filings).toBeGreaterThan(0);
    expect(plan.filings).toBeLessThan(count! * 6);
    expect(plan.notes.join()).toMatch(/scaled from \d+ companies of 2,\d+ in the list/);
  });

  it('does not call nothing exact if it has examined a part', async () => {
    const plan = await planFor(unknown);
    expect(plan).toMatchObject({ filings: 0, whole: false });
    expect(plan.notes.join()).toMatch('scaled from 500 companies of 2,000 in the list');
  });
});
