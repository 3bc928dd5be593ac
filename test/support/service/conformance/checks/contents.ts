/** Operations whose parameters and answers the published interface does not show: document, fulltext_search, pdf; and additions. */
import { createHash } from 'node:crypto';
import { OPERATIONS, type OperationName } from '../../../../../src/filings/api/index.ts';
import { type Check, type CheckContext, expectStatus, firstFault, may, need } from '../check.ts';
import { typeFault } from '../published-types.ts';

/** The parameters that filinglake sends are accepted, and the answer has the members that it reads. */
function answerCheck(
  operation: OperationName,
  name: string,
  title: string,
  parametersOf: (context: CheckContext) => Record<string, unknown>,
  faultOf: (answer: Record<string, unknown>) => string | null = () => null,
): Check {
  return may(`${operation}.${name}`, title, async (context) => {
    const answer = await context.wire.ask(operation, parametersOf(context));
    const fault = firstFault(expectStatus(answer, 200), typeFault(OPERATIONS[operation].answer, answer.json));
    return fault ?? faultOf(answer.json as Record<string, unknown>);
  });
}

const anyDocument = ({ sample }: CheckContext) =>
  need((sample.annual ?? sample.current ?? sample.filings[0])?.documents[0], 'document').document_id;
const anyFiling = ({ sample }: CheckContext) =>
  need(sample.current ?? sample.annual ?? sample.filings[0], 'filing').accession_number;
const xmlDocument = ({ sample }: CheckContext) =>
  need(
    sample.filings.flatMap((filing) => filing.documents).find(({ filename }) => filename?.endsWith('.xml')),
    'XML document among the newest filings',
  ).document_id;

export const CONTENT_CHECKS: readonly Check[] = [
  answerCheck('document', 'by-id', 'document gives a document by document_id', (context) => ({
    document_id: anyDocument(context),
  })),
  answerCheck('document', 'main', 'document gives the main document of a filing', (context) => ({
    accession_number: anyFiling(context),
  })),
  answerCheck(
    'document',
    'xml-as-json',
    'document converts XML to JSON',
    (context) => ({ document_id: xmlDocument(context), output_format: 'json' }),
    ({ encoding }) => (encoding === 'json' ? null : `encoding is ${encoding}`),
  ),
  may('document.bytes', 'document gives the bytes of a document if Accept asks for them', async (context) => {
    const parameters = { document_id: anyDocument(context) };
    const answer = await context.wire.ask('document', parameters, {
      headers: { accept: 'application/octet-stream' },
    });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return firstFault(expectStatus(answer, 200), isJson ? 'the answer is JSON' : null);
  }),
  may('document.digest', 'size and sha256 of a document are those of its bytes', async (context) => {
    const parameters = { document_id: anyDocument(context) };
    const { size, sha256 } = ((await context.wire.ask('document', parameters)).json ?? {}) as Record<string, unknown>;
    const { bytes } = await context.wire.ask('document', parameters, {
      headers: { accept: 'application/octet-stream' },
    });
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (size !== bytes.length) return `size is ${size}, and there are ${bytes.length} bytes`;
    return sha256 === digest ? null : `sha256 is ${sha256}, and that of the bytes ${digest}`;
  }),
  answerCheck(
    'fulltext_search',
    'match',
    'fulltext_search finds words, and total_hits counts them',
    () => ({ query: 'report', to: 2 }),
    ({ total_hits, hits, truncated }) => {
      const given = (hits as unknown[]).length;
      if (given > 2) return `to=2 gives ${given} hits`;
      const expected = Math.min(Number(total_hits), 2);
      return given === expected || truncated === true ? null : `total_hits is ${total_hits}, with ${given} hits`;
    },
  ),
  answerCheck('fulltext_search', 'phrase', 'fulltext_search finds a phrase', () => ({
    query: 'of the',
    query_type: 'match_phrase',
    to: 1,
  })),
  answerCheck('fulltext_search', 'expression', 'fulltext_search reads OR, NOT and prefixes', () => ({
    query: '(report OR annual*) NOT zzzz',
    query_type: 'query_string',
    to: 1,
  })),
  may(
    'fulltext_search.query-required',
    "without a query, fulltext_search answers 400 'query is required'",
    async ({ wire }) => expectStatus(await wire.ask('fulltext_search'), 400),
  ),
  answerCheck(
    'pdf',
    'filing',
    'pdf renders a filing',
    (context) => ({ accession_number: anyFiling(context), exhibits: false }),
    ({ content }) =>
      Buffer.from(String(content), 'base64').toString('latin1', 0, 5) === '%PDF-' ? null : 'content is not a PDF',
  ),
  answerCheck('coverage', 'days', 'coverage lists the days of EDGAR and their proof', () => ({ to: 1 })),
];
