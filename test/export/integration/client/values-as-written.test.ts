/** Values stay as the service wrote them: numbers in texts and in converted documents. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberText } from '../../../../src/export/client/member-text.ts';
import { ScriptedService } from '../../../support/client/scripted-service.ts';
import { filingOfLookup } from '../../../support/pipeline/activity-harness.ts';
import { runs } from '../../../support/property-runs.ts';

const NUMBER = '0000320193-24-000123';

describe('the text of a member', () => {
  it('is its value, wherever it stands', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    const spaces = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(members, fc.jsonValue(), spaces, (others, content, space) => {
        const body = Buffer.from(JSON.stringify({ ...others, content, ...others, z: 1 }, null, space));
        const all = JSON.parse(body.toString()) as Record<string, unknown>;
        for (const name of Object.keys(all)) expect(JSON.parse(memberText(body, name)!)).toEqual(all[name]);
        expect(memberText(body, 'no such member')).toBe(
          'no such member' in all ? memberText(body, 'no such member') : null,
        );
      }),
      { numRuns: runs(300) },
    );
  });

  it('is that of the last of two members, and may be spelled with escapes', () => {
    expect(memberText(Buffer.from('{"content":1,"\\u0063ontent" : 2.50 , "x":"content"}'), 'content')).toBe('2.50');
    expect(memberText(Buffer.from('{}'), 'content')).toBeNull();
  });
});

describe('a converted document', () => {
  it('keeps digits, order, repeated members and white space', async () => {
    const text = '{"shares":12345678901234567890, "price":1.10,"big":1e400,"dup":1,"dup":2,"10":"b","2":["a]}\\""]}';
    const body = `{"document_id":"${NUMBER}-1","accession_number":"${NUMBER}","encoding":"json","content":${text},"size":5}`;
    await using service = await ScriptedService.start({ body });
    const { value } = await service.client().document({ document_id: `${NUMBER}-1`, output_format: 'json' });
    expect(value.content_json).toBe(text);
    expect(value.content).toMatchObject({ dup: 2 });
  });
});

describe('a number in place of a text', () => {
  it('is the text that the service wrote, also for 8-K items, exhibits and codes with zeros in front', async () => {
    const party = `{"role":"filer","cik":320193,"name":1e400,"former_names":[],"state_of_incorporation":null,"fiscal_year_end":930,
      "sic":100,"irs_number":61234567,"file_number":1.10,"addresses":{}}`;
    const items = `[{"item":5.20,"title":7.0,"exhibits":[{"exhibit":99.10,"description":12345678901234567890},{"exhibit":10.20}]},{"item":5}]`;
    const body = `{"accession_number":"${NUMBER}","cik":320193.0,"form_type":"8-K","documents":[{"document_id":"${NUMBER}-1",
      "sequence":1.0,"size":1e3,"description":4.30}],"sections":[],"items_8k":${items},"parties":[${party}],"stranger":1}`;
    await using service = await ScriptedService.start({ body });
    const { value, notes } = await service.client().filingInfo(NUMBER);
    expect(value.items_8k!.map(({ item }) => item)).toEqual(['5.20', '5']);
    expect(value.items_8k![0]!.title).toBe('7');
    expect(value.items_8k![0]!.exhibits).toMatchObject([
      { exhibit: '99.10', description: '12345678901234567890' },
      { exhibit: '10.20' },
    ]);
    expect(value.documents).toMatchObject([{ sequence: 1, size: 1000, description: '4.30' }]);
    expect(value).toMatchObject({ cik: '320193', parties: [{ name: '1e400', sic: '0100', irs_number: '061234567' }] });
    expect(value.parties[0]).toMatchObject({ fiscal_year_end: '0930', file_number: '1.10' });
    expect(notes).toMatchObject({ violations: [], unknownMembers: ['filing_info.stranger'] });
    expect(service.asked).toHaveLength(1);
  });

  it('is an accession number with more digits than a number keeps', async () => {
    const body = '{"count":1,"truncated":false,"filings":[{"accession_number":999999999724000123,"form_type":10.50}]}';
    await using service = await ScriptedService.start({ body });
    const { value, notes } = await service.client().filingLookup({});
    expect(value.filings).toMatchObject([{ accession_number: '9999999997-24-000123', form_type: '10.50' }]);
    expect(notes.violations).toEqual([]);
  });
});

describe('JSON that is not UTF-8', () => {
  // Every member is there: the answer is stored unchanged.
  const pageOf = (entity_name: string) =>
    JSON.stringify({ count: 1, truncated: false, filings: [filingOfLookup(1, { entity_name })] });
  const named = (name: string, charset: 'utf8' | 'latin1') => Buffer.from(pageOf(name), charset);

  it.each(['', '; charset=ISO-8859-1', '; charset=utf-8'])(
    'may be UTF-8 in one text and windows-1252 in another, also if a server states%s by default',
    async (charset) => {
      const filing = { accession_number: NUMBER, entity_name: 'CAF#', form_type: 'Zürich' };
      const [before, after] = JSON.stringify({ count: 1, filings: [filing] }).split('#');
      const body = Buffer.concat([Buffer.from(before!), Buffer.from([0xc9]), Buffer.from(after!)]);
      await using service = await ScriptedService.start({
        body,
        headers: { 'content-type': `application/json${charset}` },
      });
      const { value } = await service.client().filingLookup({});
      expect(value.filings[0]).toMatchObject({ entity_name: 'CAFÉ', form_type: 'Zürich' });
    },
  );

  it.each([
    ['utf-16', 'utf16le', ''],
    ['utf-16le', 'utf16le', ''],
    ['utf-8', 'utf16le', ''],
    ['', 'utf16le', '\ufeff'],
    ['', 'utf8', '\ufeff'],
    ['iso-8859-1', 'latin1', ''],
    ['windows-1252', 'latin1', ''],
    ['iso-8859-1', 'utf8', ''],
    ['no-such-set', 'utf8', ''],
  ] as const)('is read as it states: charset "%s", written as %s', async (charset, written, mark) => {
    const text = pageOf('CAFÉ');
    const headers = { 'content-type': `application/json${charset === '' ? '' : `; charset="${charset}"`}` };
    await using service = await ScriptedService.start({ body: Buffer.from(`${mark}${text}`, written), headers });
    const { value, verbatim } = await service.client().filingLookup({});
    expect(value.filings[0]!.entity_name).toBe('CAFÉ');
    expect(verbatim?.toString('utf8')).toBe(text);
  });

  it('has other letters if another charset is stated', async () => {
    const [before, after] = pageOf('#').split('#');
    const body = Buffer.concat([Buffer.from(before!), Buffer.from([0xb1]), Buffer.from(after!)]);
    const headers = { 'content-type': 'application/json; charset=iso-8859-2' };
    await using service = await ScriptedService.start({ body, headers });
    expect((await service.client().filingLookup({})).value.filings[0]!.entity_name).toBe('ą');
  });

  it('is read as windows-1252, unless other characters in it are UTF-8', async () => {
    const [before, after] = pageOf('é#').split('#');
    const mixed = Buffer.concat([Buffer.from(before!), Buffer.from([0xe9]), Buffer.from(after!)]);
    await using service = await ScriptedService.start({ body: named('CAFÉ', 'latin1') }, { body: mixed });
    const client = service.client();
    const { value, verbatim } = await client.filingLookup({});
    expect([value.filings[0]!.entity_name, verbatim?.includes('CAFÉ')]).toEqual(['CAFÉ', true]);
    await expect(client.filingLookup({})).rejects.toMatchObject({
      code: 'contract-broken',
      message: expect.stringContaining('partly UTF-8 and partly not'),
    });
  });
});
