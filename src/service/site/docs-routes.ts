/** `/docs`, made from the contract, and its form that sends a request with the visitor's key. */
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_ERRORS } from '../../core/index.ts';
import { OPERATIONS, type OperationName } from '../../filings/api/index.ts';
import { badRequest } from '../answers/problem.ts';
import { openApiDocument } from '../http/openapi.ts';
import { type DocumentedOperation, docsPage, triedPage } from '../pages/index.ts';
import { readJsonBody } from '../requests/json-body.ts';
import { packageFile } from './package-file.ts';
import { sendPage } from './send.ts';
import type { SiteParts } from './site-parts.ts';
import { formOf, requireOwnForm } from './visit.ts';

const SHOWN_MAX = 20_000;
const EXAMPLE_MAX = 4_000;
/** A longer text of an answer hides what follows. */
const LONG_TEXT = 300;

/** A filing that the service has. */
interface Shown {
  accession_number: string;
  cik: string | null;
  form_type: string | null;
  revision?: string | null | undefined;
  documents: readonly { document_id: string }[];
}

/** The parameters of an example, with the identifiers of another filing. */
function aboutFiling(parameters: object, filing: Shown): object {
  const { accession_number, cik, form_type, documents } = filing;
  const own: Readonly<Record<string, unknown>> = {
    accession_number,
    document_id: documents[0]?.document_id,
    ciks: cik === null ? undefined : [cik],
    form_types: form_type === null ? undefined : [form_type],
  };
  const members = Object.entries(parameters).map(([name, value]) => [
    name,
    name === 'entity_query' ? aboutFiling(value as object, filing) : (own[name] ?? value),
  ]);
  return Object.fromEntries(members) as object;
}

type Json = Record<string, unknown>;

export function addDocs(app: FastifyInstance, { addressOf, looks }: SiteParts): void {
  const operations = documentedOperations();
  const errors = Object.entries(HTTP_ERRORS).map(([status, [meaning, remedy]]) => ({ status, meaning, remedy }));
  const changes = changesOfService();
  /** An example about a filing that the service lacks would cost a request, and find nothing. */
  const shownFiling = async (request: FastifyRequest, reply: FastifyReply): Promise<Shown | null> => {
    for (const filter of [{ form_types: ['10-K'] }, {}]) {
      const { filings } = await looks.look('filing_lookup', { ...filter, to: 1 }, request, reply);
      if (filings[0]) return filings[0];
    }
    return null;
  };
  /** Answers of this service to its examples: made once for each filing that they are about. */
  let made: { of: string; answers: ReadonlyMap<OperationName, unknown> } | null = null;
  const answersOf = async (filing: Shown, request: FastifyRequest, reply: FastifyReply) => {
    const of = `${filing.accession_number} ${filing.revision}`;
    if (made?.of === of) return made.answers;
    const answers = new Map<OperationName, unknown>();
    for (const { name } of operations) {
      if (name === 'pdf') continue;
      const asked = aboutFiling(OPERATIONS[name].example.parameters, filing) as Record<string, unknown>;
      // A busy service, or one without the text: the example of the contract stands there.
      const answer = await looks.look(name, asked, request, reply).catch(() => null);
      if (answer !== null) answers.set(name, answer);
    }
    made = { of, answers };
    return answers;
  };
  app.get('/docs', async (request, reply) => {
    const filing = await shownFiling(request, reply);
    const answers = filing === null ? null : await answersOf(filing, request, reply);
    const shown = operations.map((one) => {
      const { parameters, answer } = OPERATIONS[one.name].example;
      return {
        ...one,
        example: JSON.stringify(filing === null ? parameters : aboutFiling(parameters, filing)),
        exampleAnswer: answerText(answers?.get(one.name) ?? (filing === null ? answer : aboutFiling(answer, filing))),
      };
    });
    return sendPage(reply, docsPage({ operations: shown, errors, changes, address: addressOf('/') }));
  });
  app.post('/docs/try', async (request, reply) => {
    requireOwnForm(request, addressOf('/'));
    const form = formOf(request);
    const name = form.get('operation') ?? '';
    if (!Object.hasOwn(OPERATIONS, name)) throw badRequest('there is no such operation');
    // Like any request: the key is checked, the quota counts.
    const answer = await app.inject({
      method: 'POST',
      url: OPERATIONS[name as OperationName].path,
      headers: { 'content-type': 'application/json', host: request.headers.host ?? '' },
      payload: bodyOf(form),
      remoteAddress: request.ip,
    });
    const text = shownAnswer(answer.body);
    const limits = answer.headers.ratelimit;
    return sendPage(
      reply,
      triedPage({
        name,
        status: answer.statusCode,
        limits: typeof limits === 'string' ? limits : null,
        text: text.slice(0, SHOWN_MAX),
        isCut: text.length > SHOWN_MAX,
      }),
    );
  });
}

function answerText(answer: unknown): string {
  const short = (_name: string, value: unknown) =>
    typeof value === 'string' && value.length > LONG_TEXT ? `${value.slice(0, LONG_TEXT)}…` : value;
  const text = JSON.stringify(answer, short, 2);
  return text.length > EXAMPLE_MAX ? `${text.slice(0, EXAMPLE_MAX)}\n…` : text;
}

/** @throws ServiceProblem 400 if the parameters are not a JSON object */
function bodyOf(form: URLSearchParams): string {
  const parameters = readJsonBody(Buffer.from(form.get('parameters') ?? ''), 'application/json');
  return JSON.stringify({ ...parameters, api_key: form.get('key') ?? '' });
}

function shownAnswer(body: string): string {
  // A long answer is not formatted: only its beginning is shown.
  if (body.length > 50 * SHOWN_MAX) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** From the description that clients get too: the contract has one form. */
function documentedOperations(): (Omit<DocumentedOperation, 'example' | 'exampleAnswer'> & { name: OperationName })[] {
  const { paths } = openApiDocument('') as { paths: Record<string, { get: Json }> };
  return (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
    const { path, summary } = OPERATIONS[name];
    const { parameters, responses } = paths[path]!.get as { parameters: Json[]; responses: Record<number, Json> };
    const { content } = responses[200] as { content: { 'application/json': { schema: Json } } };
    return {
      name,
      path,
      summary,
      parameters: parameters
        .filter((parameter) => parameter.name !== 'api_key')
        .map(({ name: of, required, description, schema, content: object }) => ({
          name: String(of),
          type: object ? 'object' : typeOf(schema as Json),
          required: required === true,
          // The page says "Required" itself.
          meaning: String(description ?? '').replace(/^required\b[;.]?\s*/i, ''),
        })),
      members: membersOf(content['application/json'].schema, ''),
    };
  });
}

/** Members of an answer, and those of its records: `filings[].cik`. */
function membersOf(schema: Json, prefix: string): DocumentedOperation['members'][number][] {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  return Object.entries(properties).flatMap(([name, member]) => {
    const place = `${prefix}${name}`;
    const shapes = [member, ...((member.anyOf ?? []) as Json[])];
    const array = shapes.find(({ type }) => type === 'array')?.items as Json | undefined;
    const object = shapes.find((shape) => shape.properties);
    const inner = array?.properties ? membersOf(array, `${place}[].`) : object ? membersOf(object, `${place}.`) : [];
    return [{ name: place, type: typeOf(member), meaning: String(member.description ?? '') }, ...inner];
  });
}

function typeOf({ type, items, anyOf, enum: values }: Json): string {
  if (Array.isArray(anyOf)) return (anyOf as Json[]).map(typeOf).join(' or ');
  if (Array.isArray(values)) return values.join(', ');
  if (type === 'array') {
    const { enum: allowed, ...item } = (items ?? {}) as Json;
    return Array.isArray(allowed) ? `${typeOf(item)}[]: ${allowed.join(', ')}` : `${typeOf((items ?? {}) as Json)}[]`;
  }
  return typeof type === 'string' ? type : 'any';
}

/** What the change log says of the service; nothing if the installation lacks it. */
function changesOfService(): string[] {
  const file = packageFile('CHANGELOG.md');
  if (file === null) return [];
  const [, rest = ''] = readFileSync(file, 'utf8').split('**The service**\n');
  const [part = ''] = rest.split('\n**');
  return part
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2).replaceAll('`', ''));
}
