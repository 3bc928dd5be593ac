/** Paths of accounts that programs use: sign-up as JSON (docs/guide/accounts.md), and signed events of the billing provider. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AccountDesk, SIGNATURE_HEADER } from '../accounts/index.ts';
import { JSON_TYPE } from '../answers/outcome.ts';
import { badRequest, notFound } from '../answers/problem.ts';
import { readJsonBody } from '../requests/json-body.ts';
import { accountProblem } from './account-problem.ts';

const signUpSchema = z.strictObject({ email: z.string(), password: z.string().optional() });
/** The same for every address. */
const NOTED = { status: 'a link was sent to this address' };

/** POST /accounts. Forms of the pages have a route of their own. */
export async function signUp(desk: AccountDesk, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const body = readJsonBody(bytes, request.headers['content-type'], request.headers['content-encoding']);
  const given = signUpSchema.safeParse(body);
  if (!given.success) {
    const [issue] = given.error.issues;
    throw badRequest(`${issue?.path.join('.') || 'the body'} is invalid: give email, and password if you want one`);
  }
  try {
    await desk.logIn.signUp(given.data, request.ip);
  } catch (error) {
    throw accountProblem(error);
  }
  return sendRecord(reply, 202, NOTED);
}

/** POST /billing/events. */
export async function billingEvent(desk: AccountDesk, request: FastifyRequest, reply: FastifyReply) {
  const { webhook } = desk;
  if (webhook === null) throw notFound('this service has no billing provider');
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const [signature] = request.raw.headersDistinct[SIGNATURE_HEADER] ?? [];
  try {
    const outcome = await webhook.receive(body, signature);
    return sendRecord(reply, 200, { outcome });
  } catch (error) {
    throw accountProblem(error);
  }
}

function sendRecord(reply: FastifyReply, status: number, record: object): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(JSON_TYPE)
    .send(Buffer.from(JSON.stringify(record)));
}
