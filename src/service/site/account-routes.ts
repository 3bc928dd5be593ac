/** The forms of `/account`: sign-up, log-in, keys, plans, settings. Each is a POST that ends with a page or leads to one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, FilinglakeError } from '../../core/index.ts';
import { accountPage, linkPage, logInPage, type Message } from '../pages/index.ts';
import { type Flash, setFlash, takeFlash } from './flash.ts';
import { sendPage, toAccount } from './send.ts';
import type { SiteParts } from './site-parts.ts';
import {
  formOf,
  isReachedByHttps,
  queryOf,
  requireFormToken,
  requireOwnForm,
  sessionIn,
  setSession,
  type Visitor,
  visitorOf,
} from './visit.ts';

const SENT = 'We have sent a link to this address. Open it to continue.';
const KEPT = 'This service has no mail server, so its operator has your link: by default in mail.jsonl of the catalog.';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
/** What a form of a logged-in visitor does. A text or a key is shown above the page of the account, once. */
type Action = (
  visitor: Visitor,
  form: URLSearchParams,
  reply: FastifyReply,
  request: FastifyRequest,
) => Promise<Message | NonNullable<Flash['newKey']> | FastifyReply>;

export function accountRoutes(parts: SiteParts): { get: Record<string, Handler>; post: Record<string, Handler> } {
  const { desk, now, addressOf } = parts;
  const { logIn, planDesk, keys } = desk;
  const own = () => addressOf('/');
  const isSecure = (request: FastifyRequest) => isReachedByHttps(request, own());
  const sessionOf = (request: FastifyRequest) => sessionIn(request, own());

  const showAccount = async (visitor: Visitor, reply: FastifyReply, { message, newKey }: Flash, status = 200) => {
    const account = (await desk.register.get(visitor.account.id, now())) ?? visitor.account;
    const limits = parts.plans.plans[account.plan];
    const requested = (await desk.subscriptions.openRequest(account.id))?.plan ?? null;
    const content = accountPage({
      account,
      keys: await keys.list(account.id),
      newKey,
      usage: await keys.usage(account.id, now()),
      limits: { requests: limits?.requests_per_month ?? null, bytes: limits?.bytes_per_month ?? null },
      history: await desk.subscriptions.history(account.id),
      requested,
      canCancel: requested !== null || account.plan !== parts.plans.sign_up,
      formToken: visitor.formToken,
      message,
    });
    return sendPage(reply, content, status);
  };
  const showLogIn = (reply: FastifyReply, message: Message | null, status = 200) =>
    sendPage(reply, logInPage(message, parts.plans.sign_up !== undefined), status);
  const started = async (request: FastifyRequest, reply: FastifyReply, session: string) => {
    const before = sessionOf(request);
    if (before !== null) await desk.sessions.end(before);
    setSession(reply, session, isSecure(request));
    return toAccount(reply);
  };

  /** A form before the log-in. What goes wrong is shown on its own page. */
  const open =
    (work: (form: URLSearchParams, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): Handler =>
    async (request, reply) => {
      requireOwnForm(request, own());
      try {
        return await work(formOf(request), request, reply);
      } catch (error) {
        const shown = problemShown(error);
        if (shown === null) throw error;
        return showLogIn(reply, shown.message, shown.status);
      }
    };
  /** A form of somebody who is logged in. */
  const action =
    (work: Action): Handler =>
    async (request, reply) => {
      requireOwnForm(request, own());
      const visitor = await visitorOf(request, parts);
      if (visitor === null) return showLogIn(reply, { text: 'Log in first.', isProblem: true }, 401);
      const form = formOf(request);
      requireFormToken(form, visitor);
      try {
        const result = await work(visitor, form, reply, request);
        // The promise of a sent reply gives undefined.
        const newKey = result && 'api_key' in result ? { api_key: result.api_key, name: result.name } : null;
        const message = result && 'text' in result ? (result as Message) : null;
        if (newKey === null && message === null) return reply;
        setFlash(reply, { message, newKey }, visitor.session, isSecure(request));
        return toAccount(reply);
      } catch (error) {
        const shown = problemShown(error);
        if (shown === null) throw error;
        return showAccount(visitor, reply, { message: shown.message, newKey: null }, shown.status);
      }
    };
  const planStep = async (step: Promise<{ message: string; url: string | null }>): Promise<Message> => {
    const { message, url } = await step;
    return { text: message, url };
  };

  return {
    get: {
      '/account': async (request, reply) => {
        const visitor = await visitorOf(request, parts);
        if (visitor === null) return showLogIn(reply, null);
        return showAccount(visitor, reply, takeFlash(request, reply, visitor.session, isSecure(request)));
      },
      '/account/link': async (request, reply) => showLink(queryOf(request).get('token') ?? '', reply, null, 200),
    },
    post: {
      '/account/sign-up': open(async (form, request, reply) => {
        const password = form.get('password') || undefined;
        await logIn.signUp({ email: form.get('email') ?? '', password }, request.ip);
        return showLogIn(reply, { text: desk.sendsMails ? SENT : KEPT });
      }),
      '/account/send-link': open(async (form, request, reply) => {
        await logIn.requestLink(form.get('email') ?? '', request.ip);
        return showLogIn(reply, { text: desk.sendsMails ? SENT : KEPT });
      }),
      '/account/log-in': open(async (form, request, reply) => {
        const given = { email: form.get('email') ?? '', password: form.get('password') ?? '' };
        const { session } = await logIn.logIn(given, request.ip);
        return started(request, reply, session);
      }),
      '/account/link': open(async (form, request, reply) => {
        const token = form.get('token') ?? '';
        try {
          const { session } = await logIn.useLink(token, form.get('password') ?? undefined, request.ip);
          return started(request, reply, session);
        } catch (error) {
          const shown = problemShown(error);
          if (shown === null || (await logIn.look(token)) === null) throw error;
          return showLink(token, reply, shown.message, shown.status);
        }
      }),
      '/account/log-out': action(async ({ session }, _form, reply, request) => {
        await desk.sessions.end(session);
        setSession(reply, null, isSecure(request));
        return toAccount(reply);
      }),
      '/account/keys': action(({ account }, form) => keys.create(account.id, form.get('name') ?? '', now())),
      '/account/keys/rotate': action(({ account }, form) => keys.rotate(account.id, form.get('key') ?? '', now())),
      '/account/keys/revoke': action(async ({ account }, form) => {
        const { prefix } = await keys.revoke(account.id, form.get('key') ?? '', now());
        return { text: `The key ${prefix}… is revoked.` };
      }),
      '/account/plan': action(({ account }, form) => planStep(planDesk.choose(account, form.get('plan') ?? ''))),
      '/account/cancel': action(({ account }) => planStep(planDesk.cancel(account))),
      '/account/resume': action(({ account }) => planStep(planDesk.resume(account))),
      '/account/password': action(async ({ account, session: before }, form, reply, request) => {
        const given = { session: before, old: form.get('old') ?? '', password: form.get('password') ?? '' };
        const { session } = await logIn.setPassword(account, given, request.ip);
        return started(request, reply, session);
      }),
      '/account/delete': action(async ({ account }, form, reply, request) => {
        if ((form.get('email') ?? '').trim().toLowerCase() !== account.email) {
          return { text: 'Nothing is deleted: the address is not that of this account.', isProblem: true };
        }
        await desk.deleteAccount(account);
        setSession(reply, null, isSecure(request));
        return showLogIn(reply, { text: 'Your account is deleted.' });
      }),
    },
  };

  async function showLink(token: string, reply: FastifyReply, message: Message | null, status: number) {
    const link = await logIn.look(token);
    if (link === null) {
      return showLogIn(reply, { text: 'This link is used or too old. Ask for a new one.', isProblem: true }, 400);
    }
    const { purpose, email, password } = link;
    return sendPage(reply, linkPage({ token, purpose, email, needsPassword: password !== null }, message), status);
  }
}

/** Null: not an error for people. */
function problemShown(error: unknown): { message: Message; status: number } | null {
  if (!(error instanceof FilinglakeError)) return null;
  const status = ERRORS[error.code].httpStatus;
  if (status === null && error.code !== 'key-unknown') return null;
  const [first = '', ...rest] = error.message;
  return { message: { text: `${first.toUpperCase()}${rest.join('')}.`, isProblem: true }, status: status ?? 404 };
}
