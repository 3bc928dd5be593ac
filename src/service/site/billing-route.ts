/** POST /billing/events: signed events of the billing provider. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AccountDesk, patiently, SIGNATURE_HEADER } from '../../accounts/index.ts';
import { JSON_TYPE } from '../answers/outcome.ts';
import { notFound } from '../problem.ts';
import { accountProblem } from './account-problem.ts';

export async function billingEvent(desk: AccountDesk, request: FastifyRequest, reply: FastifyReply) {
  const { webhook } = desk;
  if (webhook === null) throw notFound('this service has no billing provider');
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const [signature] = request.raw.headersDistinct[SIGNATURE_HEADER] ?? [];
  try {
    const outcome = await patiently(() => webhook.receive(body, signature));
    return reply
      .code(200)
      .header('cache-control', 'no-store')
      .type(JSON_TYPE)
      .send(Buffer.from(JSON.stringify({ outcome })));
  } catch (error) {
    throw accountProblem(error);
  }
}
