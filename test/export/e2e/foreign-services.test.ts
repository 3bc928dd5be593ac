/** Exports from services that nobody here wrote: records listed twice, hidden limits, numbers where texts belong. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { ForeignService } from '../../support/foreign-service.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { accessionOf, filingRecord } from '../../support/odd-service.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';

const folder = temporaryFolder();
const env = { FILINGLAKE_HOME: join(folder, 'home'), FILINGLAKE_API_KEY: 'key' };

beforeAll(async () => {
  if (temporalExecutable) Object.assign(env, await temporalNamespace());
});

const numbersTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

interface Page {
  records: readonly unknown[];
  count?: number;
  truncated?: boolean;
}

/** @param limit records of a page at most */
function lookup(
  records: readonly unknown[],
  pageOf: (page: readonly unknown[]) => Omit<Page, 'records'>,
  limit = 10_000,
) {
  return (asked: URLSearchParams): string => {
    const from = Number(asked.get('from'));
    const page = records.slice(from, Math.min(Number(asked.get('to')), from + limit));
    const { count, truncated } = pageOf(page);
    return JSON.stringify({ count, filings: page, truncated });
  };
}

/** Exports, checks the lake, and reads it. */
async function exported(service: ForeignService, name: string, { more = 'tables: [filings]', pageSize = 10_000 } = {}) {
  const file = join(folder, `${name}.yaml`);
  const lake = join(folder, `lake-${name}`);
  const settings = `{ base_url: "${service.url}", page_size: ${pageSize} }`;
  writeFileSync(file, `name: ${name}\nservice: ${settings}\nselect: {}\n${more}\n`);
  const before = service.asked.length;
  const { status } = await commandLine(['export', file, '--lake', lake, '--json'], { env });
  const requests = service.asked.length - before;
  const check = await commandLine(['lake', 'check', '--lake', lake], { env });
  const opened = await openLake(lake);
  const sql = (query: string) => opened.query(query);
  const [window] = await sql(
    'SELECT expected::INT AS expected, found::INT AS found, proven FROM export_windows ORDER BY run_id DESC LIMIT 1',
  );
  const failures = await sql('SELECT subject, code, path, value FROM export_failures ORDER BY subject');
  const rows = await sql('SELECT accession_number, cik, entity_name FROM filings ORDER BY 1');
  await opened.close();
  return { status, requests, check, window, failures, rows, lake };
}

describe.skipIf(!temporalExecutable)('a lookup that lists a record twice', () => {
  it('is not proven if the record stands in place of another one: exit code 3, and the check says so', async () => {
    const records = numbersTo(36).map((n) => filingRecord(n === 8 ? 7 : n));
    await using service = await ForeignService.start({
      filing_lookup: lookup(records, () => ({ count: 36, truncated: false })),
    });
    const { status, window, failures, rows, check } = await exported(service, 'repeated');
    expect([status, rows.length, failures]).toEqual([3, 35, []]);
    expect(window).toEqual({ expected: 36, found: 35, proven: false });
    expect(check.stdout).toContain('not proven complete: window w of repeated: the service counted 36, 35 found');
    expect(check.stdout).toContain('is undamaged, but not proven complete');
    expect(check.stdout).not.toContain('is complete');
  });

  it.each([10_000, 10])('stores the first and names each other one, in pages of %i', async (pageSize) => {
    // A row for each co-registrant.
    const records = numbersTo(30).flatMap((n) => {
      const record = filingRecord(n);
      return n % 5 === 0 ? [record, { ...record, cik: String(9_000 + n), entity_name: `OTHER ${n}` }] : [record];
    });
    await using service = await ForeignService.start({
      filing_lookup: lookup(records, () => ({ count: 36, truncated: false })),
    });
    const name = `registrants-${pageSize}`;
    const first = await exported(service, name, { pageSize });
    expect([first.status, first.rows.length, first.window]).toEqual([3, 30, { expected: 30, found: 30, proven: true }]);
    expect(first.rows.every(({ entity_name }) => String(entity_name).startsWith('COMPANY'))).toBe(true);
    expect(first.failures.map(({ subject, code }) => [subject, code])).toEqual(
      [5, 10, 15, 20, 25, 30].map((n) => [accessionOf(n), 'contract-broken']),
    );
    expect(first.failures[0]!.value).toContain(`a second record for ${accessionOf(5)}: {`);
    expect(first.requests).toBe(pageSize === 10 ? 4 : 1);
    expect(first.check.stdout).toContain('is complete');
    // They are known from then on, and the filings are there.
    const second = await exported(service, name, { pageSize });
    expect([second.status, second.requests, second.failures.length]).toEqual([0, first.requests, 6]);
  });

  it('proves its window in a second reading too, if a filing arrives during the first', async () => {
    const records = numbersTo(30).flatMap((n) => [
      filingRecord(n),
      ...(n % 5 === 0 ? [{ ...filingRecord(n), cik: String(9_000 + n), entity_name: `OTHER ${n}` }] : []),
    ]);
    let requests = 0;
    await using service = await ForeignService.start({
      filing_lookup(asked) {
        if (++requests === 3) records.unshift(filingRecord(31));
        return lookup(records, () => ({ count: records.length, truncated: false }))(asked);
      },
    });
    const { status, rows, window, failures } = await exported(service, 'arrival', { pageSize: 10 });
    expect([status, rows.length, window, failures.length]).toEqual([
      3,
      31,
      { expected: 31, found: 31, proven: true },
      6,
    ]);
  });
});

describe.skipIf(!temporalExecutable)('values of a service that writes numbers', () => {
  it('stay as they were written, in converted documents and in texts', async () => {
    const content =
      '{"shares":12345678901234567890,"price":1.10,"big":1e400,"exact":0.1234567890123456789,"dup":1,"dup":2}';
    const { documents, ...filing } = filingRecord(1);
    const document = { ...documents[0]!, filename: 'form.xml', type: 'EX-1' };
    const info = { ...filing, documents: [document], sections: [], parties: [] };
    await using service = await ForeignService.start({
      filing_lookup: lookup([{ ...filing, documents: [document] }], () => ({ count: 1, truncated: false })),
      filing_info: () =>
        JSON.stringify({ ...info, items_8k: 0 }).replace(
          '"items_8k":0',
          `"items_8k":[{"item":5.20,"title":"t","exhibits":[{"exhibit":99.10,"document_id":"${document.document_id}"}]}]`,
        ),
      document: (asked) =>
        `{"document_id":"${asked.get('document_id')}","encoding":"json","content_type":"text/xml","content": ${content} }`,
    });
    const { status, lake } = await exported(service, 'values', {
      more: 'tables: [filings, items_8k, exhibits_8k, document_contents]\ndocuments: { types: [all], xml: json }',
    });
    const opened = await openLake(lake);
    const [contents] = await opened.query('SELECT content FROM document_contents');
    const [exhibit] = await opened.query('SELECT item, exhibit FROM exhibits_8k');
    await opened.close();
    expect([status, contents, exhibit]).toEqual([0, { content }, { item: '5.20', exhibit: '99.10' }]);
  });
});

describe.skipIf(!temporalExecutable)('a lookup with a hidden limit of 437', () => {
  it('is read to its end if it does not say whether a page was cut short', async () => {
    const records = numbersTo(1_000).map(filingRecord);
    await using service = await ForeignService.start({
      filing_lookup: lookup(records, (page) => ({ count: page.length }), 437),
    });
    const { status, rows, window } = await exported(service, 'hidden');
    expect([status, rows.length, window]).toEqual([0, 1_000, { expected: 1_000, found: 1_000, proven: true }]);
  });
});
