/** The paths of the service besides /v2: accounts and pages. */
import type { FastifyInstance } from 'fastify';
import type { AccountDesk } from '../../accounts/index.ts';
import type { QuotaPlans } from '../../api/index.ts';
import type { SitePath } from '../http/app.ts';
import { billingEvent } from './billing-route.ts';
import { signUp } from './sign-up-route.ts';

export interface SiteParts {
  desk: AccountDesk;
  plans: QuotaPlans;
  now: () => Date;
  /** Address of a page, as users reach it */
  addressOf: (path: string) => string;
}

/** @returns the paths that were added */
export function addSite(app: FastifyInstance, parts: SiteParts): SitePath[] {
  const { desk } = parts;
  app.route({ method: 'POST', url: '/accounts', handler: (request, reply) => signUp(desk, request, reply) });
  app.route({
    method: 'POST',
    url: '/billing/events',
    handler: (request, reply) => billingEvent(desk, request, reply),
  });
  return [
    { path: '/accounts', methods: ['POST'] },
    { path: '/billing/events', methods: ['POST'] },
  ];
}
