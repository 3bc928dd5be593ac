/** Documents and PDFs, in JSON and as bytes. */
import { describe, expect, it } from 'vitest';
import { LARGE_BYTES } from '../../../../src/export/client/transport.ts';
import { failure, ScriptedService } from '../../../support/client/scripted-service.ts';

const ACCESSION = '0000320193-24-000123';
const ID = `${ACCESSION}-2`;

describe('documents', () => {
  const id = `${ACCESSION}-2`;
  const record = {
    document_id: id,
    accession_number: ACCESSION,
    sequence: 2,
    type: 'EX-99.1',
    filename: 'a.htm',
    description: null,
    content_type: 'text/html',
    encoding: 'utf-8',
    size: 9,
    sha256: 'ab',
    content: '<p>x</p>\n',
  };

  it('come as JSON', async () => {
    await using service = await ScriptedService.start({ body: record });
    expect((await service.client().document({ document_id: id })).value).toEqual(record);
  });

  it('come with converted XML in them', async () => {
    const converted = { ...record, encoding: 'json', content: { ownershipDocument: { a: '1' } } };
    await using service = await ScriptedService.start({ body: converted });
    expect((await service.client().document({ document_id: id, output_format: 'json' })).value).toEqual({
      ...converted,
      content_json: JSON.stringify(converted.content),
    });
  });

  it.each([
    [
      'text/html; charset=utf-8',
      Buffer.from('é'),
      { encoding: 'utf-8', content: 'é', content_type: 'text/html', size: 2 },
    ],
    ['text/plain', Buffer.from([0x93, 0x61]), { encoding: 'utf-8', content: '“a', size: 2 }],
    ['image/jpeg', Buffer.from([255, 216]), { encoding: 'base64', content: '/9g=', size: 2 }],
    ['application/xml', Buffer.from('<a/>'), { encoding: 'utf-8', content: '<a/>' }],
  ])('come as bytes under %s', async (type, body, expected) => {
    await using service = await ScriptedService.start({ headers: { 'content-type': type }, body });
    const { value } = await service.client().document({ document_id: id });
    expect(value).toMatchObject({ document_id: id, accession_number: ACCESSION, sequence: 2, ...expected });
    expect(value.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('come as JSON that is declared as something else, and the envelope is not stored as the document', async () => {
    const headers = { 'content-type': 'image/png' };
    await using service = await ScriptedService.start({ headers, body: JSON.stringify(record) });
    expect((await service.client().document({ document_id: id })).value).toEqual(record);
  });

  it('that are JSON themselves come as bytes', async () => {
    const text = JSON.stringify({ content: 'of its own', version: '1' });
    await using service = await ScriptedService.start({ headers: { 'content-type': 'text/plain' }, body: text });
    expect((await service.client().document({ document_id: id })).value).toMatchObject({ content: text });
  });

  it('under other names and without values that the request stated', async () => {
    await using service = await ScriptedService.start({
      body: { id, fileName: 'a.htm', documentType: 'EX-1', content: 'abc' },
    });
    expect((await service.client().document({ document_id: id })).value).toMatchObject({
      document_id: id,
      filename: 'a.htm',
      type: 'EX-1',
      encoding: 'utf-8',
      content: 'abc',
      size: null,
    });
  });

  it.each([
    [{ ...record, content: undefined }, 'content'],
    ['null', 'the answer'],
    [{ ...record, encoding: 'base64', content: 'AAAA', size: 7 }, 'size'],
    [{ ...record, encoding: 'base64', content: 'error: gone', size: null }, 'content'],
    [{ ...record, encoding: 'zip' }, 'encoding'],
    [{ ...record, sequence: 'two' }, 'sequence'],
  ])('that break the contract are refused: %#', async (body, path) => {
    await using service = await ScriptedService.start({ body });
    expect(await failure(service.client().document({ document_id: id }))).toMatchObject({
      code: 'contract-broken',
      path,
    });
  });

  it('as PDF come as JSON or as bytes', async () => {
    const bytes = Buffer.from('%PDF-1.7 …');
    const body = { accession_number: ACCESSION, filename: 'x.pdf', pages: 3, content: bytes.toString('base64') };
    await using service = await ScriptedService.start(
      { body },
      { headers: { 'content-type': 'application/pdf' }, body: bytes },
    );
    const client = service.client();
    const asJson = (await client.pdf({ accession_number: ACCESSION })).value;
    expect(asJson).toMatchObject({ accession_number: ACCESSION, document_id: null, pages: 3, size: bytes.length });
    const asBytes = (await client.pdf({ document_id: id })).value;
    expect(asBytes).toMatchObject({ accession_number: ACCESSION, document_id: id, pages: null, sha256: asJson.sha256 });
  });
});

describe('a large answer', () => {
  it('is reported once, before the rest of it is read', async () => {
    const content = 'x'.repeat(LARGE_BYTES + 2_000_000);
    await using service = await ScriptedService.start({ body: { document_id: ID, content, encoding: 'utf-8' } });
    const told: number[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const onLarge = async (bytes: number) => {
      told.push(bytes);
      await held;
    };
    let isRead = false;
    const reading = service.client().document({ document_id: ID }, { onLarge });
    void reading.then(() => {
      isRead = true;
    });
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isRead).toBe(false);
    release();
    expect((await reading).value.content).toBe(content);
    expect(told).toHaveLength(1);
    expect(told[0]).toBeGreaterThan(content.length);
  });

  it('that is longer than the client accepts is an error of its own, and is not requested again', async () => {
    await using service = await ScriptedService.start({ body: { document_id: ID, content: 'x'.repeat(5_000) } });
    const asked = service.client({ bodyBytesMax: 4_000 }).document({ document_id: ID });
    await expect(asked).rejects.toMatchObject({ code: 'answer-too-long', bytesMax: 4_000 });
    expect(service.asked).toHaveLength(1);
  });
});
