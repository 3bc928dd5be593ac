/** Attackers of a service, many kinds at once. Each comes from a different address, as far as the service can know. */
import { randomBytes, randomInt } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Attacks = Record<string, number>;

const [service, key, idle] = process.argv.slice(2) as [string, string, string];
const { hostname, port, host } = new URL(service);
let counts: Attacks = {};
const note = (name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};
const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** @param hangUpMs the client leaves without the answer */
async function request(name: string, path: string, init: RequestInit = {}, hangUpMs = 120_000): Promise<void> {
  const headers = { 'x-forwarded-for': anAddress(), ...(init.headers as Record<string, string>) };
  try {
    const answer = await fetch(service + path, {
      redirect: 'manual',
      ...init,
      headers,
      signal: AbortSignal.timeout(hangUpMs),
    });
    await answer.arrayBuffer();
    note(`${name} ${answer.status}`);
  } catch {
    note(`${name} left`);
  }
}

/** Does it again for ever, with a pause. */
async function loop(everyMs: number, work: () => Promise<unknown>): Promise<never> {
  for (;;) {
    await work();
    await pause(everyMs * (0.5 + Math.random()));
  }
}

/** A connection that sends this and waits until it is closed. Without `reads` it leaves all answers unread for 45 s. */
function hold(name: string, text: string, reads = true): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.once('connect', () => socket.write(text));
    if (!reads) socket.pause();
    else socket.resume();
    socket.on('end', () => socket.destroy());
    socket.once('close', () => {
      note(`${name} closed`);
      resolve();
    });
    // A paused socket notices its end only if it reads.
    const look = setTimeout(() => socket.resume(), 45_000);
    socket.once('close', () => clearTimeout(look));
  });
}

const prefixes = Array.from({ length: 30 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}${'aeiou'[i % 5]}*`);
const search = (query: string) =>
  `/v2/fulltext_search?query_type=query_string&sort_by=_score&to=10000&query=${encodeURIComponent(query)}`;
const keyed = { headers: { 'x-api-key': key } };
const garbage = [
  'GET /v2/filing_info&api_key=fl_aaaaaaaaaaaaaaaa HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /v2/filing_info HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  `GET /v2/${'a'.repeat(60_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc',
];

void loop(4_000, () => request('search', search(prefixes.slice(0, 8).join(' OR ')), keyed));
void loop(4_000, () => request('search', search('the OR of OR and'), keyed, 300));
for (let i = 0; i < 3; i++) {
  const page = `GET /v2/filing_lookup?to=10000 HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n\r\n`;
  void loop(5_000, () => hold('unread page', page, false));
}
const halfHeader = `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Filler: ${'x'.repeat(60_000)}`;
for (let i = 0; i < 100; i++) void loop(500, () => hold('unfinished header', halfHeader));
void loop(100, () => request('wrong key', `/v2/filing_info?api_key=fl_${randomBytes(12).toString('hex')}`));
void loop(1_000, () =>
  request('deep body', '/v2/filing_lookup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '['.repeat(2 ** 20),
  }),
);
void loop(200, async () => void hold('garbage', garbage[randomInt(garbage.length)]!));
void loop(2_000, () => {
  const body = `email=user${randomInt(50)}%40example.org&password=guess-${randomInt(1e9)}`;
  return request('log-in', '/account/log-in', { method: 'POST', headers: FORM, body });
});
void loop(2_000, () => {
  const body = JSON.stringify({ email: `a${randomBytes(5).toString('hex')}@example.org`, password: 'long enough' });
  return request('sign-up', '/accounts', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
});
void loop(500, () => {
  const headers = { ...FORM, cookie: `filinglake_session=${randomBytes(32).toString('base64url')}` };
  return request('forged form', '/account/keys', { method: 'POST', headers, body: 'name=x' });
});
void loop(1_000, () => request('one-time link', `/account/link?token=${randomBytes(32).toString('base64url')}`));
void loop(1_000, () =>
  request('forged event', '/billing/events', {
    method: 'POST',
    headers: { 'filinglake-signature': `t=${Math.floor(Date.now() / 1000)},v1=${randomBytes(32).toString('hex')}` },
    body: '{"id":"x","type":"plan.granted","reference":"x"}',
  }),
);
void loop(1_000, () => request('page', `/search?q=${encodeURIComponent('<script>alert(1)</script>')}`));

/** Idle connections: half say nothing, half have had one answer. When the service closes one, another comes. */
process.on('message', (wanted: { idle: boolean }) => {
  if (!wanted.idle) {
    isIdling = false;
    for (const socket of idleSockets) socket.destroy();
    return;
  }
  isIdling = true;
  for (let i = 0; i < Number(idle); i++) setTimeout(() => openIdle(i % 2 === 0), i * 2);
});
let isIdling = false;
const idleSockets = new Set<Socket>();
function openIdle(isSilent: boolean): void {
  if (!isIdling) return;
  const socket = connect(Number(port), hostname);
  idleSockets.add(socket);
  socket.on('error', () => {});
  socket.on('data', () => {});
  if (!isSilent) socket.once('connect', () => socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
  socket.once('close', () => {
    idleSockets.delete(socket);
    note('idle connection closed');
    setTimeout(() => openIdle(isSilent), 100);
  });
}

process.on('disconnect', () => process.exit(0));
setInterval(() => {
  process.send?.({ ...counts, 'idle connections now': idleSockets.size });
  counts = {};
}, 1_000);
