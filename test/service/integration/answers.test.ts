import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EntityEnvelope,
  type Filing,
  type FilingEnvelope,
  OPERATIONS,
  type OperationName,
} from '../../../src/filings/api/index.ts';
import { readableText, readParts } from '../../../src/filings/documents/index.ts';
import { FOREIGN, FOREIGN_ITEMS, FOREIGN_REPORTS, FOREIGN_WITHOUT } from '../../support/service/foreign-reports.ts';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL, CURRENT, OWNERSHIP, PICTURE, QUARTERLY, TYPED } from '../../support/service/small-catalog.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ more: 30 });
});
afterAll(() => service.stop());

describe('every answer', () => {
  it.each<[OperationName, string]>([
    ['entity_lookup', 'states=DE'],
    ['filing_lookup', ''],
    ['fulltext_search', 'query=widgets'],
    ['fulltext_search', 'query=company+makes&query_type=match_phrase'],
    ['fulltext_search', 'query=(report+OR+annual*)+NOT+zzzz&query_type=query_string'],
    ['document', `accession_number=${ANNUAL}`],
    ['document', `document_id=${ANNUAL}-3`],
    ['document', `document_id=${OWNERSHIP}-1&output_format=json`],
    ['filing_info', `accession_number=${CURRENT}`],
    ['filing_sections', `accession_number=${ANNUAL}`],
    ['filing_sections', `accession_number=${QUARTERLY}&form_type=10-Q`],
  ])('of %s?%s is as the contract has it', async (operation, query) => {
    const { status, json, headers } = await service.get(operation, query);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const parsed = OPERATIONS[operation].answer.safeParse(json);
    expect(parsed.error).toBeUndefined();
    expect(parsed.data).toEqual(json);
  });

  it('is the same for GET with query, GET with body, POST, and a mix', async () => {
    const asked = { api_key: service.key, entity_query: { ciks: ['0000100001'] }, form_types: ['10-k'] };
    const { api_key, ...rest } = asked;
    const query = `entity_query.ciks=100001&form_types=10-K`;
    const answers = await Promise.all([
      service.get('filing_lookup', query),
      service.ask('/v2/filing_lookup', { body: asked }),
      service.ask('/v2/filing_lookup', { method: 'POST', body: asked }),
      service.ask(`/v2/filing_lookup?api_key=${api_key}`, { method: 'POST', body: rest }),
      service.ask(`/v2/filing_lookup?api_key=${api_key}&form_types=10-K`, {
        body: { entity_query: { ciks: '100001' }, form_types: ['10-K'] },
      }),
    ]);
    for (const answer of answers) expect(answer.json).toEqual(answers[0]!.json);
    expect((answers[0]!.json as FilingEnvelope).filings.map((filing) => filing.accession_number)).toEqual([ANNUAL]);
  });

  it('of filing_info states the facts that filing_lookup states', async () => {
    const infoOf = async (number: string) => (await service.get('filing_info', `accession_number=${number}`)).json;
    const facts = ({
      accession_number,
      cik,
      form_type,
      filing_date,
      acceptance_datetime,
      revision,
      documents,
    }: Filing) => ({
      ...{ accession_number, cik, form_type, filing_date, acceptance_datetime, revision },
      documents: documents.map(({ document_id }) => document_id),
    });
    const { filings } = (await service.get('filing_lookup', '')).json as FilingEnvelope;
    for (const filing of filings) {
      expect(facts((await infoOf(filing.accession_number)) as Filing)).toEqual(facts(filing));
      const named = filing.documents.map(({ sequence }) => `${filing.accession_number}-${sequence}`);
      expect(facts(filing).documents).toEqual(named);
    }
    expect(await infoOf(ANNUAL)).toMatchObject({ items_8k: null, sections: expect.any(Array) });
    expect(await infoOf(CURRENT)).toMatchObject({ items_8k: [{ item: '2.02' }, { item: '9.01' }] });
  });

  it("keeps the caller's X-Request-Id if it is plain, and makes one if not", async () => {
    const idOf = async (id: string) =>
      (await service.ask('/healthz', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idOf('run-7.batch_3')).toBe('run-7.batch_3');
    expect(await idOf('a'.repeat(64))).toBe('a'.repeat(64));
    for (const id of ['a'.repeat(65), 'with space', 'semi;colon']) expect(await idOf(id)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('of a document with text_format is its readable text, under an ETag of its own', async () => {
    const of = (query: string) => service.get('document', query);
    const [whole, plain, markdown] = await Promise.all(
      ['', '&text_format=plain', '&text_format=markdown'].map((format) => of(`accession_number=${ANNUAL}${format}`)),
    );
    const content = (answer: typeof whole) => (answer!.json as { content: string }).content;
    expect(content(plain)).toBe(readableText(content(whole), 'text/html'));
    const { text } = readParts(content(whole), 'text/html', { type: '10-K', format: 'markdown' });
    expect(content(markdown)).toBe(text);
    expect(text).toMatch(/^#+ .*Item 1\b/m);
    expect(new Set([whole, plain, markdown].map((answer) => answer!.headers.etag)).size).toBe(3);
    const form = content(await of(`document_id=${OWNERSHIP}-1&text_format=plain`));
    expect(form).toMatch(/^\w+: \S/m);
    expect(form).not.toContain('<');
    const picture = await of(`document_id=${ANNUAL}-3&text_format=plain`);
    expect([picture.status, JSON.stringify(picture.json)]).toEqual([422, expect.stringContaining('text_format')]);
  });

  it('of HEAD has the headers of GET and no body', async () => {
    const query = `accession_number=${ANNUAL}`;
    const get = await service.get('filing_info', query);
    const head = await service.get('filing_info', query, { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-length', 'content-type', 'etag']) expect(head.headers[name]).toBe(get.headers[name]);
    expect((await service.get('filing_info', '', { method: 'HEAD' })).status).toBe(400);
    // HTTP clients drop what comes behind the headers of a HEAD.
    const socket = connect(service.service.port, '127.0.0.1');
    const path = `/v2/filing_info?api_key=${service.key}&${query}`;
    socket.write(`HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const raw = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString('latin1');
    expect(raw).toMatch(/^HTTP\/1\.1 200 /);
    expect(raw.slice(raw.indexOf('\r\n\r\n'))).toBe('\r\n\r\n');
  });
});

describe('compression', () => {
  const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

  it.each(Object.keys(decoders) as (keyof typeof decoders)[])('by %s gives the same bytes', async (coding) => {
    const plain = await service.get('filing_lookup', '');
    const packed = await service.get('filing_lookup', '', { headers: { 'accept-encoding': coding } });
    expect(packed.headers['content-encoding']).toBe(coding);
    expect(packed.headers.vary).toContain('Accept-Encoding');
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
    expect(decoders[coding](packed.bytes)).toEqual(plain.bytes);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('sends a stored frame unchanged', async () => {
    const accept = { accept: 'text/html' };
    const plain = await service.get('document', `accession_number=${ANNUAL}`, { headers: accept });
    const packed = await service.get('document', `accession_number=${ANNUAL}`, {
      headers: { ...accept, 'accept-encoding': 'zstd' },
    });
    expect(packed.headers['content-encoding']).toBe('zstd');
    expect(zstdDecompressSync(packed.bytes)).toEqual(plain.bytes);
    expect(packed.headers.etag).toBe(plain.headers.etag);
  });

  it('is left out if it saves nothing', async () => {
    const small = await service.get('filing_lookup', 'from=0&to=0', { headers: { 'accept-encoding': 'zstd' } });
    expect(small.headers['content-encoding']).toBeUndefined();
    const picture = await service.get('document', `document_id=${ANNUAL}-3`, {
      headers: { accept: 'image/gif', 'accept-encoding': 'gzip' },
    });
    expect(picture.headers['content-encoding']).toBeUndefined();
    expect(picture.bytes).toEqual(PICTURE);
  });
});

describe('a conditional request', () => {
  it.each<[OperationName, string]>([
    ['document', `accession_number=${ANNUAL}`],
    ['filing_info', `accession_number=${ANNUAL}`],
    ['filing_sections', `accession_number=${ANNUAL}`],
  ])('of %s is 304 while nothing has changed', async (operation, query) => {
    const first = await service.get(operation, query);
    expect(first.headers.etag).toMatch(/^W\/"[\w-]{27}"$/);
    const again = await service.get(operation, query, { headers: { 'if-none-match': String(first.headers.etag) } });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, first.headers.etag]);
    const other = await service.get(operation, query, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
    const headers = { 'if-none-match': String(first.headers.etag) };
    expect((await service.get(operation, query.replace(ANNUAL, QUARTERLY), { headers })).status).toBe(200);
  });

  it('has no tag on lists', async () => {
    expect((await service.get('filing_lookup', '')).headers.etag).toBeUndefined();
  });

  it('tells JSON, bytes and styles apart', async () => {
    const tag = async (query: string, accept = '*/*') =>
      (await service.get('document', `document_id=${OWNERSHIP}-1&${query}`, { headers: { accept } })).headers.etag;
    const tags = [
      await tag('output_format=raw'),
      await tag('output_format=json'),
      await tag('output_format=json&xml_style=ordered'),
      await tag('output_format=raw', 'application/xml'),
    ];
    expect(new Set(tags).size).toBe(4);
  });
});

describe('pages', () => {
  async function walk(query: string, service_: TestService): Promise<{ seen: string[]; pages: FilingEnvelope[] }> {
    const pages: FilingEnvelope[] = [];
    const seen: string[] = [];
    for (;;) {
      const page = (await service_.get('filing_lookup', `${query}&from=${seen.length}&to=10000`))
        .json as FilingEnvelope;
      pages.push(page);
      seen.push(...page.filings.map((filing) => filing.accession_number));
      if (!page.truncated) return { seen, pages };
    }
  }

  it('cut short at the size limit give everything once, in one order', async () => {
    const whole = await walk('sort_by=form', service);
    expect(whole.pages).toHaveLength(1);
    const narrow = await TestService.start({ more: 30, limits: { maxResponseBytes: 2_000 } });
    try {
      const cut = await walk('sort_by=form', narrow);
      expect(cut.pages.length).toBeGreaterThan(3);
      expect(cut.seen).toEqual(whole.seen);
      for (const page of cut.pages) {
        expect(page.count).toBe(36);
        expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(2_000);
      }
      const hits = (await narrow.get('fulltext_search', 'query=note&to=100')).json as {
        truncated: boolean;
        hits: unknown[];
        total_hits: number;
      };
      expect(hits.truncated).toBe(true);
      expect(hits.total_hits).toBe(30);
      expect(hits.hits.length).toBeLessThan(30);
      expect(Buffer.byteLength(JSON.stringify(hits))).toBeLessThanOrEqual(2_000);
    } finally {
      await narrow.stop();
    }
  });

  it('of no rows tell how many there are', async () => {
    expect((await service.get('filing_lookup', 'from=0&to=0')).json).toEqual({
      count: 36,
      filings: [],
      truncated: false,
    });
    expect((await service.get('entity_lookup', 'states=de&from=3&to=3')).json).toMatchObject({
      entities: [],
      truncated: false,
      response_bytes: 2,
    });
  });

  it('of entities tell the bytes of their array', async () => {
    const answer = (await service.get('entity_lookup', 'states=DE')).json as EntityEnvelope;
    expect(answer.response_bytes).toBe(Buffer.byteLength(JSON.stringify(answer.entities)));
    expect(answer.entities.map((entity) => entity.cik)).toEqual(['100001', '100002', '100003', '100004', '100009']);
  });
});

describe('document', () => {
  it('is text, or base64 if it is not text', async () => {
    const page = (await service.get('document', `accession_number=${ANNUAL}`)).json as Record<string, unknown>;
    expect(page).toMatchObject({
      document_id: `${ANNUAL}-1`,
      sequence: 1,
      encoding: 'utf-8',
      content_type: 'text/html',
      filename: 'annual.htm',
    });
    expect(page.content).toContain('caf\u00e9');
    const picture = (await service.get('document', `accession_number=${ANNUAL}&filename=LOGO.GIF`)).json;
    expect(picture).toMatchObject({
      encoding: 'base64',
      content: PICTURE.toString('base64'),
      size: PICTURE.length,
      content_type: 'image/gif',
    });
  });

  it('of XML is JSON on request, in either style, and text otherwise', async () => {
    const of = async (query: string) =>
      (await service.get('document', `document_id=${OWNERSHIP}-1&${query}`)).json as {
        encoding: string;
        content: unknown;
      };
    const simple = await of('output_format=json');
    expect(simple.encoding).toBe('json');
    expect(simple.content).toMatchObject({
      ownershipDocument: {
        schemaVersion: 'X0306',
        transaction: [
          { '@code': 'P', shares: '10' },
          { '@code': 'S', shares: '20' },
        ],
      },
    });
    expect(await of('output_format=json&xml_style=ordered')).toMatchObject({
      encoding: 'json',
      content: { name: 'ownershipDocument' },
    });
    for (const query of ['output_format=raw', 'output_format=json&convert_xml_to_json=false']) {
      expect(await of(query)).toMatchObject({
        encoding: 'utf-8',
        content: expect.stringContaining('<ownershipDocument>'),
      });
    }
    const html = (await service.get('document', `accession_number=${ANNUAL}&output_format=json`)).json;
    expect(html).toMatchObject({ encoding: 'utf-8' });
  });

  it('has no ranges: the whole document is given, and counted', async () => {
    const key = service.newKey('unlimited');
    const path = `/v2/document?api_key=${key}&accession_number=${ANNUAL}`;
    const accept = 'application/octet-stream';
    const whole = await service.ask(path, { headers: { accept } });
    for (const range of ['bytes=0-9', 'bytes=-5', 'bytes=999999999-', 'bytes=0-1,4-5', 'lines=1-2']) {
      const answer = await service.ask(path, { headers: { accept, range, 'if-range': String(whole.headers.etag) } });
      expect([range, answer.status, answer.headers['accept-ranges']]).toEqual([range, 200, 'none']);
      expect(answer.bytes.equals(whole.bytes)).toBe(true);
    }
    const usage = await service.ask(`/v2/usage?api_key=${key}`);
    expect(usage.json).toMatchObject({ requests: 6, bytes: 6 * whole.bytes.length });
  });

  it('gives its bytes to an Accept that asks for them, shut off from everything', async () => {
    const answer = await service.get('document', `accession_number=${ANNUAL}`, { headers: { accept: 'text/html' } });
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['content-disposition']).toBe('inline; filename="annual.htm"');
    const json = (await service.get('document', `accession_number=${ANNUAL}`)).json as {
      content: string;
      size: number;
      sha256: string;
    };
    expect(answer.bytes.toString('utf8')).toBe(json.content);
    expect(answer.bytes.length).toBe(json.size);
    expect(json.sha256).toBe(createHash('sha256').update(answer.bytes).digest('hex'));
    const octets = await service.get('document', `document_id=${ANNUAL}-3`, {
      headers: { accept: 'application/octet-stream' },
    });
    expect(octets.bytes).toEqual(PICTURE);
  });
});

describe('filing_sections', () => {
  type Sections = { form_type: string; sections: { section: string; html: string }[] };
  const of = async (query: string) => (await service.get('filing_sections', query)).json as Sections;

  it('gives the sections that filing_info lists, with their contents', async () => {
    const info = (await service.get('filing_info', `accession_number=${ANNUAL}`)).json as {
      sections: { section: string; start_index: number; end_index: number }[];
    };
    const { content } = (await service.get('document', `accession_number=${ANNUAL}`)).json as { content: string };
    const { sections } = await of(`accession_number=${ANNUAL}`);
    expect(sections.map((section) => section.section)).toEqual(['1', '1A', '2', '7', '8']);
    expect(info.sections.map((section) => section.section)).toEqual(['1', '1A', '2', '7', '8']);
    for (const [index, { start_index, end_index }] of info.sections.entries()) {
      expect(sections[index]!.html).toContain(content.slice(start_index, end_index).trim().slice(0, 40));
    }
  });

  it('reads another document, and another table of codes, on request', async () => {
    expect((await of(`document_id=${ANNUAL}-1`)).sections).toHaveLength(5);
    expect((await of(`document_id=${ANNUAL}-2`)).sections).toEqual([]);
    expect((await of(`accession_number=${QUARTERLY}`)).sections.map((section) => section.section)).toEqual([
      'I-1',
      'II-1',
    ]);
    expect((await of(`accession_number=${QUARTERLY}&form_type=10-K`)).form_type).toBe('10-Q');
    expect(
      (await of(`accession_number=${TYPED}&form_type=10-K405`)).sections.map((section) => section.section),
    ).toEqual(['1', '2', '3']);
  });
});

describe('a 20-F', () => {
  let foreign: TestService;
  beforeAll(async () => {
    foreign = await TestService.start({ others: FOREIGN_REPORTS });
  });
  afterAll(() => foreign.stop());
  type Sections = { sections: { section: string; title: string; html: string }[] };
  const of = (query: string) => foreign.get('filing_sections', query);

  it('has its items in filing_info and in filing_sections, with its form type and without', async () => {
    const { json: info } = await foreign.get('filing_info', `accession_number=${FOREIGN}`);
    expect((info as Sections).sections.map(({ section }) => section)).toEqual(FOREIGN_ITEMS);
    const answers = await Promise.all(
      ['', '&form_type=20-F', '&form_type=20-F/A'].map((more) => of(`accession_number=${FOREIGN}${more}`)),
    );
    for (const { json } of answers) {
      const { sections } = json as Sections;
      expect(sections.map(({ section }) => section)).toEqual(FOREIGN_ITEMS);
      for (const { title, html } of sections) expect(html).toContain(title);
    }
  });

  it('whose items are not found has an empty list of them', async () => {
    for (const operation of ['filing_info', 'filing_sections'])
      expect((await foreign.get(operation, `accession_number=${FOREIGN_WITHOUT}`)).json).toMatchObject({
        sections: [],
      });
  });

  it.each([
    [FOREIGN, '10-K', 'form 20-F has no sections of form 10-K'],
    [ANNUAL, '20-F', 'form 10-K has no sections of form 20-F'],
    [OWNERSHIP, '20-F', 'form 4 has no sections'],
  ])('is not read as another form, nor another form as a 20-F: %s as %s', async (number, form, error) => {
    const { status, json } = await of(`accession_number=${number}&form_type=${form}`);
    expect([status, json]).toEqual([404, expect.objectContaining({ error })]);
  });
});
