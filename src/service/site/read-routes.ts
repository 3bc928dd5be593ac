/** The pages that show filings: search, a company, a filing, its sections, documents and PDF. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvRecords } from '../../core/index.ts';
import { type Filing, isEightK } from '../../filings/api/index.ts';
import { notFound, ServiceProblem } from '../answers/problem.ts';
import {
  companyPage,
  type ExportSelection,
  exportYaml,
  filedPage,
  filingPage,
  homePage,
  type OwnersReport,
  sectionDocument,
} from '../pages/index.ts';
import { PAGE_SIZE, positionOf, searchRoute, unlessBusy } from './search-route.ts';
import { sendFiled, sendPage, toAccount, toDocument } from './send.ts';
import type { SiteParts } from './site-parts.ts';
import { queryOf, visitorOf } from './visit.ts';

const DAYS_SHOWN = 10;
const ANNUAL_FORMS = ['10-K', '10-KT', '10-K405', '20-F', '40-F'];
const QUARTERLY_FORMS = ['10-Q', '10-QT'];
const OWNERS_FORMS = [
  ['4', '4/A', '3', '3/A', '5', '5/A'],
  ['SCHEDULE 13D', 'SCHEDULE 13D/A', 'SCHEDULE 13G', 'SCHEDULE 13G/A', 'SC 13D', 'SC 13D/A', 'SC 13G', 'SC 13G/A'],
];
const HOLDINGS_FORMS = ['13F-HR', '13F-HR/A'];
const OWNERS_READ = 20;
const NAMES_READ = 8;
/** Schedules that are asked for the CUSIPs of a company, and reports of managers that are looked through. */
const SCHEDULES_READ = 3;
const HOLDINGS_LISTED = 100;
/** A search has at most 64 words. */
const CUSIPS_READ = 8;
/** A report has two or three years. */
const ANNUAL_REPORTS = 4;
const DOCUMENT_BYTES_MAX = 8 * 1024 * 1024;
const TARGET_STYLE =
  '<style>:target { background: #ffe58a !important; outline: 2px solid #b58900; scroll-margin-top: 6rem }</style>';
const PICTURES = new Set(['image/gif', 'image/jpeg', 'image/png']);

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export function readRoutes(parts: SiteParts): Record<string, Handler> {
  const { looks, desk, pdfs, pending, totals, now, addressOf } = parts;
  const yaml = (selection: ExportSelection) => exportYaml({ ...selection, address: addressOf('/') });

  const home: Handler = async (request, reply) => {
    const date_from = new Date(now().getTime() - DAYS_SHOWN * 86_400_000).toISOString().slice(0, 10);
    const { days } = await looks.look('coverage', { date_from, to: DAYS_SHOWN }, request, reply);
    return sendPage(reply, homePage({ ...totals, days: days.reverse(), address: addressOf('/') }));
  };

  /** Values of the newest annual reports. */
  async function statementsOf(cik: string, request: FastifyRequest, reply: FastifyReply) {
    const filters = { entity_query: { ciks: [cik] }, form_types: ANNUAL_FORMS, exclude_amendments: true };
    const { filings } = await looks.look('filing_lookup', { ...filters, to: ANNUAL_REPORTS }, request, reply);
    const values = [];
    for (const filing of filings) values.push(...(await looks.statements(filing, request, reply)));
    return values;
  }

  /** Who reported to own shares of a company: the newest report of each. */
  async function ownersOf(cik: string, request: FastifyRequest, reply: FastifyReply): Promise<OwnersReport[]> {
    const found = new Map<string, OwnersReport>();
    for (const form_types of OWNERS_FORMS) {
      const filters = { entity_query: { ciks: [cik] }, form_types, to: OWNERS_READ };
      const { filings } = await looks.look('filing_lookup', filters, request, reply);
      for (const { accession_number, form_type, filing_date } of filings) {
        const { parties } = await looks.look('filing_info', { accession_number }, request, reply);
        const isOf = parties.some((party) => party.cik === cik && /^(?:issuer|subject_company)$/.test(party.role));
        const owners = parties.filter(({ role }) => role === 'reporting_owner' || role === 'filed_by');
        const key = `${form_types[0]} ${owners.map((owner) => owner.cik).join()}`;
        if (isOf && owners.length > 0 && !found.has(key))
          found.set(key, { accession_number, form_type, filing_date, owners });
      }
    }
    return [...found.values()];
  }

  /** Rows of a table of a filing's form; none if it has not the table. */
  async function rowsOf(accession_number: string, name: string, request: FastifyRequest, reply: FastifyReply) {
    const csv = await looks.table(accession_number, name, request, reply).catch((error) => {
      if (error instanceof ServiceProblem && error.status === 404) return '';
      throw error;
    });
    const [heads, ...rows] = [...csvRecords(csv.toString())].map(({ cells }) => cells);
    return rows.map((cells) => new Map(cells.map((cell, k) => [heads![k]!, cell])));
  }

  /** The symbol of a company in the oldest and the newest report of its insiders, with the report. */
  async function symbolsOf(cik: string, request: FastifyRequest, reply: FastifyReply) {
    const stated = new Map<string, Filing>();
    for (const sort_order of ['asc', 'desc']) {
      const filters = { entity_query: { ciks: [cik] }, form_types: OWNERS_FORMS[0], sort_order, to: OWNERS_READ };
      const { filings } = await looks.look('filing_lookup', filters, request, reply);
      // A company also reports as an owner of others.
      for (const filing of filings) {
        const [row] = await rowsOf(filing.accession_number, 'ownership_reports', request, reply);
        const symbol = row?.get('issuer_trading_symbol') ?? '';
        if (Number(row?.get('issuer_cik')) !== Number(cik) || /^(N\/?A|NONE)?$/i.test(symbol)) continue;
        stated.set(symbol, filing);
        break;
      }
    }
    return stated;
  }

  /** Reports on Form 13F with a CUSIP that the company's newest Schedules 13D and 13G state: the newest of each manager. */
  async function managersOf(owners: readonly OwnersReport[], request: FastifyRequest, reply: FastifyReply) {
    const schedules = owners.filter(({ form_type }) => form_type?.startsWith('SCHEDULE')).slice(0, SCHEDULES_READ);
    const stated = new Map<string, OwnersReport>();
    for (const schedule of schedules) {
      for (const row of await rowsOf(schedule.accession_number, 'beneficial_cusips', request, reply)) {
        const cusip = row.get('cusip')!.toUpperCase();
        if (/^(?!0+$)[0-9A-Z]{9}$/.test(cusip) && !stated.has(cusip) && stated.size < CUSIPS_READ)
          stated.set(cusip, schedule);
      }
    }
    if (stated.size === 0) return null;
    const filters = {
      query: [...stated.keys()].join(' OR '),
      query_type: 'query_string',
      form_types: HOLDINGS_FORMS,
      to: HOLDINGS_LISTED,
    };
    const { hits, entities } = await looks.look('fulltext_search', filters, request, reply);
    const names = new Map(entities.map(({ cik, name }) => [cik, name]));
    const reports = [...Map.groupBy(hits, ({ ciks }) => ciks.join()).values()].map(([newest]) => ({
      ...newest!,
      owners: newest!.ciks.map((cik) => ({ cik, name: names.get(cik) ?? null })),
    }));
    return { cusips: stated, reports };
  }

  /** Headers of agents often lack them: the first of the newest filings that states some. */
  async function formerNamesOf(
    cik: string,
    filings: readonly Pick<Filing, 'accession_number'>[],
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    for (const { accession_number } of filings.slice(0, NAMES_READ)) {
      const { parties } = await looks.look('filing_info', { accession_number }, request, reply);
      const names = parties.find((party) => party.cik === cik)?.former_names ?? [];
      if (names.length > 0) return { names, accession_number };
    }
    return null;
  }

  /** Codes of the items of each 8-K. */
  async function itemsOf(filings: readonly Filing[], request: FastifyRequest, reply: FastifyReply) {
    const items = new Map<string, string>();
    for (const { accession_number, form_type } of filings) {
      if (!isEightK(form_type ?? '')) continue;
      const { items_8k } = await looks.look('filing_info', { accession_number }, request, reply);
      items.set(accession_number, (items_8k ?? []).map(({ item }) => item).join(', '));
    }
    return items;
  }

  const company: Handler = async (request, reply) => {
    const { cik } = request.params as { cik: string };
    const query = queryOf(request);
    const form = (query.get('form') ?? '').trim().slice(0, 40);
    const from = positionOf(query);
    const { entities } = await looks.look('entity_lookup', { ciks: [cik] }, request, reply);
    const [entity] = entities;
    if (!entity) throw notFound(`company ${cik.slice(0, 20)} was not found`);
    const filters = form === '' ? {} : { form_types: [form] };
    const window = { from, to: from + PAGE_SIZE };
    const page = await looks.look(
      'filing_lookup',
      { entity_query: { ciks: [entity.cik] }, ...filters, ...window },
      request,
      reply,
    );
    const definition = yaml({
      name: entity.name ?? entity.cik,
      ciks: [entity.cik],
      ...(form === '' ? {} : { forms: [form] }),
    });
    const { filings, count: total } = page;
    const isFirst = form === '' && from === 0;
    const statements = isFirst ? await unlessBusy(statementsOf(entity.cik, request, reply)) : null;
    const owners = isFirst ? await unlessBusy(ownersOf(entity.cik, request, reply)) : null;
    const managers = owners && (await unlessBusy(managersOf(owners, request, reply)));
    const items = (await unlessBusy(itemsOf(filings, request, reply))) ?? new Map();
    const formerNames = isFirst ? await formerNamesOf(entity.cik, filings, request, reply) : null;
    const symbols = isFirst ? await unlessBusy(symbolsOf(entity.cik, request, reply)) : null;
    return sendPage(
      reply,
      companyPage({
        entity,
        filings,
        total,
        from,
        pageSize: PAGE_SIZE,
        form,
        yaml: definition,
        statements,
        formerNames,
        symbols: symbols ?? new Map(),
        owners: owners ?? [],
        managers,
        items,
      }),
    );
  };

  const filing: Handler = async (request, reply) => {
    const { accession } = request.params as { accession: string };
    const found = await looks.look('filing_info', { accession_number: accession }, request, reply);
    const isLoggedIn = (await visitorOf(request, parts)) !== null;
    const isReport = [...ANNUAL_FORMS, ...QUARTERLY_FORMS].includes((found.form_type ?? '').replace('/A', ''));
    const statements = isReport ? await unlessBusy(looks.statements(found, request, reply)) : null;
    const section = queryOf(request).get('section');
    // Who turns to a section of a report has seen what changed: that costs up to two seconds.
    const isTurned = section !== null && found.sections.length > 0;
    const form = isTurned ? null : await unlessBusy(looks.form(found.accession_number, request, reply));
    const definition = yaml({
      name: `filing-${found.accession_number}`,
      accessionNumbers: [found.accession_number],
      of: found.form_type,
      group: form?.group ?? null,
    });
    return sendPage(
      reply,
      filingPage({
        filing: found,
        form: form?.parts ?? [],
        statements: statements ?? [],
        section,
        isLoggedIn,
        yaml: definition,
      }),
    );
  };

  const section: Handler = async (request, reply) => {
    const { accession, code } = request.params as { accession: string; code: string };
    // A picture of the section, or a link to another document: its address is relative to the section's.
    if (code.includes('.')) return toDocument(reply, accession, code);
    if (!isInFrame(request)) {
      const { sections, ...info } = await looks.look('filing_info', { accession_number: accession }, request, reply);
      const listed = sections.find((one) => one.section === code);
      if (!listed) throw notFound(`the filing has no section ${code.slice(0, 20)}`);
      const title = `${listed.section} ${listed.title ?? ''}`;
      const path = `/filings/${info.accession_number}/sections/${code}`;
      return sendPage(reply, filedPage({ filing: info, title, path }));
    }
    const { sections } = await looks.look('filing_sections', { accession_number: accession }, request, reply);
    const found = sections.find((one) => one.section === code);
    if (!found) throw notFound(`the filing has no section ${code.slice(0, 20)}`);
    const refers =
      found.html === '' || found.html === null ? '<p>This section has no text of its own.</p>' : found.html;
    const text = sectionDocument(`${found.section} ${found.title ?? ''}`, refers);
    pending.add((await looks.callerOf(request, reply)).key, Buffer.byteLength(text), reply.raw);
    return sendFiled(reply, text, 'text/html; charset=utf-8');
  };

  /** @param name sequence number, or file name: documents of a filing name each other and their pictures by it */
  const document: Handler = async (request, reply) => {
    const { accession, name } = request.params as { accession: string; name: string };
    const info = await looks.look('filing_info', { accession_number: accession }, request, reply);
    const listed = info.documents.find(({ sequence, filename }) => String(sequence) === name || filename === name);
    if (!listed) throw notFound(`the filing has no document ${name.slice(0, 60)}`);
    if ((listed.size ?? 0) > DOCUMENT_BYTES_MAX) {
      throw new ServiceProblem(422, 'this document is too large for a page: fetch it with /v2/document');
    }
    const found = await looks.look('document', { document_id: listed.document_id }, request, reply);
    const type = (found.content_type ?? '').split(';')[0]!.trim();
    const isBinary = found.encoding === 'base64';
    if (type === 'text/html' && !isBinary && !isInFrame(request)) {
      const title = listed.description ?? listed.filename ?? name;
      const anchor = queryOf(request).get('at');
      const path = `/filings/${info.accession_number}/documents/${encodeURIComponent(name)}`;
      return sendPage(reply, filedPage({ filing: info, title, path, anchor }));
    }
    // In a frame the number that was asked for stands out. Before the markup, a style would change how browsers read it.
    const mark = type === 'text/html' && isInFrame(request) ? TARGET_STYLE : '';
    const body = Buffer.from(`${found.content ?? ''}${isBinary ? '' : mark}`, isBinary ? 'base64' : 'utf8');
    pending.add((await looks.callerOf(request, reply)).key, body.length, reply.raw);
    if (!isBinary)
      return sendFiled(reply, body, type === 'text/html' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8');
    if (!PICTURES.has(type)) reply.header('content-disposition', 'attachment');
    return sendFiled(reply, body, PICTURES.has(type) ? type : 'application/octet-stream');
  };

  /** All rows of a table of a form, of which the page has the largest or the first. */
  const table: Handler = async (request, reply) => {
    const { accession, name } = request.params as { accession: string; name: string };
    const { accession_number: number } = await looks.look(
      'filing_info',
      { accession_number: accession },
      request,
      reply,
    );
    const body = await looks.table(number, name, request, reply);
    pending.add((await looks.callerOf(request, reply)).key, body.length, reply.raw);
    reply.header('content-disposition', `attachment; filename="${number}-${name}.csv"`);
    return sendFiled(reply, body, 'text/csv; charset=utf-8');
  };

  const pdf: Handler = async (request, reply) => {
    const { accession } = request.params as { accession: string };
    const visitor = await visitorOf(request, parts);
    if (visitor === null) return toAccount(reply);
    const { accession_number } = await looks.look('filing_info', { accession_number: accession }, request, reply);
    await desk.countPdf(visitor.account.id);
    const parameters = { accession_number } as Parameters<typeof pdfs.make>[0]['parameters'];
    const job = { parameters, accept: 'application/pdf', ifNoneMatch: undefined };
    const outcome = await pdfs.make(job, await looks.callerOf(request, reply));
    pending.add((await looks.callerOf(request, reply)).key, outcome.size, reply.raw);
    return reply
      .headers({ ...outcome.headers, 'cache-control': 'no-store' })
      .type(outcome.contentType)
      .send(Buffer.from(outcome.body));
  };

  return {
    '/': home,
    '/search': searchRoute(parts, yaml),
    '/companies/:cik': company,
    '/filings/:accession': filing,
    '/filings/:accession/sections/:code': section,
    '/filings/:accession/documents/:name': document,
    '/filings/:accession/tables/:name(^[a-z0-9_]+).csv': table,
    '/filings/:accession/pdf': pdf,
  };
}

/**
 * Whether a frame asks for markup of a filer. Alone in a window it could show a false log-in at the address of this service, so a
 * window gets a page of the service around it. A browser that does not say what asks is believed by the address.
 */
function isInFrame(request: FastifyRequest): boolean {
  const asks = request.headers['sec-fetch-dest'];
  return asks === undefined ? queryOf(request).has('frame') : asks === 'iframe';
}
