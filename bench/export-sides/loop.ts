/** The bare loop: the same requests as the export sends, over undici, JSON parsed, section text made, appended to NDJSON. */
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Pool } from 'undici';
import { readableText } from '../../src/documents/index.ts';
import { given, report } from './given.ts';

interface Filing {
  accession_number: string;
  form_type: string;
  cik: string;
  documents: { document_id: string; sequence: number }[];
}

await report(async () => {
  const { url, api_key, connections, spool } = given;
  mkdirSync(spool, { recursive: true });
  const out = (name: string) => createWriteStream(join(spool, `${name}.ndjson`));
  const files = {
    filings: out('filings'),
    info: out('info'),
    sections: out('sections'),
    documents: out('documents'),
    entities: out('entities'),
  };
  const pool = new Pool(url, { connections });
  let requests = 0;
  const ask = async (operation: string, query: Record<string, string>): Promise<never> => {
    requests++;
    const { body } = await pool.request({
      path: `/v2/${operation}?${new URLSearchParams({ api_key, ...query })}`,
      method: 'GET',
    });
    return JSON.parse(await body.text()) as never;
  };
  const { filings }: { filings: Filing[] } = await ask('filing_lookup', {
    sort_by: 'filing_date',
    sort_order: 'asc',
    from: '0',
    to: '10000',
  });
  for (const filing of filings) files.filings.write(`${JSON.stringify(filing)}\n`);
  const ciks = [...new Set(filings.map((filing) => filing.cik))];
  for (let i = 0; i < ciks.length; i += 100) {
    files.entities.write(
      `${JSON.stringify(await ask('entity_lookup', { ciks: ciks.slice(i, i + 100).join(','), to: '100' }))}\n`,
    );
  }
  let next = 0;
  const lane = async () => {
    while (next < filings.length) {
      const { accession_number, form_type, documents } = filings[next++]!;
      files.info.write(`${JSON.stringify(await ask('filing_info', { accession_number }))}\n`);
      if (/^10-?[KQ]/.test(form_type)) {
        const answer: { sections: { html: string; text?: string }[] } = await ask('filing_sections', {
          accession_number,
          form_type: form_type.includes('Q') ? '10-Q' : '10-K',
        });
        for (const section of answer.sections) {
          section.text = readableText(section.html, 'text/html');
          files.sections.write(`${JSON.stringify({ accession_number, ...section })}\n`);
        }
      }
      const primary = documents[0];
      if (primary)
        files.documents.write(`${JSON.stringify(await ask('document', { document_id: primary.document_id }))}\n`);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  await pool.close();
  for (const file of Object.values(files)) file.end();
  await Promise.all(Object.values(files).map((file) => finished(file)));
  return { requests, others_cpu_seconds: 0 };
});
