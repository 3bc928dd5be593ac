/**
 * The bare loop: over undici, JSON parsed, section text made, appended to NDJSON. The export's own pure functions choose the
 * requests, so that both sides send the same. Nothing is checked, stored for a restart, or counted.
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Pool } from 'undici';
import { stepsFor } from '../../src/export/steps/steps.ts';
import { type ExportWindow, firstWindows, WindowReading } from '../../src/export/windows/index.ts';
import type { Filing } from '../../src/filings/api/index.ts';
import { readableText } from '../../src/filings/documents/index.ts';
import { definitionOf, given, NO_ROWS, report } from './given.ts';

await report(async () => {
  const { url, api_key, connections, spool } = given;
  const definition = definitionOf(given);
  mkdirSync(spool, { recursive: true });
  const out = (name: string) => createWriteStream(join(spool, `${name}.ndjson`));
  const files = {
    filings: out('filings'),
    info: out('info'),
    sections: out('sections'),
    documents: out('documents'),
    entities: out('entities'),
  };
  const rows = { ...NO_ROWS };
  const pool = new Pool(url, { connections });
  let requests = 0;
  const ask = async <Answer>(operation: string, query: Record<string, string>): Promise<Answer> => {
    requests++;
    const { body } = await pool.request({
      path: `/v2/${operation}?${new URLSearchParams({ api_key, ...query })}`,
      method: 'GET',
    });
    return JSON.parse(await body.text()) as Answer;
  };

  const lookup = async (window: ExportWindow): Promise<{ filings: Filing[]; split: ExportWindow[] }> => {
    const reading = new WindowReading(window, definition.service.page_size);
    const filings = new Map<string, Filing>();
    for (;;) {
      const step = reading.next();
      if ('split' in step) return { filings: [], split: step.split };
      if ('done' in step) return { filings: [...filings.values()], split: [] };
      const query = Object.fromEntries(Object.entries(step.ask).map(([name, value]) => [name, String(value)]));
      const page: { count: number; truncated?: boolean; filings: Filing[] } = await ask('filing_lookup', query);
      for (const filing of page.filings) filings.set(filing.accession_number, filing);
      const records = page.filings.map((filing) => ({ ...filing, key: filing.accession_number }));
      reading.take({ truncated: false, ...page, received: records.length, records });
    }
  };

  const fetchFilings = async (filings: readonly Filing[]): Promise<void> => {
    let next = 0;
    const lane = async () => {
      while (next < filings.length) {
        const filing = filings[next++]!;
        const { accession_number } = filing;
        for (const step of stepsFor(definition, filing)) {
          if (step.step === 'info') {
            files.info.write(`${JSON.stringify(await ask('filing_info', { accession_number }))}\n`);
          } else if ('form_type' in step) {
            const { form_type } = step;
            const answer: { sections: { html: string; text?: string }[] } = await ask('filing_sections', {
              accession_number,
              form_type,
            });
            for (const section of answer.sections ?? []) {
              section.text = readableText(section.html, 'text/html');
              files.sections.write(`${JSON.stringify({ accession_number, ...section })}\n`);
              rows.sections++;
            }
          } else if ('document_id' in step) {
            const { document_id, output_format } = step;
            files.documents.write(`${JSON.stringify(await ask('document', { document_id, output_format }))}\n`);
            rows.documents++;
          }
        }
      }
    };
    await Promise.all(Array.from({ length: connections }, lane));
  };

  const known = new Set<string>();
  const windows = firstWindows(definition, new Date().toISOString().slice(0, 10));
  for (let window = windows.shift(); window; window = windows.shift()) {
    const { filings, split } = await lookup(window);
    windows.unshift(...split);
    for (const filing of filings) files.filings.write(`${JSON.stringify(filing)}\n`);
    rows.filings += filings.length;
    const ciks = [...new Set(filings.map((filing) => filing.cik ?? ''))].filter((cik) => !known.has(cik));
    for (let i = 0; i < ciks.length; i += 100) {
      const some = ciks.slice(i, i + 100);
      const answer: { entities: { cik: string }[] } = await ask('entity_lookup', {
        ciks: some.join(','),
        to: String(some.length),
      });
      for (const entity of answer.entities) {
        files.entities.write(`${JSON.stringify(entity)}\n`);
        known.add(entity.cik);
        rows.entities++;
      }
    }
    await fetchFilings(filings);
  }
  await pool.close();
  for (const file of Object.values(files)) file.end();
  await Promise.all(Object.values(files).map((file) => finished(file)));
  return { requests, rows };
});
