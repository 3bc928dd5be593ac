/** Billing by a provider: requests go to it, signed; it answers by signed events. docs/guide/accounts.md has the protocol. */
import { z } from 'zod';
import { FilinglakeError } from '../../../core/index.ts';
import type { PlanRequest, Subscriptions } from '../register/subscriptions.ts';
import { atomically, type Operation, run } from '../store/operation.ts';
import type { Billing, BillingStep } from './billing.ts';
import { requireSignature, SIGNATURE_HEADER, signatureOf } from './signature.ts';

const ANSWER_MS = 10_000;

export interface WebhookSettings {
  /** Base address of the provider: `POST /checkouts`, `/changes`, `/cancellations`, `/resumptions` */
  url: string;
  secret: string;
}

const billingEventSchema = z.object({
  id: z.string().min(1).max(200),
  type: z.string().min(1).max(200),
  reference: z.string().min(1).max(200),
});
const KINDS: ReadonlySet<string> = new Set(['plan.granted', 'plan.refused', 'plan.ended']);
type BillingEvent = z.infer<typeof billingEventSchema>;
/** `ignored`: its request is unknown or settled, or its type is unknown */
type EventOutcome = 'applied' | 'ignored' | 'repeated';

export class WebhookBilling implements Billing {
  readonly name = 'webhook';
  readonly #settings: WebhookSettings;
  readonly #subscriptions: Subscriptions;
  readonly #now: () => Date;

  constructor(settings: WebhookSettings, subscriptions: Subscriptions, now: () => Date) {
    this.#settings = settings;
    this.#subscriptions = subscriptions;
    this.#now = now;
  }

  async request(request: PlanRequest): Promise<BillingStep> {
    const { reference, plan, email } = request;
    const answer = z
      .object({ url: z.url({ protocol: /^https?$/ }) })
      .safeParse(await this.#post('checkouts', { reference, plan, email }));
    if (!answer.success)
      throw new FilinglakeError('billing-unreachable', 'the billing provider gave no address to pay at');
    return {
      message: `Pay for the plan “${plan}” at the billing provider. It starts when you have paid.`,
      url: answer.data.url,
    };
  }

  async change({ reference }: PlanRequest, plan: string, from: string): Promise<void> {
    await this.#post('changes', { reference, plan, from });
  }

  /** The provider may get it twice. */
  async cancel({ reference }: Pick<PlanRequest, 'reference'>): Promise<void> {
    await this.#post('cancellations', { reference });
  }

  async resume({ reference }: PlanRequest): Promise<void> {
    await this.#post('resumptions', { reference });
  }

  /** Applies an event and stores its number at once: repeated, it changes nothing. @throws `event-refused` */
  *receive(body: Buffer, signature: string | undefined): Operation<EventOutcome> {
    const now = this.#now();
    requireSignature(signature, body, this.#settings.secret, now);
    const event = readEvent(body);
    yield* atomically();
    const noted = yield* run(
      "INSERT INTO billing_events VALUES (?, ?, 'applied') ON CONFLICT DO NOTHING",
      ...([event.id, now.toISOString()] as const),
    );
    if (noted === 0) return 'repeated';
    const outcome = yield* this.#apply(event, now);
    if (outcome === 'ignored') yield* run("UPDATE billing_events SET outcome = 'ignored' WHERE id = ?", event.id);
    return outcome;
  }

  *#apply({ type, reference }: BillingEvent, now: Date): Operation<EventOutcome> {
    const request = yield* this.#subscriptions.byReference(reference);
    if (request === null || request.billing !== this.name) return 'ignored';
    // A provider may send more kinds than these. An error would make it send them again and again.
    if (!KINDS.has(type)) return 'ignored';
    if (type === 'plan.granted' && request.state === 'open') yield* this.#subscriptions.grant(request, this.name, now);
    else if (type === 'plan.ended' && request.state === 'granted')
      yield* this.#subscriptions.end(request, this.name, now);
    else if (type !== 'plan.granted' && request.state === 'open')
      yield* this.#subscriptions.settleRequest(request, 'refused', this.name, now);
    else return 'ignored';
    return 'applied';
  }

  async #post(path: string, message: unknown): Promise<unknown> {
    const body = JSON.stringify(message);
    const url = new URL(path, this.#settings.url.endsWith('/') ? this.#settings.url : `${this.#settings.url}/`);
    const headers = {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signatureOf(body, this.#settings.secret, this.#now()),
    };
    try {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (answer.ok) return await answer.json();
      throw new Error(`it answered ${answer.status}`);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new FilinglakeError('billing-unreachable', `the billing provider does not answer: ${why}`, { cause });
    }
  }
}

function readEvent(body: Buffer): BillingEvent {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new FilinglakeError('event-refused', 'the event is not JSON', { cause });
  }
  const event = billingEventSchema.safeParse(value);
  if (event.success) return event.data;
  throw new FilinglakeError('event-refused', `the event is invalid: ${z.prettifyError(event.error)}`);
}
