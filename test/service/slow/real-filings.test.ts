/** Real submissions of thirty years through the service: what comes out is what an independent reading found in them. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentContentSchema, filingInfoSchema, filingSectionsSchema } from '../../../src/filings/api/index.ts';
import { KeyRegister, loadPlans } from '../../../src/service/accounts/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { type RunningService, startService } from '../../../src/service/index.ts';
import { sharedFolder } from '../../support/shared.ts';

/** Files in the order of their names, so from every filer and year: each so manieth. */
const EACH = 8;

interface True {
  file: string;
  accession_number: string;
  documents: { sequence: string; size: number; sha256: string; inner_size?: number; inner_sha256?: string }[];
}

describe.skipIf(!sharedFolder)('real filings through the service', () => {
  const root = mkdtempSync(join(tmpdir(), 'filinglake-service-real-'));
  const chosen: True[] = [];
  let service: RunningService;
  let pool: Pool;
  let key: string;

  beforeAll(async () => {
    const edgar = join(sharedFolder!, 'edgar');
    const truth = readFileSync(join(edgar, 'truth.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as True)
      .filter(({ file }) => file.startsWith('full-submissions/'));
    chosen.push(...truth.filter((_, index) => index % EACH === 0));
    const folder = join(root, 'catalog');
    await ingest(
      chosen.map(({ file }) => join(edgar, file)),
      folder,
      { threads: 0 },
    );
    const accounts = KeyRegister.open(folder, loadPlans());
    key = accounts.createKey('unlimited').api_key;
    accounts.close();
    service = await startService({ catalogFolder: folder, port: 0 });
    pool = new Pool(service.url, { connections: 4, allowH2: false });
  });
  afterAll(async () => {
    await pool?.close();
    await service?.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function ask(operation: string, query: string, accept = 'application/json'): Promise<Buffer> {
    const path = `/v2/${operation}?api_key=${key}&${query}`;
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { accept } });
    const bytes = Buffer.from(await body.arrayBuffer());
    expect([statusCode, statusCode === 200 ? '' : bytes.toString()]).toEqual([200, '']);
    return bytes;
  }

  it('has every document byte for byte, as bytes and inside JSON', async () => {
    let compared = 0;
    for (const { accession_number, documents } of chosen) {
      for (const { sequence, size, sha256, inner_size, inner_sha256 } of documents) {
        const query = `document_id=${accession_number}-${Number(sequence)}`;
        const bytes = await ask('document', query, 'application/octet-stream');
        const hash = createHash('sha256').update(bytes).digest('hex');
        expect([query, bytes.length, hash]).toEqual([query, inner_size ?? size, inner_sha256 ?? sha256]);
        const json = documentContentSchema.parse(JSON.parse((await ask('document', query)).toString()));
        expect([json.size, json.sha256]).toEqual([bytes.length, hash]);
        if (json.encoding === 'base64') expect(Buffer.from(String(json.content), 'base64')).toEqual(bytes);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });

  it('gives sections whose index and contents are of one text', async () => {
    let sections = 0;
    for (const { accession_number } of chosen) {
      const query = `accession_number=${accession_number}`;
      const info = filingInfoSchema.parse(JSON.parse((await ask('filing_info', query)).toString()));
      if (info.sections.length === 0) continue;
      const contents = filingSectionsSchema.parse(JSON.parse((await ask('filing_sections', query)).toString()));
      expect(contents.sections.map(({ section }) => section)).toEqual(info.sections.map(({ section }) => section));
      for (const { html } of contents.sections) expect(html.trim()).not.toBe('');
      sections += contents.sections.length;
    }
    expect(sections).toBeGreaterThan(0);
  });
});
