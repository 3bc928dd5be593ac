/** POST /accounts as JSON: docs/guide/accounts.md. Forms of the pages have a route of their own. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountDesk } from '../../accounts/index.ts';
import { JSON_TYPE } from '../answers/outcome.ts';
import { badRequest } from '../problem.ts';
import { readJsonBody } from '../requests/json-body.ts';
import { accountProblem } from './account-problem.ts';

const signUpSchema = z.strictObject({ email: z.string(), password: z.string().optional() });
/** The same for every address. */
const NOTED = { status: 'a link was sent to this address' };

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
  return reply
    .code(202)
    .header('cache-control', 'no-store')
    .type(JSON_TYPE)
    .send(Buffer.from(JSON.stringify(NOTED)));
}
