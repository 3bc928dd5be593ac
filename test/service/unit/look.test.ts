/** How many pages a visitor may view. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { Looks } from '../../../src/service/site/look.ts';

const READERS = { run: () => Promise.reject(new Error('no look-up is made')) };
const REPLY = { raw: { once: () => {} } } as unknown as FastifyReply;

function madeLooks() {
  const looks = new Looks(READERS, async (request) => (request.headers.cookie ? Number(request.headers.cookie) : null));
  const view = async (ip: string, headers: Record<string, string> = {}) => {
    const request = { ip, headers } as unknown as FastifyRequest;
    // A page makes several look-ups.
    for (let time = 0; time < 3; time++) await looks.callerOf(request, REPLY);
  };
  const views = async (count: number, ip: string, headers: Record<string, string> = {}) => {
    for (let k = 0; k < count; k++) await view(ip, headers);
  };
  return { view, views };
}

describe('views', () => {
  it('are counted by network, once for each page: 120 in a minute', async () => {
    const { view, views } = madeLooks();
    await views(120, '192.0.2.1');
    await expect(view('192.0.2.1')).rejects.toThrow(expect.objectContaining({ status: 429 }));
    await view('192.0.2.2');
  });

  it('are counted by account for visitors who are logged in, wherever they are', async () => {
    const { view, views } = madeLooks();
    await views(120, '192.0.2.1');
    await views(120, '192.0.2.1', { cookie: '7' });
    await expect(view('192.0.2.9', { cookie: '7' })).rejects.toThrow(expect.objectContaining({ status: 429 }));
    await view('192.0.2.1', { cookie: '8' });
  });

  it('of pictures are a twentieth', async () => {
    const { view, views } = madeLooks();
    await views(2_000, '192.0.2.1', { 'sec-fetch-dest': 'image' });
    await views(19, '192.0.2.1');
    await expect(views(2, '192.0.2.1')).rejects.toThrow(expect.objectContaining({ status: 429 }));
    await view('192.0.2.2');
  });

  it('of 20,000 other networks do not make a visitor forgotten within moments', async () => {
    const { view, views } = madeLooks();
    for (let k = 0; k < 9_990; k++) await view(`2001:db8:${k.toString(16)}::1`);
    await views(120, '192.0.2.1');
    for (let k = 0; k < 9_990; k++) await view(`2001:db9:${k.toString(16)}::1`);
    await expect(view('192.0.2.1')).rejects.toThrow(expect.objectContaining({ status: 429 }));
  });
});
