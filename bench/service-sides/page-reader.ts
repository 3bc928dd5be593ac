/** Reads full pages of a service, one after the other, until its parent says `stop`. Then it sends how many they were. */
import { Pool } from 'undici';
import { timed } from './server.ts';

const [url, key] = process.argv.slice(2);
const pool = new Pool(url!, { connections: 1 });
let pages = 0;
let stopped = false;
process.on('message', () => {
  stopped = true;
});
while (!stopped) {
  await timed(pool, `/v2/filing_lookup?api_key=${key}&to=10000`);
  pages++;
}
process.send!(pages);
process.disconnect();
await pool.close();
