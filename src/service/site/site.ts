/** The paths of the service besides /v2: accounts and pages. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { offeredPlans } from '../accounts/index.ts';
import { problemOf } from '../http/error-answers.ts';
import { messagePage, plansPage, STYLE } from '../pages/index.ts';
import { accountProblem } from './account-problem.ts';
import { accountRoutes } from './account-routes.ts';
import { addDocs } from './docs-routes.ts';
import { billingEvent, signUp } from './json-routes.ts';
import { addMarkdownDocs } from './markdown-docs.ts';
import { readRoutes } from './read-routes.ts';
import { packedPage, sendPage, sendStyle } from './send.ts';
import type { SiteParts } from './site-parts.ts';
import { visitorOf } from './visit.ts';

/** Crawlers may read what pages are about, and start no searches. */
const ROBOTS = `User-agent: *
${['/search', '/account', '/docs/try', '/v2/', '/filings/*/pdf', '/filings/*/tables/'].map((path) => `Disallow: ${path}`).join('\n')}
`;

export function addSite(app: FastifyInstance, parts: SiteParts): void {
  const { desk, plans } = parts;
  // A separate context, in which errors are pages.
  app.register(async (site) => {
    site.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const { status, message, headers } = problemOf(accountProblem(error), request);
      reply.headers(headers);
      return sendPage(reply, messagePage(status === 404 ? 'Not found' : 'That did not work', `${message}.`), status);
    });
    site.addHook('onSend', packedPage);
    const { get, post } = accountRoutes(parts);
    for (const [url, handler] of Object.entries({ ...readRoutes(parts), ...get })) {
      site.route({ method: 'GET', url, handler });
    }
    for (const [url, handler] of Object.entries(post)) site.route({ method: 'POST', url, handler });
    site.get('/plans', async (request, reply) => {
      const visitor = await visitorOf(request, parts);
      const requested = visitor && ((await desk.subscriptions.openRequest(visitor.account.id))?.plan ?? null);
      const holder = visitor && {
        plan: visitor.account.plan,
        nextPlan: visitor.account.next_plan,
        formToken: visitor.formToken,
        requested,
      };
      return sendPage(reply, plansPage({ plans: offeredPlans(plans), holder }));
    });
    site.get('/robots.txt', async (_request, reply) => reply.type('text/plain').send(ROBOTS));
    site.get('/style.css', async (_request, reply) => sendStyle(reply, STYLE));
    addDocs(site, parts);
    addMarkdownDocs(site, parts.addressOf);
  });
  app.route({ method: 'POST', url: '/accounts', handler: (request, reply) => signUp(desk, request, reply) });
  app.route({
    method: 'POST',
    url: '/billing/events',
    handler: (request, reply) => billingEvent(desk, request, reply),
  });
}
