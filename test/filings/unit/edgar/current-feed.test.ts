import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type CurrentFeedEntry, readCurrentFeed, readFolderListing } from '../../../../src/filings/edgar/index.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';

function feed(...entries: string[]): Buffer {
  return Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n${entries.join('')}</feed>\n`,
    'latin1',
  );
}

function entry(title: string, form: string, more: { summary?: string; id?: string; updated?: string } = {}): string {
  const summary =
    more.summary ??
    '&lt;b&gt;Filed:&lt;/b&gt; 2025-12-12 &lt;b&gt;AccNo:&lt;/b&gt; 0000320193-25-000001 &lt;b&gt;Size:&lt;/b&gt; 4 KB';
  return `<entry><title>${title}</title><summary type="html">${summary}</summary>
<updated>${more.updated ?? '2025-12-12T18:02:10-05:00'}</updated><category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
<id>${more.id ?? 'urn:tag:sec.gov,2008:accession-number=0000320193-25-000001'}</id></entry>`;
}

describe('the feed of current filings', () => {
  it.each([
    ['4 - O&#39;HARA &amp; SONS - HOLDINGS (UK) (0000320193) (Issuer)', '4', "O'HARA & SONS - HOLDINGS (UK)", 'Issuer'],
    ['SC TO-T/A - A - B (0000320193) (Filed by)', 'SC TO-T/A', 'A - B', 'Filed by'],
    ['8-K - Caf\u00e9 Inc (0000320193) (Filer)', '8-K', 'Caf\u00e9 Inc', 'Filer'],
    ['8-K - Nobody (0000320193)', '8-K', 'Nobody', null],
  ])('reads name and role from the end of the title: %s', (title, form, name, role) => {
    expect(readCurrentFeed(feed(entry(title, form)))[0]).toMatchObject({ formType: form, name, role, cik: '320193' });
  });

  it('reads the items of an 8-K, each once', () => {
    const summary =
      '&lt;b&gt;Filed:&lt;/b&gt; 2025-12-12 &lt;br&gt;Item 2.02: Results &lt;br&gt;Item 9.01: Exhibits &lt;br&gt;Item 9.01: Exhibits';
    expect(readCurrentFeed(feed(entry('8-K - A (0000000001) (Filer)', '8-K', { summary })))[0]!.items).toEqual([
      '2.02',
      '9.01',
    ]);
  });

  it('has no entries if nothing was filed', () => {
    expect(readCurrentFeed(feed())).toEqual([]);
  });

  it.each([
    ['a page', Buffer.from('<!DOCTYPE html><html><title>File Unavailable</title></html>'), 'it has no <feed>'],
    ['a feed that is cut', feed(entry('4 - A (0000000001) (Filer)', '4')).subarray(0, 300), 'it is cut short'],
    ['an entry without a number', feed(entry('4 - A (0000000001) (Filer)', '4', { id: 'urn:x' })), 'accession number'],
    [
      'an entry with an impossible time',
      feed(entry('4 - A (0000000001) (Filer)', '4', { updated: 'yesterday' })),
      'acceptance',
    ],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readCurrentFeed(bytes)).toThrow(message);
  });

  it.skipIf(!sharedFolder)('reads the recorded walks as an independent reader does', () => {
    const root = join(sharedFolder!, 'edgar/feeds');
    const filings = new Map<string, CurrentFeedEntry[]>();
    for (const { walk, status, file } of jsonRows(join(root, 'walks.jsonl'))) {
      if (status !== 200) continue;
      for (const one of readCurrentFeed(gunzipSync(readFileSync(join(root, file))))) {
        const key = `${walk} ${one.accessionNumber}`;
        filings.set(key, [...(filings.get(key) ?? []), one]);
      }
    }
    const truth = jsonRows(join(root, 'truth.jsonl.gz'));
    expect(filings.size).toBe(truth.length);
    const parties = (all: { cik: string; name: string; role: string | null }[]) =>
      [...new Set(all.map(({ cik, name, role }) => `${cik} ${name} ${role}`))].sort();
    for (const filing of truth) {
      const entries = filings.get(`${filing.walk} ${filing.accession_number}`) ?? [];
      const [first] = entries;
      expect({ ...first, items: first?.items, entries: entries.length, parties: parties(entries) }).toMatchObject({
        formType: filing.form_type,
        filingDate: filing.filing_date,
        acceptedAt: filing.accepted,
        size: filing.size,
        items: [...new Set(filing.items)],
        entries: filing.entries,
        parties: parties(filing.parties),
      });
    }
  });
});

describe('the listing of a folder', () => {
  it('is read from JSON', () => {
    const listing = { directory: { item: [{ name: 'master.20250102.idx' }, { name: 'sitemap.xml' }] } };
    expect(readFolderListing(Buffer.from(JSON.stringify(listing)))).toEqual(['master.20250102.idx', 'sitemap.xml']);
  });

  it.each([
    '{',
    '{"directory": {}}',
    '<html><title>Access Denied</title></html>',
    '<title>Directory listing</title><table>',
  ])('is refused if it is none, or cut: %s', (text) => {
    expect(() => readFolderListing(Buffer.from(text))).toThrow('folder listing');
  });

  it.skipIf(!sharedFolder)('is read from the recorded pages', () => {
    const page = (name: string) => gunzipSync(readFileSync(join(sharedFolder!, 'edgar/feeds/listings', name)));
    const names = readFolderListing(page('daily-index-2018-QTR4.html.gz'));
    expect(names.filter((name) => /^master\.2018\d{4}\.idx$/.test(name))).toHaveLength(60);
    expect(names).not.toContain('master.20181205.idx');
    expect(readFolderListing(page('full-index-1993-QTR4.html.gz'))).toContain('master.idx');
  });
});
