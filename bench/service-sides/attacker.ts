/**
 * Sends one kind of costly request, or all in turn, on 8 connections that never pause, until its parent says `stop`. Then it leaves all
 * of them, and sends how many answers had which status.
 */
import { once } from 'node:events';
import { Pool } from 'undici';
import { ATTACKS } from './attacks.ts';

const CONNECTIONS = 8;

const [url, key, name] = process.argv.slice(2);
const pool = new Pool(url!, { connections: CONNECTIONS, allowH2: false });
const leaving = new AbortController();
const statuses: Record<number, number> = {};
process.on('message', () => leaving.abort());
const chosen = ATTACKS.filter(([attack]) => name === attack || name === 'all in turn');
let turn = 0;

async function attack(): Promise<void> {
  while (!leaving.signal.aborted) {
    const i = turn++;
    const [, operation, body] = chosen[i % chosen.length]!;
    const headers = { 'content-type': 'application/json', 'x-api-key': key! };
    const asked = { path: `/v2/${operation}`, method: 'POST' as const, headers, body: JSON.stringify(body(i)) };
    try {
      const answer = await pool.request({ ...asked, signal: leaving.signal });
      await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
      statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    }
  }
}

// Beside `nothing` it sends nothing.
if (chosen.length > 0) await Promise.all(Array.from({ length: CONNECTIONS }, attack));
else await once(process, 'message');
process.send!(statuses);
process.disconnect();
await pool.destroy();
