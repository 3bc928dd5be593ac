import { describe, expect, it } from 'vitest';
import { chooseCoding, wantsBytes } from '../../../src/service/answers/accept.ts';
import { etagOf, matchesEtag } from '../../../src/service/answers/etag.ts';
import { pageOf } from '../../../src/service/answers/page.ts';

describe('a content coding', () => {
  it.each<[string | undefined, string | null]>([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['GZIP;q=1.0, br;q=0.5', 'gzip'],
    ['zstd;q=0, br;q=0.1', 'br'],
    ['*', 'zstd'],
    ['*;q=0', null],
    ['*, zstd;q=0', 'br'],
    ['identity;q=1, gzip;q=0.5', null],
    ['gzip;q=nonsense', null],
    ['deflate', null],
  ])('for %s is %s', (header, expected) => {
    expect(chooseCoding(header)).toBe(expected);
  });
});

describe('bytes instead of JSON', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['text/html', true],
    ['Text/HTML; charset=utf-8', true],
    ['application/octet-stream', true],
    ['text/html, application/json', false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false],
    ['text/html, */*;q=0', true],
    ['text/html;q=0', false],
    ['image/png', false],
    ['application/*', false],
  ])('are selected by %s: %s', (accept, expected) => {
    expect(wantsBytes(accept, ['text/html', 'application/octet-stream'])).toBe(expected);
  });
});

describe('an entity tag', () => {
  it('is the same for the same parts and another for parts cut elsewhere', () => {
    expect(etagOf('a', 'b')).toBe(etagOf('a', 'b'));
    expect(etagOf('a', 'b')).not.toBe(etagOf('ab'));
    expect(etagOf('a', 'b')).not.toBe(etagOf('', 'ab'));
  });

  it('is matched weakly, in a list, and by the wildcard', () => {
    const tag = etagOf('x');
    expect(matchesEtag(tag, tag)).toBe(true);
    expect(matchesEtag(tag.slice(2), tag)).toBe(true);
    expect(matchesEtag(`"other", ${tag}`, tag)).toBe(true);
    expect(matchesEtag('*', tag)).toBe(true);
    expect(matchesEtag('"other"', tag)).toBe(false);
    expect(matchesEtag(undefined, tag)).toBe(false);
  });
});

describe('a page', () => {
  const records = ['{"a":1}', '{"b":"é"}', '{"c":3}'];

  it('holds all records if they fit', () => {
    const page = pageOf(records, 1_000);
    expect(JSON.parse(page.array)).toEqual([{ a: 1 }, { b: 'é' }, { c: 3 }]);
    expect(page).toMatchObject({ length: 3, truncated: false, bytes: Buffer.byteLength(page.array) });
  });

  it('is cut if the next record would pass the limit, and says so', () => {
    const page = pageOf(records, 128 + 2 + 7 + 1 + 10);
    expect(page).toMatchObject({ length: 2, truncated: true, bytes: Buffer.byteLength(page.array) });
  });

  it('has at least one record', () => {
    expect(pageOf(records, 1)).toMatchObject({ length: 1, truncated: true });
    expect(pageOf([], 1)).toMatchObject({ array: '[]', length: 0, truncated: false, bytes: 2 });
  });

  it('counts the bytes that a record adds to the answer besides itself', () => {
    expect(pageOf(records, 1_000, (index) => (index === 1 ? 900 : 0))).toMatchObject({ length: 1, truncated: true });
  });
});
