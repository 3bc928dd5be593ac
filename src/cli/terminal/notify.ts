/** Tells somebody how a schedule fares: a command, a webhook, a mail. */
import { spawn } from 'node:child_process';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import type { Condition, Notify, ScheduleSeen } from '../../export/index.ts';
import { SIGNATURE_HEADER, SmtpSender, signatureOf } from '../../service/accounts/index.ts';

/** What a command and a webhook get; docs/guide/alerts.md has the members. */
export interface Notice {
  event: Condition['kind'];
  name: string;
  id: string;
  lake: string;
  /** ISO */
  at: string;
  message: string;
  remedy: string;
}

const COMMAND_MS = 60_000;
const ANSWER_MS = 30_000;

export function noticeOf({ name, id, lake }: ScheduleSeen, { kind, message, remedy }: Condition, at: Date): Notice {
  return { event: kind, name, id, lake, at: at.toISOString(), message, remedy };
}

/** Tells all of them, even if one can't be reached. @throws FilinglakeError `notify-failed` that names those that did not take it */
export async function notify(notice: Notice, to: Notify): Promise<void> {
  const telling = [
    ...(to.command === undefined ? [] : [byCommand(to.command, notice)]),
    ...(to.webhook === undefined ? [] : [byWebhook(to.webhook, notice)]),
    ...(to.mail === undefined ? [] : [byMail(to.mail, notice)]),
  ];
  const ends = await Promise.allSettled(telling);
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [systemErrorWords(end.reason)] : []));
  if (faults.length > 0) throw new FilinglakeError('notify-failed', `${notice.name}: ${faults.join('; ')}`);
}

function byCommand(command: string, notice: Notice): Promise<void> {
  return new Promise((settle, fail) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { ...process.env, FILINGLAKE_EVENT: notice.event, FILINGLAKE_EXPORT: notice.name },
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS);
    child.once('error', fail);
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) settle();
      else fail(new Error(`the command of notify ended with ${signal ?? `exit code ${code}`}`));
    });
    // A command that reads nothing closes the pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(notice)}\n`);
  });
}

async function byWebhook(url: string, notice: Notice): Promise<void> {
  const secret = process.env.FILINGLAKE_NOTIFY_SECRET;
  if (!secret) throw new Error('FILINGLAKE_NOTIFY_SECRET is not set: the webhook could not tell who calls');
  const body = JSON.stringify(notice);
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signatureOf(body, secret, new Date()) },
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the webhook of notify answered ${answer.status}`);
}

async function byMail(to: string, { event, name, lake, message, remedy, at }: Notice): Promise<void> {
  const { FILINGLAKE_SMTP_URL: url, FILINGLAKE_MAIL_FROM: from = 'filinglake@localhost' } = process.env;
  if (!url) throw new Error('FILINGLAKE_SMTP_URL is not set: no mail can be sent');
  const subject = `filinglake: ${name} ${event === 'well' ? 'is well again' : event.replace('_', ' ')}`;
  await new SmtpSender(url, from).send({ to, subject, text: `${message}\n${remedy}\n\nlake ${lake}\n${at}\n` });
}
