/** The minimum for any reader in this language: undici, and JSON.parse of each page. Nothing is stored. */
import { Pool } from 'undici';
import { report } from './given.ts';

await report(async ({ url, page_size }) => {
  const pool = new Pool(url, { connections: 1 });
  let rows = 0;
  let requests = 0;
  for (;;) {
    const path = `/plain/filings?api_key=fl_bench&offset=${rows}&limit=${page_size}`;
    const { body } = await pool.request({ path, method: 'GET' });
    const { filings } = JSON.parse(await body.text()) as { filings: unknown[] };
    requests++;
    rows += filings.length;
    if (filings.length < page_size) break;
  }
  await pool.close();
  return { rows, requests };
});
