/** The texts of mails. */
import type { PlanRequest } from '../register/subscriptions.ts';
import type { Mail } from './mail.ts';

const IGNORE = 'If you did not ask for this, ignore this mail: nothing happens without the link.';

export function confirmMail(to: string, link: string, hasPassword: boolean): Mail {
  const what = hasPassword
    ? 'Open this link and enter your password to make your account:'
    : 'Open this link to make your account:';
  return {
    to,
    subject: 'Confirm your e-mail address',
    text: `${what}\n\n${link}\n\nThe link works once, for 24 hours. ${IGNORE}\n`,
  };
}

export function logInMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Your link to log in',
    text: `Open this link to log in to your account:\n\n${link}\n\nThe link works once, for 30 minutes. ${IGNORE}\n`,
  };
}

export function planMail(to: string, text: string): Mail {
  return { to, subject: 'Your plan', text: `${text}\n` };
}

export function quotaMail(
  to: string,
  { plan, percent, end, pageOfPlans }: { plan: string; percent: number; end: string; pageOfPlans: string },
): Mail {
  const what =
    percent === 100
      ? `Your plan '${plan}' is used up for this month. Requests get status 429 until ${end} (UTC).`
      : `You have used ${percent} % of your plan '${plan}' for this month. The next month begins on ${end} (UTC).`;
  return { to, subject: `${percent} % of your plan is used`, text: `${what}\n\nLarger plans: ${pageOfPlans}\n` };
}

export function invoiceMail(
  operator: string,
  { id, email, plan }: PlanRequest,
  /** What the holder does with the plan: `requests`, … */
  verb: string,
): Mail {
  const next = verb === 'requests' ? `\n\nGrant it: filinglake accounts requests ${id} --grant --catalog DIR` : '';
  return {
    to: operator,
    subject: `${email} ${verb} the plan ${plan}`,
    text: `${email} ${verb} the plan ${plan}.${next}\n`,
  };
}
