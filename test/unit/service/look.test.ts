/** How many pages a visitor may view. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { Looks } from '../../../src/service/site/look.ts';

const READERS = { run: () => Promise.reject(new Error('no look-up is made')) };
const REPLY = { raw: { once: () => {} } } as unknown as FastifyReply;

function madeLooks() {
  const looks = new Looks(READERS, (request) => (request.headers.cookie ? Number(request.headers.cookie) : null));
  const view = (ip: string, headers: Record<string, string> = {}) => {
    const request = { ip, headers } as unknown as FastifyRequest;
    // A page makes several look-ups.
    for (let time = 0; time < 3; time++) looks.callerOf(request, REPLY);
  };
  const views = (count: number, ip: string, headers: Record<string, string> = {}) => {
    for (let k = 0; k < count; k++) view(ip, headers);
  };
  return { view, views };
}

describe('views', () => {
  it('are counted by network, once for each page: 120 in a minute', () => {
    const { view, views } = madeLooks();
    views(120, '192.0.2.1');
    expect(() => view('192.0.2.1')).toThrow(expect.objectContaining({ status: 429 }));
    expect(() => view('192.0.2.2')).not.toThrow();
  });

  it('are counted by account for visitors who are logged in, wherever they are', () => {
    const { view, views } = madeLooks();
    views(120, '192.0.2.1');
    views(120, '192.0.2.1', { cookie: '7' });
    expect(() => view('192.0.2.9', { cookie: '7' })).toThrow(expect.objectContaining({ status: 429 }));
    expect(() => view('192.0.2.1', { cookie: '8' })).not.toThrow();
  });

  it('of pictures are a twentieth', () => {
    const { view, views } = madeLooks();
    views(2_000, '192.0.2.1', { 'sec-fetch-dest': 'image' });
    views(19, '192.0.2.1');
    expect(() => views(2, '192.0.2.1')).toThrow(expect.objectContaining({ status: 429 }));
    expect(() => view('192.0.2.2')).not.toThrow();
  });

  it('of 20,000 other networks do not make a visitor forgotten within moments', () => {
    const { view, views } = madeLooks();
    for (let k = 0; k < 9_990; k++) view(`2001:db8:${k.toString(16)}::1`);
    views(120, '192.0.2.1');
    for (let k = 0; k < 9_990; k++) view(`2001:db9:${k.toString(16)}::1`);
    expect(() => view('192.0.2.1')).toThrow(expect.objectContaining({ status: 429 }));
  });
});
