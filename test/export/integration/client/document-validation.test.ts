import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentHabits, DocumentValidator } from '../../../../src/export/client/document-validation.ts';
import type { KnownOfDocument } from '../../../../src/export/client/index.ts';
import { decodeText } from '../../../../src/filings/documents/index.ts';
import { type Scripted, ScriptedService } from '../../../support/client/scripted-service.ts';
import { runs } from '../../../support/property-runs.ts';

const FILING = '0000320193-24-000123';
const id = (sequence: number) => `${FILING}-${sequence}`;
const HTML = '<html><body>Annual report</body></html>';

const bytes = (type: string, body: Buffer | string): Scripted => ({ headers: { 'content-type': type }, body });
const html = (body: string): Scripted => bytes('text/html; charset=utf-8', body);
const page = html('<!DOCTYPE html><title>Please wait</title>');
const empty = bytes('text/plain', '');
const digestOf = (source: Buffer | string) => createHash('sha256').update(source).digest('hex');
/** As the contract has it. @param source the file's bytes */
function asJson(sequence: number, content: string, source: Buffer | string = content, more: object = {}): Scripted {
  const size = Buffer.byteLength(source);
  const text = { encoding: 'utf-8', size, sha256: digestOf(source), content };
  return { body: { document_id: id(sequence), accession_number: FILING, ...text, ...more } };
}

/** Asks for documents one after the other, by clients that share what they learn, as the parts of an export do. */
async function asking(service: ScriptedService, count: number, known: KnownOfDocument = {}, format = 'raw') {
  const given: unknown[] = [];
  for (let sequence = 1; sequence <= count; sequence++) {
    const client = service.client({ retry: { attempts: 3 }, habits: service.habits });
    const answer = client.document({ document_id: id(sequence), output_format: format }, { known });
    given.push(await answer.then(({ value }) => value.content).catch((error: Error) => error.message));
  }
  return { given, asked: service.asked.map(({ query }) => Number(query.document_id!.slice(FILING.length + 1))) };
}

describe('a web page instead of a document', () => {
  const refused = "document answered 200 with a web page, not the service's answer";

  it('is not a document if the service sends documents as JSON: it is requested again', async () => {
    await using service = await ScriptedService.start(asJson(1, HTML), page, page, asJson(2, 'x'));
    expect(await asking(service, 2)).toEqual({ given: [HTML, 'x'], asked: [1, 2, 2, 2] });
  });

  it('is a fault if it is repeated', async () => {
    await using service = await ScriptedService.start(asJson(1, 'x'), page);
    expect(await asking(service, 2)).toEqual({ given: ['x', refused], asked: [1, 2, 2, 2] });
    const call = service.client({ retry: { attempts: 1 }, habits: service.habits }).document({ document_id: id(3) });
    await expect(call).rejects.toMatchObject({ code: 'service-failed', transient: true, status: 200 });
  });

  it('is never a document of a kind that is not a web page, whatever is known of the service', async () => {
    await using service = await ScriptedService.start(page);
    const { given } = await asking(service, 1, { filename: 'form4.xml' });
    expect(given).toEqual(['document answered 200 with a web page in place of the document']);
    const call = service.client().document({ accession_number: FILING, filename: 'a.jpg' });
    await expect(call).rejects.toMatchObject({ code: 'service-failed' });
  });

  it('is requested once more if it is the very first answer', async () => {
    await using service = await ScriptedService.start(page, asJson(1, HTML));
    expect(await asking(service, 1)).toEqual({ given: [HTML], asked: [1, 1] });
  });

  it('is not a document, even if one such page was accepted at first', async () => {
    await using service = await ScriptedService.start(page, page, asJson(2, HTML), page, asJson(3, 'x'));
    const { given, asked } = await asking(service, 3);
    expect(given.slice(1)).toEqual([HTML, 'x']);
    expect(asked).toEqual([1, 1, 2, 3, 3]);
  });
});

describe('a service that gives documents as bytes', () => {
  it.each(['a.htm', 'a.HTML', 'a.txt', 'xslF345X05/form4.xml', 'a', null])(
    'is accepted: one web page is requested twice, and no more (%s)',
    async (filename) => {
      const documents = [1, 2, 2, 3].map((n) => html(`<html>${n}</html>`));
      await using service = await ScriptedService.start(documents[0]!, ...documents);
      const { given, asked } = await asking(service, 4, { filename });
      expect(given).toEqual(['<html>1</html>', '<html>2</html>', '<html>2</html>', '<html>3</html>']);
      expect(asked).toEqual([1, 1, 2, 3, 4]);
    },
  );

  it('is not requested twice if the size of the document is known, or another text came before', async () => {
    await using service = await ScriptedService.start(html(HTML));
    expect(await asking(service, 3, { size: HTML.length })).toEqual({ given: [HTML, HTML, HTML], asked: [1, 2, 3] });
    await using other = await ScriptedService.start(bytes('text/plain', 'x'), html(HTML));
    expect(await asking(other, 3)).toEqual({ given: ['x', HTML, HTML], asked: [1, 2, 3] });
  });

  it('may give XML that it converted, and pictures, as JSON', async () => {
    const converted = asJson(1, '', '<a/>', { encoding: 'json', content: { a: '' } });
    const picture = asJson(2, 'eA==', 'x', { encoding: 'base64' });
    await using service = await ScriptedService.start(converted, picture);
    expect((await asking(service, 2, {}, 'json')).given).toEqual([{ a: '' }, 'eA==']);
    service.script = [html(HTML)];
    expect((await asking(service, 2)).given).toEqual([HTML, HTML]);
    // Documents other than XML may come in JSON, too, if conversion was requested.
    service.script = [asJson(1, 'x')];
    expect((await asking(service, 1, {}, 'json')).given).toEqual(['x']);
    service.script = [html(HTML)];
    expect((await asking(service, 2)).given).toEqual([HTML, HTML]);
  });
});

describe('an empty body', () => {
  const refused = 'document answered 200 with an empty body';

  it('is not a document: it is requested again, and is a fault if it is repeated', async () => {
    await using service = await ScriptedService.start(empty, bytes('text/html', ''), asJson(1, 'x'), empty);
    expect(await asking(service, 2)).toEqual({ given: ['x', refused], asked: [1, 1, 1, 2, 2, 2] });
  });

  it('is an empty document if that is known', async () => {
    await using service = await ScriptedService.start(empty);
    expect(await asking(service, 2, { size: 0 })).toEqual({ given: ['', ''], asked: [1, 2] });
  });

  it('is a document if it comes twice from a service that sends documents as bytes', async () => {
    await using service = await ScriptedService.start(bytes('text/plain', 'x'), empty, empty, empty, page);
    const { given, asked } = await asking(service, 2);
    expect(given).toEqual(['x', '']);
    expect(asked).toEqual([1, 2, 2]);
  });

  it('is not judged by what another service at the same address did before', async () => {
    const before = await ScriptedService.start(bytes('text/plain', 'x'));
    const { port } = new URL(before.url);
    await asking(before, 1);
    await before[Symbol.asyncDispose]();
    await using service = await ScriptedService.startAt(Number(port), empty, bytes('text/html', ''), asJson(1, 'x'));
    expect(await asking(service, 1)).toEqual({ given: ['x'], asked: [1, 1, 1] });
  });

  it('is a document in JSON, whose size confirms it', async () => {
    await using service = await ScriptedService.start(asJson(1, ''));
    expect(await asking(service, 1)).toEqual({ given: [''], asked: [1] });
  });
});

describe('bytes that are fewer than the service stated before', () => {
  const WHOLE = 'The whole text.';
  const cut = WHOLE.slice(0, 5);
  const size = WHOLE.length;

  it.each(['text/plain', 'text/html'])(
    'are requested again: the connection may have closed early (%s)',
    async (type) => {
      const [short, whole] = [bytes(type, cut), bytes(type, WHOLE)];
      await using service = await ScriptedService.start(short, whole, short, whole);
      expect(await asking(service, 2, { size })).toEqual({ given: [WHOLE, WHOLE], asked: [1, 1, 2, 2] });
    },
  );

  it('are the document if they come twice, unless the service has given another of the stated size', async () => {
    await using service = await ScriptedService.start(bytes('text/plain', cut));
    expect(await asking(service, 3, { size })).toEqual({ given: [cut, cut, cut], asked: [1, 1, 2, 3] });
    await using before = await ScriptedService.start(bytes('text/plain', WHOLE), bytes('text/plain', cut));
    const refused = 'document answered content = "5 bytes": the size of the document is 15 bytes';
    expect(await asking(before, 3, { size })).toEqual({ given: [WHOLE, refused, refused], asked: [1, 2, 2, 3, 3] });
  });

  it('are the document if only their line ends or their encoding differ, or no size is known', async () => {
    const asLatin = bytes('text/plain', Buffer.from('a\nb\u00e9', 'latin1'));
    await using service = await ScriptedService.start(bytes('text/plain', WHOLE), asLatin);
    expect((await asking(service, 1, { size })).given).toEqual([WHOLE]);
    expect(await asking(service, 1, { size: 5 })).toMatchObject({ given: ['a\nb\u00e9'], asked: [1, 1] });
    expect((await asking(service, 1, { size: 0 })).asked).toHaveLength(3);
  });
});

describe('base64 whose bytes have another sha256 than the answer states', () => {
  const picture = (sequence: number, content: string, source: string) =>
    asJson(sequence, Buffer.from(content).toString('base64'), source, { encoding: 'base64', size: content.length });
  const given = (...contents: string[]) => contents.map((content) => Buffer.from(content).toString('base64'));

  it('is requested again', async () => {
    await using service = await ScriptedService.start(picture(1, 'bxtes', 'bytes'), picture(1, 'bytes', 'bytes'));
    expect(await asking(service, 1)).toEqual({ given: given('bytes'), asked: [1, 1] });
  });

  it('is the document if it comes twice, and nothing more is requested of a service with other digests', async () => {
    const [first, second] = [picture(1, 'a', 'of something else'), picture(2, 'b', 'of something else')];
    await using service = await ScriptedService.start(first, first, second);
    expect(await asking(service, 2)).toEqual({ given: given('a', 'b'), asked: [1, 1, 2] });
  });
});

describe('a text that is not of the size and sha256 beside it', () => {
  const WHOLE = 'The whole text.\n';
  const cut = (sequence: number, more: object = {}) => asJson(sequence, WHOLE.slice(0, 5), WHOLE, more);
  const refused = "document answered 200 with content that does not match the answer's size and sha256";

  it('is requested again, also as the very first answer', async () => {
    await using service = await ScriptedService.start(cut(1), asJson(1, WHOLE), cut(2), cut(2), asJson(2, WHOLE));
    expect(await asking(service, 2)).toEqual({ given: [WHOLE, WHOLE], asked: [1, 1, 2, 2, 2] });
  });

  it('is a fault if it is repeated, and the service measured the text of another document', async () => {
    await using service = await ScriptedService.start(asJson(1, WHOLE), cut(2));
    expect(await asking(service, 2)).toEqual({ given: [WHOLE, refused], asked: [1, 2, 2, 2] });
    await using bySize = await ScriptedService.start(asJson(1, WHOLE, WHOLE, { sha256: null }), cut(2, { sha256: '' }));
    expect((await asking(bySize, 2)).given).toEqual([WHOLE, refused]);
    const swapped = asJson(2, WHOLE.toLowerCase(), WHOLE);
    await using byDigest = await ScriptedService.start(asJson(1, WHOLE), swapped);
    expect((await asking(byDigest, 2)).given).toEqual([WHOLE, refused]);
  });

  it('is taken from a service whose size and sha256 are of something else', async () => {
    const trimmed = (n: number) => asJson(n, WHOLE.trim(), `<TEXT>${WHOLE}</TEXT>`);
    await using service = await ScriptedService.start(trimmed(1), trimmed(1), trimmed(2), trimmed(3), asJson(4, WHOLE));
    const { given, asked } = await asking(service, 4);
    expect(given).toEqual([...Array(3).fill(WHOLE.trim()), WHOLE]);
    expect(asked).toEqual([1, 1, 2, 3, 4]);
  });

  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  it.each<[string, string, Buffer]>([
    ['windows-1252', '“é” – \u0081\n', Buffer.from([0x93, 0xe9, 0x94, 0x20, 0x96, 0x20, 0x81, 0x0a])],
    ['windows-1252 read as latin-1', '\u0093é\n', Buffer.from([0x93, 0xe9, 0x0a])],
    ['UTF-8', '“é” 中\n', Buffer.from('“é” 中\n')],
    ['UTF-8 with its mark', '\ufeffé', Buffer.concat([mark, Buffer.from('é')])],
    ['UTF-8 whose mark was dropped', 'é', Buffer.concat([mark, Buffer.from('é')])],
    ['other line ends', 'a\nb\n', Buffer.from('a\r\nb\r\n')],
    ['bytes that could not be read', 'a\ufffd', Buffer.from([0x61, 0x93])],
  ])('does not include a text that was read from %s', async (_name, text, source) => {
    for (const more of [{}, { sha256: null }]) {
      await using service = await ScriptedService.start(asJson(1, WHOLE), asJson(2, text, source, more));
      expect(await asking(service, 2)).toEqual({ given: [WHOLE, text], asked: [1, 2] });
    }
  });

  it('does not include a service that reads texts as in the contract, whatever the bytes', () => {
    const body = Buffer.from('{}');
    const doubts = new DocumentValidator(new DocumentHabits(), {});
    doubts.ofText(body, WHOLE, WHOLE.length, digestOf(WHOLE));
    const latin = fc
      .array(fc.constantFrom(...'a\r\n', '\x80', '\x81', '\x93', '\xe9', '\xff'))
      .map((all) => all.join(''));
    const sources = fc.oneof(
      fc.uint8Array().map((all) => Buffer.from(all)),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      latin.map((text) => Buffer.from(text, 'latin1')),
    );
    fc.assert(
      fc.property(sources, (source) => {
        const { text } = decodeText(source);
        doubts.ofText(body, text, source.length, digestOf(source));
        doubts.ofText(body, text, source.length, null);
        // A text that is cut is doubtful, so that the law above is not empty.
        const whole = `x${text}`;
        const cut = () => doubts.ofText(body, text, Buffer.byteLength(whole), digestOf(whole));
        if (!text.includes('\ufffd')) expect(cut).toThrow('size and sha256');
      }),
      { numRuns: runs(500) },
    );
  });

  it('does not include a converted text, or one without either value', async () => {
    const neither = asJson(2, 'x', WHOLE, { size: null, sha256: null });
    await using service = await ScriptedService.start(asJson(1, WHOLE), neither);
    expect((await asking(service, 2)).given).toEqual([WHOLE, 'x']);
    service.script = [asJson(1, '{"a":""}', '<a/>')];
    expect((await asking(service, 1, {}, 'json')).given).toEqual(['{"a":""}']);
  });
});

describe('a text in JSON without size and sha256, whose size the lookup or filing_info states', () => {
  const WHOLE = 'The whole text, caf\u00e9.\n';
  const size = Buffer.byteLength(WHOLE);
  const plain = (content: string, more: object = {}): Scripted => ({ body: { content, ...more } });
  const isCut = (length: number) =>
    `document answered content = "${length} bytes": the size of the document is ${size} bytes`;

  it.each([WHOLE.slice(0, 10), ''])('is a fault of its record if it is cut or empty, and repeated: %j', async (cut) => {
    await using service = await ScriptedService.start(plain(WHOLE), plain(cut), plain(cut), plain(WHOLE));
    expect(await asking(service, 3, { size })).toEqual({
      given: [WHOLE, isCut(cut.length), WHOLE],
      asked: [1, 2, 2, 3],
    });
    await using first = await ScriptedService.start(plain(cut));
    expect(await asking(first, 1, { size })).toEqual({ given: [isCut(cut.length)], asked: [1, 1] });
  });

  it('is whole if it was cut once', async () => {
    await using service = await ScriptedService.start(plain(WHOLE.slice(0, 10)), plain(WHOLE));
    expect(await asking(service, 1, { size })).toEqual({ given: [WHOLE], asked: [1, 1] });
  });

  it('may have another encoding or line end, be longer, be empty by its size, or of unknown size', async () => {
    for (const stated of [size, size - 1, size + 1, 10, 0, null]) {
      await using service = await ScriptedService.start(plain(WHOLE));
      expect(await asking(service, 1, { size: stated })).toEqual({ given: [WHOLE], asked: [1] });
    }
    await using service = await ScriptedService.start(plain(''));
    expect((await asking(service, 1, { size: 0 })).given).toEqual(['']);
  });

  it('is taken from a service whose sizes are of something else, after three texts of other lengths', async () => {
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee'].map((text) => plain(text));
    await using service = await ScriptedService.start(
      ...texts.slice(0, 2).flatMap((one) => [one, one]),
      texts[2]!,
      ...texts.slice(2),
    );
    expect((await asking(service, 5, { size: 500 })).given.slice(2)).toEqual(['ccc', 'dddd', 'eeeee']);
  });

  it('is a fault of each record if all are cut to a number of characters, or at the end of a word', async () => {
    const texts = ['a'.repeat(100), 'é'.repeat(2) + 'a'.repeat(98), `“a”${'a'.repeat(97)}`, 'a'.repeat(97)];
    await using service = await ScriptedService.start(...texts.flatMap((one) => [plain(one), plain(one)]));
    const { given } = await asking(service, 4, { size: 500 });
    expect(given).toEqual(texts.map(() => expect.stringContaining('the size of the document is 500 bytes')));
  });

  it.each([true, 'true'])('is never taken if the answer says that it is cut short: %j', async (truncated) => {
    await using service = await ScriptedService.start(plain(WHOLE, { truncated }));
    const { given } = await asking(service, 1);
    expect(given).toEqual([expect.stringContaining('the answer is cut short')]);
    const sections = { accession_number: FILING, sections: [{ section: '1', html: 'x' }], truncated };
    await using cut = await ScriptedService.start({ body: sections });
    const asked = cut.client().filingSections({ accession_number: FILING, form_type: '10-K' });
    await expect(asked).rejects.toMatchObject({ code: 'contract-broken', path: 'truncated' });
  });
});
